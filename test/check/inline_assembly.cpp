// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
// RUN: %khal-opt --abi=nvptx -emit-ir --clang=-DGUARDED_ONLY %s | FileCheck --check-prefix=PTX %s
// RUN: %khal-opt --abi=shader -emit-ir --clang=-DGUARDED_ONLY %s | FileCheck --check-prefix=SHADER %s
#include <khal/kernel.hpp>
using namespace khal;

inline u32 lane() {
  u32 result;
  asm("mov.u32 %0, %%laneid;" : "=r"(result));
  return result;
}

u32 anywhere(u32 x) {
#ifndef GUARDED_ONLY
  // CHECK: inline_assembly.cpp:[[@LINE+1]]:3: error: inline assembly is for one target; put it inside 'if constexpr (khal::target::ptx)' or another target's branch [khal-inline-assembly]
  asm("" : "+r"(x));
#endif
  return x;
}

[[khal::kernel(64)]] void kernel(span<u32> a) {
  if constexpr (target::ptx) {
    u32 clock;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock));
    a[0] = clock + lane(); // only reached for one target
  }
  // CHECK: inline_assembly.cpp:[[@LINE+1]]:10: note: called from 'kernel' here
  a[1] = anywhere(a[2]);
}
// CHECK: 1 error generated.

// PTX: %clock
// PTX: %laneid
// SHADER-NOT: asm
// SHADER: define {{.*}}void @khal_body_

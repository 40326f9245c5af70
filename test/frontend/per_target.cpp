// RUN: %khal-opt --abi=nvptx --emit-ir %s | FileCheck --check-prefix=PTX %s
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck --check-prefix=SPIRV %s
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck --check-prefix=CPU %s
// RUN: %exits 1 %khal-opt --abi=nvptx --clang=-DDIFFERENT %s 2>&1 | FileCheck --check-prefix=DIFFERENT %s
// RUN: %exits 1 %khal-opt --abi=shader --clang=-DBROKEN %s 2>&1 | FileCheck --check-prefix=BROKEN %s
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void kernel(span<u32> a) {
  if constexpr (target::ptx)
    a[0] = 111;
  if constexpr (target::spirv)
    a[0] = 222;
  if constexpr (target::cpu)
    a[0] = 333;
#if defined(BROKEN) && __KHAL_TARGET_SPIRV__
  // BROKEN: per_target.cpp:[[@LINE+1]]:3: error: use of undeclared identifier 'nothing'
  nothing();
  // BROKEN: khalc: note: while compiling for the spirv target
#endif
}
// PTX: store i32 111
// PTX-NOT: i32 222
// PTX-NOT: i32 333
// SPIRV: store i32 222
// CPU: store i32 333

#if !defined(DIFFERENT) || __KHAL_TARGET_PTX__
// DIFFERENT: per_target.cpp:[[@LINE+1]]:{{.*}}: error: kernel 'extra' isn't the same for the ptx target as for the host; only code inside functions may depend on the target [khal-kernel-differs]
[[khal::kernel(64)]] void extra(span<u32> a) {}
#endif

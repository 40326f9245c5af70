// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khal-opt --abi=nvptx %s 2>&1 | FileCheck --check-prefix=PTX %s
// PTX: error: kernels can't take the address
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void kernel(span<u32> a) {
  // CHECK: computed_goto.cpp:[[@LINE+2]]:19: error: kernels can't take the address of a label or jump to one; use a switch [khal-computed-goto]
  // CHECK: computed_goto.cpp:[[@LINE+1]]:28: error: kernels can't take the address
  void *ways[] = {&&first, &&second};
  // CHECK: computed_goto.cpp:[[@LINE+1]]:3: error: kernels can't take the address
  goto *ways[a[0] & 1];
first:
  a[0] = 1;
  return;
second:
  a[0] = 2;
  if constexpr (khal::target::cpu) {
    // CHECK: computed_goto.cpp:[[@LINE+1]]:5: error: kernels can't take the address
    asm goto("" : : : : third);
  }
third:
  a[1] = 3;
}

// RUN: %exits 1 %khalc --target=cpu -o %t %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khalc --target=ptx -o %t %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khalc --target=spirv -o %t %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

u32 more(u32 x) { return x + 1; }
u32 twice(u32 x) { return x * 2; }
constexpr u32 (*steps[])(u32) = {more, twice};

u32 apply(u32 which, u32 x) {
  // CHECK: indirect_call.cpp:[[@LINE+2]]:10: error: a call through a function pointer remains after inlining; call a function, a lambda or a template parameter instead [khal-indirect-call]
  // CHECK: indirect_call.cpp:[[@LINE+5]]:10: note: called from 'kernel' here
  return steps[which](x);
}
[[khal::kernel(64)]] void kernel(span<u32> a) {
  a[1] = apply(1, a[1]); // folds away
  a[0] = apply(a[0] & 1, a[0]);
}

// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

u32 factorial(u32 n) {
  // CHECK: recursion.cpp:[[@LINE+1]]:26: error: 'factorial' calls itself, directly or through other functions; {{.*}}[khal-recursive-call]
  return n < 2 ? 1 : n * factorial(n - 1);
}

u32 odd(u32 n);
u32 even(u32 n) { return n == 0 ? 1 : odd(n - 1); }
// CHECK: recursion.cpp:[[@LINE+1]]:38: error: 'even' calls itself
u32 odd(u32 n) { return n == 0 ? 0 : even(n - 1); }
// CHECK: recursion.cpp:[[@LINE-3]]:39: note: called from 'even' here
// CHECK: recursion.cpp:[[@LINE+1]]:40: note: called from 'parity' here
u32 parity(u32 n) { return n > 7 ? 1 : even(n); }

[[khal::kernel(64)]] void kernel(span<u32> a) {
  a[0] = factorial(a[0]);
  // CHECK: recursion.cpp:[[@LINE+1]]:10: note: called from 'kernel' here
  a[1] = parity(a[1]);
}
// CHECK: 2 errors generated.

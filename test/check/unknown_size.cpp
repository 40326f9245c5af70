// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khal-opt --abi=nvptx %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khal-opt --abi=shader %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

u32 sum(u32 n) {
  u32 values[n];
  for (u32 i = 0; i < n; ++i)
    values[i] = i;
  return values[n - 1];
}

[[khal::kernel(64)]] void kernel(span<u32> a) {
  // CHECK: unknown_size.cpp:[[@LINE+1]]:32: error: the size of this variable isn't known at compile time; use an array of constant size [khal-variable-of-unknown-size]
  auto *p = static_cast<u32 *>(__builtin_alloca(a[2]));
  p[0] = 1;
  // CHECK: unknown_size.cpp:[[@LINE-10]]:7: error: the size of this variable isn't known
  // CHECK: unknown_size.cpp:[[@LINE+1]]:10: note: called from 'kernel' here
  a[0] = sum(a[1]);
}

// The host may.
int main(int count, char **) {
  int values[count];
  values[0] = 0;
  return values[0];
}

// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <cstdio>
#include <khal/kernel.hpp>
using namespace khal;

int sum(int count, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; ++i)
    total += __builtin_va_arg(list, int);
  return total;
}

template <class... Numbers> int sum_of(Numbers... numbers) { return (0 + ... + numbers); }

[[khal::kernel(64)]] void kernel(span<int> a) {
  // CHECK: variadic.cpp:[[@LINE+1]]:3: error: kernels can't call 'printf', a C function with a variable number of arguments; use a template [khal-variadic-call]
  std::printf("%d\n", a[0]);
  // CHECK: variadic.cpp:[[@LINE+1]]:10: error: kernels can't call 'sum'
  a[0] = sum(2, 3, 4);
  a[1] = sum_of(1, 2, 3);
  // CHECK: variadic.cpp:[[@LINE+1]]:3: error: kernels can't call '__builtin_printf'
  __builtin_printf("x");
}

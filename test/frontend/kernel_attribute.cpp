// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: kernel_attribute.cpp:[[@LINE+1]]:3: error: 'khal::kernel' attribute takes at least 1 argument
[[khal::kernel]] void no_size(span<float> a) {}
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:3: error: 'khal::kernel' attribute takes at least 1 argument
[[khal::kernel()]] void empty_size(span<float> a) {}
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:3: error: 'khal::kernel' attribute takes no more than 3 arguments
[[khal::kernel(1, 1, 1, 1)]] void four_sizes(span<float> a) {}

int not_constant = 64;
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:16: error: a group size must be known at compile time; use a literal, a constexpr variable or a template parameter [khal-kernel-size-not-constant]
[[khal::kernel(not_constant)]] void variable_size(span<float> a) {}
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:16: error: a group size is a constant integer expression; this has type 'double' [khal-kernel-size-type]
[[khal::kernel(64.0)]] void real_size(span<float> a) {}
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:16: error: a group size is a constant integer expression; this has type 'const char[3]'
[[khal::kernel("64")]] void text_size(span<float> a) {}
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:16: error: use of undeclared identifier 'unknown'
[[khal::kernel(unknown)]] void unknown_size(span<float> a) {}

// CHECK: kernel_attribute.cpp:[[@LINE+1]]:3: error: kernel 'returns' returns 'int'; a kernel returns void, write its results to a span [khal-kernel-returns]
[[khal::kernel(64)]] int returns(span<float> a) { return 0; }
// CHECK: kernel_attribute.cpp:[[@LINE+2]]:3: error: kernel 'pack' has a parameter pack or an ellipsis; name each parameter [khal-kernel-parameter-pack]
template <class... T>
[[khal::kernel(64)]] void pack(span<T>... a) {}
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:3: error: kernel 'ellipsis' has a parameter pack or an ellipsis
[[khal::kernel(64)]] void ellipsis(int n, ...) {}

// CHECK: kernel_attribute.cpp:[[@LINE+1]]:3: error: 'khal::kernel' marks a variable outside of a function; it can only mark a free function or a static member function [khal-kernel-place]
[[khal::kernel(64)]] int variable;
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:10: error: 'khal::kernel' marks a class;
struct [[khal::kernel(64)]] Type {
  // CHECK: kernel_attribute.cpp:[[@LINE+1]]:5: error: 'khal::kernel' marks a data member;
  [[khal::kernel(64)]] int member;
  // CHECK: kernel_attribute.cpp:[[@LINE+1]]:5: error: 'khal::kernel' marks a non-static member function;
  [[khal::kernel(64)]] void method(span<float> a) {}
  // CHECK: kernel_attribute.cpp:[[@LINE+1]]:5: error: 'khal::kernel' marks a constructor;
  [[khal::kernel(64)]] Type() {}
};
// CHECK: kernel_attribute.cpp:[[@LINE+1]]:10: error: 'khal::kernel' marks a parameter;
void f([[khal::kernel(64)]] int x) {
  // CHECK: kernel_attribute.cpp:[[@LINE+1]]:5: error: 'khal::kernel' marks a local variable;
  [[khal::kernel(64)]] int local = x;
  // CHECK: kernel_attribute.cpp:[[@LINE+1]]:5: error: 'khal::kernel' attribute cannot be applied to a statement
  [[khal::kernel(64)]] local++;
  // CHECK: kernel_attribute.cpp:[[@LINE+1]]:17: error: 'khal::kernel' marks a lambda;
  auto l = [] [[khal::kernel(64)]] (int) {};
}

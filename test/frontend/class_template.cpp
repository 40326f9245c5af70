// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
template <class T> struct Filter {
  // CHECK: class_template.cpp:[[@LINE+1]]:5: error: kernel 'Filter<float>::run' is a member of a class template, which a host can't name; make it a function template [khal-kernel-in-class-template]
  [[khal::kernel(64)]] static void run(khal::span<T> a) {}
};
template struct Filter<float>;
[[khal::kernel(64)]] void kernel(khal::span<float> a) {}

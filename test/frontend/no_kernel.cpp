// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
// CHECK: no_kernel.cpp:1:1: error: no kernel in '{{.*}}no_kernel.cpp'; mark a function with {{\[\[khal::kernel\(64\)\]\]}}, or instantiate a kernel template explicitly [khal-no-kernel]
#include <khal/kernel.hpp>
template <class T> [[khal::kernel(64)]] void never_instantiated(khal::span<T> a) {}
void host() {}

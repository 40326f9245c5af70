// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
// CHECK: may_alias_function.cpp:[[@LINE+1]]:3: error: 'khal::may_alias' does nothing here
[[khal::may_alias]] void function(khal::span<float> a) {}
[[khal::kernel(64)]] void kernel(khal::span<float> a) {}

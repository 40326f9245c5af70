// Code that no kernel reaches isn't compiled for devices at all.
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck %s
#include <iostream>
#include <khal/kernel.hpp>
#include <string>
#include <vector>

std::string greeting = "hello";
void host_function() { std::cout << greeting << std::vector<int>{1, 2, 3}.size(); }
void with_assembly() { asm volatile("nop"); }

const float table[4] = {1, 2, 3, 4};

[[khal::kernel(64)]] void kernel(khal::span<float> a) { a[0] = table[khal::local_index() % 4]; }

// CHECK-NOT: greeting
// CHECK-NOT: global_ctors
// CHECK-NOT: host_function
// CHECK-NOT: asm
// CHECK: @_ZL5table = internal {{.*}}constant [4 x float]
// CHECK: define internal {{.*}}@_Z6kernel

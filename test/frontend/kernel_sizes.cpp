// Sizes that depend on template parameters are judged for each instantiation.
// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %khal-opt --emit-kernels --clang=-DGOOD %s | FileCheck --check-prefix=GOOD %s
#include <khal/kernel.hpp>
using namespace khal;

#ifndef GOOD
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:16: error: group size 0 is out of range; dimension 1 is 1 to 1024 [khal-kernel-size-range]
[[khal::kernel(0)]] void zero(span<float> a) {}
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:20: error: group size -2 is out of range; dimension 2 is 1 to 1024
[[khal::kernel(32, -2)]] void negative(span<float> a) {}
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:16: error: group size 1025 is out of range
[[khal::kernel(1025)]] void large(span<float> a) {}
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:22: error: group size 65 is out of range; dimension 3 is 1 to 64
[[khal::kernel(1, 1, 65)]] void deep(span<float> a) {}
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:16: error: group size 18446744073709551615 is out of range
[[khal::kernel(~0ull)]] void huge(span<float> a) {}
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:3: error: a work-group of 2048 work-items is too large; every target runs at most 1024 [khal-kernel-size-product]
[[khal::kernel(64, 32)]] void product(span<float> a) {}
#endif

template <int N, class T>
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:16: error: group size -4 is out of range
[[khal::kernel(N, sizeof(T))]] void sized(span<T> a) {}
#ifndef GOOD
template void sized<-4, float>(span<float>);
#endif
template void sized<8, float>(span<float>);
template void sized<8, double>(span<double>);

constexpr u32 tile = 16;
[[khal::kernel(tile, tile / 2)]] void constant(span<float> a) {}

#ifndef GOOD
// CHECK: kernel_sizes.cpp:[[@LINE+1]]:3: error: kernel 'twice' is declared with another group size elsewhere [khal-kernel-size-conflict]
[[khal::kernel(64)]] void twice(span<float> a);
[[khal::kernel(32)]] void twice(span<float> a) {}
#endif
// A size given once holds for all declarations.
[[khal::kernel(48)]] void declared(span<float> a);
void declared(span<float> a) {}

// GOOD: "display_name": "sized<8, float>"
// GOOD: "group_size": [
// GOOD-NEXT: 8,
// GOOD-NEXT: 4,
// GOOD-NEXT: 1
// GOOD: "display_name": "sized<8, double>"
// GOOD: "group_size": [
// GOOD-NEXT: 8,
// GOOD-NEXT: 8,
// GOOD: "display_name": "constant"
// GOOD: "group_size": [
// GOOD-NEXT: 16,
// GOOD-NEXT: 8,
// GOOD: "display_name": "declared"
// GOOD: "group_size": [
// GOOD-NEXT: 48,

// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

using SharedPointer = u32 __attribute__((address_space(3))) *;

[[khal::kernel(64)]] void kernel(span<u32> a) {
  // CHECK: address_space.cpp:[[@LINE+1]]:17: error: kernels can't name address spaces; leave the attribute out, each target finds out which memory a pointer reaches [khal-address-space]
  SharedPointer p = (SharedPointer)a.data();
  a[0] = *p;
}

// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
#include <stdexcept>
using namespace khal;

// No kernel calls it: host code in a kernel file may throw.
void host_only(int i) {
  try {
    if (i)
      throw std::runtime_error("host");
  } catch (...) {
  }
}

float checked(float x) {
  if (x < 0)
    throw 1;
  return x;
}

[[khal::kernel(64)]] void throws(span<float> a) {
  a[0] = checked(a[1]);
}

[[khal::kernel(64)]] void tries(span<float> a) {
  // CHECK: exceptions.cpp:[[@LINE+1]]:3: error: exceptions don't exist in kernels
  try {
    a[0] = 1;
  } catch (int) {
  }
}
// CHECK: exceptions.cpp:17:5: error: exceptions don't exist in kernels; return an error value or check before [khal-exception]
// CHECK: exceptions.cpp:22:10: note: called from 'throws' here
// CHECK: 2 errors generated.

// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

double precise(double x) {
  // CHECK: long_double.cpp:[[@LINE+1]]:15: error: kernels have no long double; use double or float [khal-long-double]
  long double y = x;
  y *= 3; // said once a function
  return double(y);
}

[[khal::kernel(64)]] void kernel(span<double> a) {
  // CHECK: long_double.cpp:[[@LINE+1]]:10: note: called from 'kernel' here
  a[0] = precise(a[1]);
  a[1] = sizeof(long double); // never evaluated
}
// CHECK: 1 error generated.

// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

namespace lib {
float filter(float x);
}

float smooth(float x) {
  // CHECK: undefined.cpp:[[@LINE+1]]:15: error: call to 'lib::filter', which has no definition in this file; define it or include its definition [khal-undefined-function]
  return lib::filter(x) / 2;
}

[[khal::kernel(64)]] void kernel(span<float> a) {
  // CHECK: undefined.cpp:[[@LINE+1]]:10: note: called from 'kernel' here
  a[0] = smooth(a[1]);
}
// CHECK: 1 error generated.

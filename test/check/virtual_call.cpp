// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
// RUN: %khal-opt -emit-ir --clang=-DKNOWN_ONLY %s | FileCheck --check-prefix=KNOWN %s
#include <khal/kernel.hpp>
using namespace khal;

struct Shape {
  virtual float area() const { return 0; }
  float twice() const { return 2 * side; }
  float side = 1;
};
struct Square : Shape {
  float area() const override { return side * side; }
};
struct Last final : Shape {
  float area() const override { return 3 * side; }
};

#ifndef KNOWN_ONLY
float measure(const Shape &shape) {
  // CHECK: virtual_call.cpp:[[@LINE+1]]:16: error: virtual call of 'Shape::area' in a kernel; call it on an object whose type is known, or use a template [khal-virtual-call]
  return shape.area();
}
#endif

[[khal::kernel(64)]] void kernel(span<float> a) {
  Square square;
  Last last;
  const Last &known = last;
  // The types are known: no table of functions is looked into.
  a[0] = square.area() + known.area() + square.Shape::area() + square.twice();
#ifndef KNOWN_ONLY
  // CHECK: virtual_call.cpp:[[@LINE+1]]:10: note: called from 'kernel' here
  a[1] = measure(square);
#endif
}
// CHECK: 1 error generated.

// KNOWN: define internal void @_Z6kernel
// KNOWN: call {{.*}}@_ZNK6Square4areaEv
// KNOWN: call {{.*}}@_ZNK4Last4areaEv
// KNOWN: call {{.*}}@_ZNK5Shape4areaEv

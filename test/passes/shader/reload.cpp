// RUN: %khal-opt --abi=shader --stage=shader-lowered --level=2 %s | FileCheck %s
// Arguments that a loop uses are read in it; those that only code before it uses, before it.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: define void @khal.entry.{{.*}}powers
// CHECK: load i32, ptr @khal.view.khal.block
// CHECK: br label %[[head:[a-z0-9._]+]]
// CHECK: [[head]]:
// CHECK: %[[limit:[0-9a-z._]+]] = load i32, ptr getelementptr ({{.*}} @khal.view.khal.block
// CHECK: icmp ult i32 %{{.*}}, %[[limit]]
// CHECK: %[[word:[0-9a-z._]+]] = load i32, ptr getelementptr ({{.*}} @khal.view.khal.block
// CHECK: %[[factor:[0-9a-z._]+]] = bitcast i32 %[[word]] to float
// CHECK: fmul contract float {{.*}}%[[factor]]
[[khal::kernel(64)]] void powers(span<float> a, u32 first, u32 limit, float factor) {
  float x = a[first + global_id().x];
  for (u32 i = 0; i < limit && x < 1000; ++i)
    x *= factor;
  a[first + global_id().x] = x;
}

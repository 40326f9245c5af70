// RUN: %khal-opt --abi=shader --stage=shader-lowered %s | FileCheck %s
// A pointer is an offset in units of its root, so that an index needs no shift or division.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: define void @khal.entry.{{.*}}plain
// CHECK: call i32 @khal.buffer.offset
// CHECK-NEXT: lshr exact i32 %{{.*}}, 2
// CHECK-NOT: lshr
// CHECK: getelementptr [0 x float], ptr @khal.view.a, i32 0, i32 %
// CHECK: ret void
[[khal::kernel(64)]] void plain(span<float> a) { a[global_id().x] *= 2.0f; }

struct Item {
  float x;
  u32 n;
  float y[3];
};

// 20-byte items are five words: member y[2] of item i is word 5 i + 4.
// CHECK-LABEL: define void @khal.entry.{{.*}}member
// CHECK: mul i32 %{{.*}}, 5
// CHECK: add i32 %{{.*}}, 4
// CHECK: getelementptr [0 x {{i32|float}}], ptr @khal.view.items
// CHECK: ret void
[[khal::kernel(64)]] void member(span<Item> items) { items[global_id().x].y[2] = 1.0f; }

// A walking pointer is a phi of indices.
// CHECK-LABEL: define void @khal.entry.{{.*}}walk
// CHECK: phi i32
// CHECK: getelementptr [0 x i32], ptr @khal.view.in, i32 0, i32 %
// CHECK: ret void
[[khal::kernel(64)]] void walk(span<const u32> in, span<u32> out) {
  u32 sum = 0;
  for (const u32 *p = in.begin(); p != in.end() && *p != 0; ++p)
    sum += *p;
  out[0] = sum;
}

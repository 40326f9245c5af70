// RUN: %khal-opt --abi=shader --stage=shader-lowered %s | FileCheck %s
// A pointer that may point into several roots carries the root's number.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: define void @khal.entry.{{.*}}choose
// CHECK: select i1 %{{.*}}, i32 {{[0-9]+}}, i32 {{[0-9]+}}
// CHECK: switch i32 %
// CHECK-DAG: load i32, ptr %{{.*}}
// CHECK-DAG: ptr @khal.view.a
// CHECK-DAG: ptr @khal.view.b
// CHECK: ret void
[[khal::kernel(64)]] void choose(span<u32> a, span<u32> b, span<u32> out) {
  const u32 i = global_id().x;
  const u32 *p = a[0] != 0 ? a.data() : b.data() + 3;
  for (u32 k = 0; k < b[1]; ++k)
    p += 2;
  out[i] = *p;
}

// Entry points: buffers as global pointers, the argument block by value, the group size required.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK:      .version 6.3
// CHECK-NEXT: .target sm_75
// CHECK:      .visible .entry khal_{{.*}}add_assign{{[^(]*}}(
// CHECK-NEXT: .param .u64 .ptr .global .align 4 {{.*}}_param_0,
// CHECK-NEXT: .param .u64 .ptr .global .align 4 {{.*}}_param_1,
// CHECK-NEXT: .param .align 16 .b8 {{.*}}_param_2[8]
// CHECK-NEXT: )
// CHECK-NEXT: .reqntid 64, 1, 1
// CHECK-NOT:  .local
// CHECK:      ld.param.b32 {{.*}}_param_2];
// CHECK-DAG:  ld.global.nc.b32
// CHECK-DAG:  ld.global.b32
// CHECK:      st.global.b32
[[khal::kernel(64)]] void add_assign(span<float> a, span<const float> b) {
  const u32 i = global_index();
  if (i < a.size())
    a[i] += b[i];
}

// A buffer that is read may be written through another: not by way of the read-only cache.
//
// CHECK:     .visible .entry khal_{{.*}}overlapping
// CHECK-NOT: ld.global.nc
// CHECK:     st.global
[[khal::may_alias]] [[khal::kernel(8, 4, 2)]] void overlapping(span<float> a, span<const float> b) {
  const u32 i = global_index();
  if (i < a.size())
    a[i] += b[i];
}
// CHECK: ret;

// A kernel without parameters.
//
// CHECK:      .visible .entry khal_{{.*}}nothing{{.*}}()
// CHECK-NEXT: .reqntid 1, 1, 1
[[khal::kernel(1)]] void nothing() {}

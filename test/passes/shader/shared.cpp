// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// Work-group memory has one view in the unit of its accesses; wider ones are put together.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: OpEntryPoint GLCompute %{{.*}} "tile"
// CHECK: %tile{{.*}} = OpVariable %_ptr_Workgroup__arr_float_uint_272 Workgroup
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_328
[[khal::kernel(16, 16)]] void tile(span<float> a) {
  [[khal::shared]] float tile[16][17];
  const uint3 l = local_id();
  tile[l.y][l.x] = a[global_index()];
  barrier();
  a[global_index()] = tile[l.x][l.y];
}

struct Pair { float f; u64 n; };
// CHECK: OpEntryPoint GLCompute %{{.*}} "mixed"
// CHECK: OpVariable %_ptr_Workgroup__arr_uint_uint_256 Workgroup
[[khal::kernel(64)]] void mixed(span<float> a, span<u64> b) {
  [[khal::shared]] Pair pairs[64];
  const u32 i = local_id().x;
  pairs[i].f = a[i];
  pairs[i].n = b[i];
  barrier();
  a[i] = pairs[63 - i].f;
  b[i] = pairs[63 - i].n;
}

// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s --implicit-check-not=Int8 --implicit-check-not=Int64 --implicit-check-not=8BitAccess
// Accesses that the source's alignment allows to be wide are one access.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: OpEntryPoint GLCompute %{{.*}} "copy"
// CHECK-NOT: OpLoad %uint %{{.*}}from
// CHECK: %[[FOUR:.*]] = OpLoad %v4uint
// CHECK: OpStore %{{.*}}
// CHECK-NEXT: OpReturn
[[khal::kernel(64)]] void copy(span<float4> to, span<const float4> from) {
  to[global_id().x] = from[global_id().x];
}

// CHECK: OpEntryPoint GLCompute %{{.*}} "pairs"
// CHECK: %tile{{.*}} = OpVariable %_ptr_Workgroup__arr_v2float_uint_64 Workgroup
// CHECK: OpLoad %v2float
// CHECK: OpCompositeConstruct %v2float
[[khal::kernel(64)]] void pairs(span<const float2> from, span<float2> to) {
  [[khal::shared]] float2 tile[64];
  const u32 l = local_id().x;
  tile[l] = from[global_id().x] * 2.0f;
  barrier();
  to[global_id().x] = tile[63 - l];
}

// Four bytes are a word, and need no 8-bit storage.
// CHECK: OpEntryPoint GLCompute %{{.*}} "bytes"
// CHECK: OpLoad %uint %
// CHECK: OpShiftRightLogical %uint
[[khal::kernel(64)]] void bytes(span<const uchar4> from, span<u32> to) {
  const uchar4 v = from[global_id().x];
  to[global_id().x] = u32{v.x} + v.y + v.z + v.w;
}

// Neighbours of a span of scalars may start anywhere.
// CHECK: OpEntryPoint GLCompute %{{.*}} "unaligned"
// CHECK-NOT: OpTypeVector %float
// CHECK: OpFunctionEnd
[[khal::kernel(64)]] void unaligned(span<const float> from, span<float> to) {
  const u32 i = global_id().x;
  to[i] = from[4 * i] + from[4 * i + 1] + from[4 * i + 2] + from[4 * i + 3];
}

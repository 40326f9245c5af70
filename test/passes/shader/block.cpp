// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// Arguments go by push constant while they fit, else by a uniform buffer after the buffers.
#include <khal/kernel.hpp>
using namespace khal;

struct Small { float scale; u8 flag; u64 big; };
struct Large { float values[64]; };

// CHECK: OpEntryPoint GLCompute %{{.*}} "small"
// CHECK: OpVariable %{{.*}} PushConstant
// CHECK: OpEntryPoint GLCompute %{{.*}} "large"
// CHECK-DAG: OpDecorate %arguments Binding 1
// CHECK-DAG: OpDecorate %_arr_v4uint_{{.*}} ArrayStride 16
// CHECK: OpVariable %{{.*}} Uniform
[[khal::kernel(64)]] void small(span<float> a, Small s) {
  a[global_id().x] = s.flag ? s.scale : float(s.big);
}
[[khal::kernel(64)]] void large(span<float> a, Large s) {
  const u32 i = global_id().x;
  a[i] = s.values[i & 63];
}

// Work-items that index it apart have it in a uniform buffer, too; those of a group may agree on an index.
// CHECK: OpEntryPoint GLCompute %{{.*}} "apart"
// CHECK: %arguments = OpVariable %{{.*}} Uniform
// CHECK: OpEntryPoint GLCompute %{{.*}} "together"
// CHECK: %arguments = OpVariable %{{.*}} PushConstant
struct Table { u32 values[4], order[4]; };
[[khal::kernel(64)]] void apart(span<u32> a, Table t) {
  const u32 i = global_id().x;
  a[i] = t.values[t.order[i % 4] % 4];
}
[[khal::kernel(64)]] void together(span<u32> a, Table t) {
  a[global_id().x] = t.values[t.order[group_id().x % 4] % 4];
}

// Neighbours of the block are read together, each its own word.
// CHECK: OpEntryPoint GLCompute %{{.*}} "lengths"
// CHECK-DAG: OpAccessChain %_ptr_PushConstant_uint %arguments %uint_0 %uint_0
// CHECK-DAG: OpAccessChain %_ptr_PushConstant_uint %arguments %uint_0 %uint_1
// CHECK: OpFunctionEnd
[[khal::kernel(1)]] void lengths(span<const float> a, span<const float> b, span<u32> seen) {
  seen[0] = a.size();
  seen[1] = b.size();
}

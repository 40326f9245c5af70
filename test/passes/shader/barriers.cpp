// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// A barrier orders storage buffers (328) where one can carry a value across it, else work-group
// memory alone (264).
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: OpEntryPoint GLCompute %{{.*}} "through_shared"
// CHECK-NOT: Coherent
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_264
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_264
[[khal::kernel(64)]] void through_shared(span<const float> from, span<float> to, u32 n) {
  [[khal::shared]] float tile[64];
  const u32 l = local_id().x;
  float sum = 0;
  for (u32 i = 0; i < n; ++i) {
    tile[l] = from[i * 64 + l];
    barrier();
    sum += tile[63 - l];
    barrier();
  }
  to[global_id().x] = sum;
}

// CHECK: OpEntryPoint GLCompute %{{.*}} "through_buffer"
// CHECK: OpDecorate %a Coherent
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_328
[[khal::kernel(64)]] void through_buffer(span<u32> a) {
  a[global_id().x] = global_id().x;
  barrier();
  a[global_id().x] += a[global_id().x ^ 1];
}

// The write that comes after in the source comes before in the next round.
// CHECK: OpEntryPoint GLCompute %{{.*}} "around_a_loop"
// CHECK-NOT: OpDecorate %a Coherent
// CHECK: OpDecorate %out Coherent
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_328
[[khal::kernel(64)]] void around_a_loop(span<u32> a, span<u32> out, u32 n) {
  u32 sum = 0;
  for (u32 i = 0; i < n; ++i) {
    sum += a[local_id().x ^ i];
    barrier();
    out[local_id().x] = sum;
    if (sum & 1)
      sum += out[(local_id().x + 1) & 63];
  }
}

// CHECK: OpEntryPoint GLCompute %{{.*}} "one_memory"
// CHECK: OpControlBarrier %uint_2 %uint_2 %uint_328
[[khal::kernel(64)]] [[khal::may_alias]] void one_memory(span<const u32> from, span<u32> to) {
  const u32 value = from[local_id().x];
  barrier();
  to[local_id().x ^ 1] = value;
}

// Data that one group gives another, announced by an ordered atomic.
// CHECK: OpEntryPoint GLCompute %{{.*}} "between_groups"
// CHECK: OpDecorate %data Coherent
// CHECK-NOT: OpDecorate %result Coherent
// CHECK: OpFunctionEnd
[[khal::kernel(64)]] void between_groups(span<u32> data, span<u32> flags, span<u32> result) {
  data[global_id().x] = global_id().x;
  atomic_ref<u32>(flags[group_id().x]).store(1, memory_order::release);
  if (atomic_ref<u32>(flags[0]).load(memory_order::acquire) == 1)
    result[global_id().x] = data[0];
}

// RUN: %khal-opt --abi=shader --stage=spirv --level=2 %s | FileCheck %s
// A register tile stays a nest of loops, which drivers unroll and schedule themselves; what they get is
// told nothing about unrolling. Other loops over private arrays are unrolled here.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: OpEntryPoint GLCompute %{{.*}} "tile"
// CHECK: OpFunction %void
// CHECK: OpLoopMerge %{{.*}} None
// CHECK: OpLoopMerge %{{.*}} None
// CHECK: OpLoopMerge %{{.*}} None
// CHECK-NOT: OpLoopMerge
// CHECK: OpFunctionEnd
[[khal::kernel(64)]] void tile(span<const float> a, span<float> sum, u32 n) {
  float sums[8][8] = {};
  for (u32 k = 0; k < n; ++k) {
    float left[8], right[8];
    for (u32 i = 0; i < 8; ++i) {
      left[i] = a[16 * k + i];
      right[i] = a[16 * k + 8 + i];
    }
    for (u32 i = 0; i < 8; ++i)
      for (u32 j = 0; j < 8; ++j)
        sums[i][j] += left[i] * right[j];
  }
  float all = 0;
#pragma unroll
  for (u32 i = 0; i < 64; ++i)
    all += sums[i / 8][i % 8];
  sum[global_id().x] = all;
}

// CHECK: OpEntryPoint GLCompute %{{.*}} "small"
// CHECK-NOT: OpLoopMerge
// CHECK: OpFunctionEnd
[[khal::kernel(64)]] void small(span<const float> a, span<float> sum) {
  float values[16];
  for (u32 i = 0; i < 16; ++i)
    values[i] = a[16 * global_id().x + i];
  float all = 0;
  for (u32 i = 0; i < 16; ++i)
    all += values[i] * values[15 - i];
  sum[global_id().x] = all;
}

// The source's own word holds.
// CHECK: OpEntryPoint GLCompute %{{.*}} "asked"
// CHECK-NOT: OpLoopMerge
// CHECK: OpFunctionEnd
[[khal::kernel(64)]] void asked(span<const float> a, span<float> sum) {
  float table[8][8];
#pragma unroll
  for (u32 i = 0; i < 8; ++i)
#pragma unroll
    for (u32 j = 0; j < 8; ++j)
      table[i][j] = a[i] * a[j] + a[i + j] * a[i ^ j];
  float all = 0;
#pragma unroll
  for (u32 i = 0; i < 64; ++i)
    all += table[i / 8][i % 8];
  sum[global_id().x] = all;
}

// Private arrays that counters of loops index become registers.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: .visible .entry khal_{{.*}}register_tile
// CHECK-NOT:   .local
// CHECK:       fma.rn.f32
// CHECK-NOT:   .local
// CHECK:       ret;
[[khal::kernel(64)]] void register_tile(span<const float> a, span<const float> b, span<float> c,
                                        u32 k) {
  float sums[8][8] = {};
  float left[8], right[8];
  for (u32 step = 0; step < k; ++step) {
    for (u32 i = 0; i < 8; ++i) {
      left[i] = a[(global_index() * 8 + i) * k + step];
      right[i] = b[step * 8 + i];
    }
    for (u32 i = 0; i < 8; ++i)
      for (u32 j = 0; j < 8; ++j)
        sums[i][j] += left[i] * right[j];
  }
  for (u32 i = 0; i < 8; ++i)
    for (u32 j = 0; j < 8; ++j)
      c[(global_index() * 8 + i) * 8 + j] = sums[i][j];
}

// One whose index is data stays in memory.
//
// CHECK-LABEL: .visible .entry khal_{{.*}}indexed_by_data
// CHECK:       .local
[[khal::kernel(64)]] void indexed_by_data(span<const u32> data, span<u32> out) {
  u32 counts[16] = {};
  for (u32 i = 0; i < data.size(); ++i)
    ++counts[data[i] % 16];
  out[global_index()] = counts[local_index() % 16];
}

//===- pure.cpp - library operations that need no other work-item, on the device --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "pure.hpp"

namespace library {

template <class T> [[khal::kernel(64)]] void pure(span<const T> in, span<Cell> out) {
  const u32 i = global_index();
  if (i >= in.size())
    return;
  const T a = in[i], b = in[in.size() - 1 - i], c = in[(i * 7 + 3) % in.size()];
  pure_cells(a, b, c, i * 37, &out[i * pure_rows]);
}
#define TYPE(T, name) template void pure<T>(span<const T>, span<Cell>);
#include "types.def"

[[khal::kernel(64)]] void packing(span<const float4> vectors, span<const u32> words,
                                  span<Packing> out) {
  const u32 i = global_index();
  if (i < words.size())
    out[i] = packing_of(vectors[i], words[i], words[words.size() - 1 - i]);
}

[[khal::kernel(64)]] void random(span<u32> out, uint2 seed) {
  philox numbers(seed, uint2(global_index(), 0));
  for (u32 i = 0; i < 8; ++i)
    out[global_index() * 8 + i] = numbers();
}

/// Each number below `n` is taken once: `out` counts.
[[khal::kernel(64)]] void strides(span<u32> out, u32 n) {
  for (u32 i : grid_stride(n))
    atomic_add(out[i], 1u);
  if (group_index() == 0)
    for (u32 i : group_stride(n))
      atomic_add(out[i], 0x100u);
  // A body with barriers: each number is handed to its neighbour.
  for_each_round(n, [&](u32 i, bool inside) {
    [[khal::shared]] u32 handed[64];
    handed[local_index()] = inside ? i : 0xffffffffu;
    barrier();
    const u32 got = handed[local_index() ^ 1];
    barrier();
    if (got < n)
      atomic_add(out[got], 0x10000u);
  });
}

} // namespace library

//===- matmul.cpp - matrix products, the plain way and through work-group memory --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a * b for row-major matrices of any sizes: a is m x k, b is k x n, c is m x n.
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

using namespace khal;

struct MatmulSizes {
  u32 m, k, n;
};

[[khal::kernel(16, 16)]] void matmul_naive(span<const float> a, span<const float> b, span<float> c,
                                           MatmulSizes sizes) {
  const uint3 id = global_id();
  if (id.y >= sizes.m || id.x >= sizes.n)
    return;
  float sum = 0;
  for (u32 i = 0; i < sizes.k; ++i)
    sum += a[id.y * sizes.k + i] * b[i * sizes.n + id.x];
  c[id.y * sizes.n + id.x] = sum;
}

/// Each work-group makes a 16 x 16 tile of c from tiles of a and b that it reads once.
[[khal::kernel(16, 16)]] void matmul_tiled(span<const float> a, span<const float> b, span<float> c,
                                           MatmulSizes sizes) {
  constexpr u32 tile = 16;
  [[khal::shared]] float tileA[tile][tile + 1]; // one column more keeps columns in different banks
  [[khal::shared]] float tileB[tile][tile + 1];
  const uint3 id = global_id();
  const uint3 local = local_id();
  float sum = 0;
  for (u32 start = 0; start < sizes.k; start += tile) {
    const u32 column = start + local.x;
    const u32 row = start + local.y;
    tileA[local.y][local.x] =
        id.y < sizes.m && column < sizes.k ? a[id.y * sizes.k + column] : 0.0f;
    tileB[local.y][local.x] = row < sizes.k && id.x < sizes.n ? b[row * sizes.n + id.x] : 0.0f;
    barrier();
    for (u32 i = 0; i < tile; ++i)
      sum += tileA[local.y][i] * tileB[i][local.x];
    barrier();
  }
  if (id.y < sizes.m && id.x < sizes.n)
    c[id.y * sizes.n + id.x] = sum;
}

//===- Cases.cpp - what is compared, and on which data ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Cases.h"

#include <bit>

namespace bench {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

u32 bits(float value) {
  return std::bit_cast<u32>(value);
}

// The order of a contracted sum is the same on both sides; only what is fused differs.
constexpr double sumTolerance = 1e-4;

} // namespace

std::vector<Case> allCases(bool small) {
  std::vector<Case> cases;
  auto add = [&](Case one) { cases.push_back(std::move(one)); };
  auto pick = [&](u32 ifSmall, u32 ifLarge) { return small ? ifSmall : ifLarge; };

  const u32 n = pick(1u << 20, 1u << 26);
  add({"triad",
       {{4ull * n, Fill::Zero}, {4ull * n, Fill::Unit}, {4ull * n, Fill::Unit}},
       0,
       {bits(3.0f), n, n, n},
       {bits(3.0f), n},
       {n / 256, 1, 1},
       1e-6,
       12.0 * n,
       2.0 * n});
  const u32 n4 = n / 4;
  add({"copy4",
       {{16ull * n4, Fill::Zero}, {16ull * n4, Fill::Bits}},
       0,
       {n4, n4},
       {n4},
       {n4 / 256, 1, 1},
       0,
       32.0 * n4,
       0});

  const u32 bodies = pick(2048, 65536);
  add({"nbody",
       {{16ull * bodies, Fill::Unit}, {16ull * bodies, Fill::Zero}},
       1,
       {bodies, bodies},
       {bodies},
       {bodies / 256, 1, 1},
       1e-2,
       32.0 * bodies,
       20.0 * bodies * bodies});

  const u32 m = pick(128, 2048);
  const u64 matrix = 4ull * m * m;
  for (const char *name : {"matmul_naive", "matmul_tiled"})
    add({name,
         {{matrix, Fill::Unit}, {matrix, Fill::Unit}, {matrix, Fill::Zero}},
         2,
         {m, m * m, m * m, m * m},
         {m},
         {m / 16, m / 16, 1},
         sumTolerance,
         3.0 * static_cast<double>(matrix),
         2.0 * m * m * m});
  add({"matmul_int8",
       {{matrix / 4, Fill::Bits}, {matrix / 4, Fill::Bits}, {matrix, Fill::Zero}},
       2,
       {m, m * m, m * m, m * m},
       {m},
       {m / 16, m / 16, 1},
       0,
       1.5 * static_cast<double>(matrix),
       2.0 * m * m * m});

  const u32 side = pick(1024, 8192);
  const u64 image = 4ull * side * side;
  add({"transpose",
       {{image, Fill::Bits}, {image, Fill::Zero}},
       1,
       {side, side * side, side * side},
       {side},
       {side / 32, side / 32, 1},
       0,
       2.0 * static_cast<double>(image),
       0});
  add({"stencil2d",
       {{image, Fill::Unit}, {image, Fill::Zero}},
       1,
       {side, side, side * side, side * side},
       {side, side},
       {side / 16, side / 16, 1},
       1e-5,
       2.0 * static_cast<double>(image),
       6.0 * side * side});
  const u32 edge = pick(96, 512);
  const u32 volume = edge * edge * edge;
  add({"stencil3d",
       {{4ull * volume, Fill::Unit}, {4ull * volume, Fill::Zero}},
       1,
       {edge, volume, volume},
       {edge},
       {edge / 32, edge / 4, edge / 2},
       1e-5,
       8.0 * volume,
       8.0 * volume});

  const u32 groups = pick(64, 1056); // a few for each multiprocessor
  add({"reduce",
       {{4ull * n, Fill::Unit}, {4ull * groups, Fill::Zero}},
       1,
       {n, groups},
       {n},
       {groups, 1, 1},
       sumTolerance,
       4.0 * n,
       1.0 * n});
  add({"histogram",
       {{4ull * n, Fill::Bits}, {1024, Fill::Zero}},
       1,
       {n, 256},
       {n},
       {groups, 1, 1},
       0,
       4.0 * n,
       4.0 * n});
  add({"scan",
       {{4ull * n, Fill::Bits}, {4ull * n, Fill::Zero}, {4ull * (n / 256), Fill::Zero}},
       1,
       {n, n, n / 256},
       {},
       {n / 256, 1, 1},
       0,
       8.0 * n,
       8.0 * n});

  const u32 width = pick(512, 4096), limit = pick(200, 1000);
  const float scale = 3.0f / static_cast<float>(width);
  add({"mandelbrot",
       {{4ull * width * width, Fill::Zero}},
       0,
       {width, bits(scale), limit, width * width},
       {width, bits(scale), limit},
       {width / 16, width / 16, 1},
       2,
       4.0 * width * width,
       0});

  const u32 wide = pick(128, 4096);
  const u64 wideMatrix = 4ull * wide * wide;
  add({"matmul_blocked",
       {{wideMatrix, Fill::Unit}, {wideMatrix, Fill::Unit}, {wideMatrix, Fill::Zero}},
       2,
       {wide, wide * wide / 4, wide * wide / 4, wide * wide / 4},
       {wide},
       {wide / 128, wide / 128, 1},
       sumTolerance,
       3.0 * static_cast<double>(wideMatrix),
       2.0 * wide * wide * wide});
  const u32 options = pick(1u << 16, 1u << 24);
  add({"black_scholes",
       {{4ull * options, Fill::Unit},
        {4ull * options, Fill::Unit},
        {4ull * options, Fill::Unit},
        {8ull * options, Fill::Zero}},
       3,
       {options, options, options, options},
       {options},
       {options / 256, 1, 1},
       1e-3,
       20.0 * options,
       60.0 * options});
  const u32 pairs = pick(1u << 18, 1u << 25);
  add({"bitonic_step",
       {{8ull * pairs, Fill::Bits}},
       0,
       {1024, 4096, 2 * pairs},
       {1024, 4096},
       {pairs / 256, 1, 1},
       0,
       16.0 * pairs,
       1.0 * pairs});

  const u32 blocks = pick(1u << 14, 1u << 22);
  add({"sha256",
       {{64ull * blocks, Fill::Bits}, {32ull * blocks, Fill::Zero}},
       1,
       {blocks * 16, blocks * 8},
       {},
       {blocks / 64, 1, 1},
       0,
       96.0 * blocks,
       0});

  const u32 points = pick(1u << 16, 1u << 24);
  add({"fft_pass",
       {{8ull * points, Fill::Unit}, {8ull * points, Fill::Zero}, {8ull * points, Fill::Wave}},
       1,
       {64, points, points, points},
       {64, points},
       {points / 256, 1, 1},
       sumTolerance,
       16.0 * points,
       34.0 / 4 * points});

  const u32 rows = pick(64, 16384), columns = 2048;
  const u32 elements = rows * columns;
  add({"softmax",
       {{4ull * elements, Fill::Unit}, {4ull * elements, Fill::Zero}},
       1,
       {columns, elements, elements},
       {columns},
       {rows, 1, 1},
       sumTolerance,
       8.0 * elements,
       5.0 * elements});
  add({"layer_norm",
       {{4ull * elements, Fill::Unit}, {4ull * elements, Fill::Zero}},
       1,
       {columns, elements, elements},
       {columns},
       {rows, 1, 1},
       1e-3,
       8.0 * elements,
       5.0 * elements});
  return cases;
}

} // namespace bench

//===- photo.cpp - filters for 8-bit pictures, in whole numbers -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// grey -> blur -> edges -> histogram -> equalise. Everything is integer or fixed-point arithmetic,
// so every device gives the same bits. Pictures lie row by row; what a filter would read outside
// is the nearest pixel inside.
//
//===---------------------------------------------------------------------------------------------===//

#include "filters.hpp"

#include <khal/kernel.hpp>

using namespace khal;

struct Size {
  u32 width, height;
};

namespace {

/// A pixel by coordinates that may lie outside.
u8 at(span<const u8> picture, Size size, i32 x, i32 y) {
  const u32 column = static_cast<u32>(clamp(x, 0, static_cast<i32>(size.width) - 1));
  const u32 row = static_cast<u32>(clamp(y, 0, static_cast<i32>(size.height) - 1));
  return picture[row * size.width + column];
}

/// The integer part of a square root.
u32 square_root(u32 value) {
  u32 root = 0;
  for (u32 bit = 1u << 15; bit != 0; bit >>= 1)
    if ((root + bit) * (root + bit) <= value)
      root += bit;
  return root;
}

} // namespace

[[khal::kernel(64)]] void grey(span<const uchar4> colour, span<u8> result) {
  const u32 i = global_index();
  if (i >= result.size())
    return;
  const uchar4 c = colour[i];
  result[i] = static_cast<u8>((grey_red * c.x + grey_green * c.y + grey_blue * c.z + 128) >> 8);
}

/// A Gaussian blur: along rows, then along columns, of a tile in work-group memory. Nothing is
/// rounded but the end result.
[[khal::kernel(16, 16)]] void blur(span<const u8> picture, span<u8> result, Size size) {
  constexpr i32 side = 16;
  constexpr i32 rim = side + 2 * blur_radius;
  [[khal::shared]] u32 pixels[rim][rim];
  [[khal::shared]] u32 rows[rim][side];
  const int3 local(local_id());
  const int3 corner = int3(group_id()) * side - int3(blur_radius);

  for (i32 y = local.y; y < rim; y += side)
    for (i32 x = local.x; x < rim; x += side)
      pixels[y][x] = at(picture, size, corner.x + x, corner.y + y);
  barrier();
  for (i32 y = local.y; y < rim; y += side) {
    u32 sum = blur_weights[0] * pixels[y][local.x + blur_radius];
    for (i32 i = 1; i <= blur_radius; ++i)
      sum += blur_weights[i] *
             (pixels[y][local.x + blur_radius - i] + pixels[y][local.x + blur_radius + i]);
    rows[y][local.x] = sum;
  }
  barrier();
  u32 sum = blur_weights[0] * rows[local.y + blur_radius][local.x];
  for (i32 i = 1; i <= blur_radius; ++i)
    sum += blur_weights[i] *
           (rows[local.y + blur_radius - i][local.x] + rows[local.y + blur_radius + i][local.x]);

  const uint3 id = global_id();
  if (id.x < size.width && id.y < size.height)
    result[id.y * size.width + id.x] = static_cast<u8>((sum + 32768) >> 16);
}

/// The steepness of the picture at each pixel, by Sobel's operator.
[[khal::kernel(16, 16)]] void edges(span<const u8> picture, span<u8> result, Size size) {
  const uint3 id = global_id();
  if (id.x >= size.width || id.y >= size.height)
    return;
  const i32 x = static_cast<i32>(id.x), y = static_cast<i32>(id.y);
  auto pixel = [&](i32 dx, i32 dy) { return i32{at(picture, size, x + dx, y + dy)}; };
  const i32 across = pixel(1, -1) + 2 * pixel(1, 0) + pixel(1, 1) - pixel(-1, -1) -
                     2 * pixel(-1, 0) - pixel(-1, 1);
  const i32 down = pixel(-1, 1) + 2 * pixel(0, 1) + pixel(1, 1) - pixel(-1, -1) - 2 * pixel(0, -1) -
                   pixel(1, -1);
  const u32 steepness = square_root(static_cast<u32>(across * across + down * down));
  result[id.y * size.width + id.x] = static_cast<u8>(min(steepness, 255u));
}

/// Counts each brightness: a work-group its share of the picture in its own memory, then all
/// together. `counts` must have 256 elements, 0 at first.
[[khal::kernel(256)]] void histogram(span<const u8> picture, span<u32> counts) {
  [[khal::shared]] u32 own[256];
  own[local_index()] = 0;
  barrier();
  for (u32 i = global_index(); i < picture.size(); i += global_size().x)
    atomic_add(own[picture[i]], 1u);
  barrier();
  if (own[local_index()] != 0)
    atomic_add(counts[local_index()], own[local_index()]);
}

/// The brightness that each brightness becomes so that all are used alike. For one work-group.
[[khal::kernel(256)]] void equalising_table(span<const u32> counts, span<u8> table) {
  [[khal::shared]] u32 sums[256];
  [[khal::shared]] u32 first; // how many pixels have the lowest brightness that occurs
  const u32 i = local_index();
  sums[i] = counts[i];
  barrier();
  for (u32 distance = 1; distance < 256; distance *= 2) {
    const u32 before = i >= distance ? sums[i - distance] : 0;
    barrier();
    sums[i] += before;
    barrier();
  }
  if (sums[i] != 0 && sums[i] == counts[i])
    first = counts[i];
  barrier();
  const u32 range = sums[255] - first;
  const u32 rank = sums[i] > first ? sums[i] - first : 0;
  table[i] = static_cast<u8>(range == 0 ? i : (u64{rank} * 255 + range / 2) / range);
}

[[khal::kernel(64)]] void apply_table(span<u8> picture, span<const u8> table) {
  const u32 i = global_index();
  if (i < picture.size())
    picture[i] = table[picture[i]];
}

//===- heat.cpp - one step of heat that spreads in three dimensions ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

using namespace khal;

/// A slab of planes of width x height cells, of which the first and the last are the neighbours'.
struct HeatStep {
  u32 width, height;
  u32 firstPlane, planes; ///< those to do
  float rate;
};

[[khal::kernel(32, 4, 1)]] void heat(span<const float> from, span<float> to, HeatStep step) {
  const uint3 g = global_id();
  if (g.x >= step.width || g.y >= step.height || g.z >= step.planes)
    return;
  const u32 plane = step.width * step.height;
  const u32 i = (step.firstPlane + g.z) * plane + g.y * step.width + g.x;
  const float here = from[i];
  // The outer cells keep their heat.
  if (g.x == 0 || g.y == 0 || g.x == step.width - 1 || g.y == step.height - 1) {
    to[i] = here;
    return;
  }
  const float around = (from[i - 1] + from[i + 1]) + (from[i - step.width] + from[i + step.width]) +
                       (from[i - plane] + from[i + plane]);
  to[i] = here + step.rate * (around - 6.0f * here);
}

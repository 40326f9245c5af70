//===- particles.cpp - gravity among particles ------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

using namespace khal;

struct Step {
  float seconds;
  float softening; ///< added in the square to distances, so that close particles don't fly apart
};

/// Adds to each velocity what all particles' gravity does in one step.
[[khal::kernel(64)]] void attract(span<const float3> positions, span<const float> masses,
                                  span<float3> velocities, Step step) {
  struct Body {
    float3 position;
    float mass;
  };
  [[khal::shared]] Body tile[64];
  const u32 i = global_index();
  const u32 lane = local_index();
  const u32 count = positions.size();
  const float3 own = i < count ? positions[i] : float3(0);

  float3 acceleration(0);
  for (u32 start = 0; start < count; start += 64) {
    const u32 j = start + lane;
    tile[lane] = j < count ? Body{positions[j], masses[j]} : Body{float3(0), 0};
    barrier();
    for (const Body &other : tile) {
      const float3 to = other.position - own;
      const float square = dot(to, to) + step.softening * step.softening;
      acceleration += to * (other.mass / (square * sqrt(square)));
    }
    barrier();
  }
  if (i < count)
    velocities[i] += acceleration * step.seconds;
}

[[khal::kernel(64)]] void move(span<float3> positions, span<const float3> velocities, Step step) {
  const u32 i = global_index();
  if (i < positions.size())
    positions[i] += velocities[i] * step.seconds;
}

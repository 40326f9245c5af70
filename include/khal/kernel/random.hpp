//===- khal/kernel/random.hpp - random numbers that need no state -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011):
// a counter and a key give four numbers. The same on every target and on the host.
//
//   philox random(seed, global_index());    // one stream of numbers for each work-item
//   const float x = random.uniform();
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_RANDOM_HPP
#define KHAL_KERNEL_RANDOM_HPP

#include "bits.hpp"
#include "vector.hpp"

namespace khal {

/// Four random numbers for a counter and a key. A counter is used once with a key.
constexpr uint4 philox4x32(uint4 counter, uint2 key) {
  constexpr u32 multiplier_x = 0xd2511f53u, multiplier_z = 0xcd9e8d57u;
  constexpr u32 weyl_x = 0x9e3779b9u, weyl_y = 0xbb67ae85u;
  constexpr u32 rounds = 10;
  for (u32 round = 0; round < rounds; ++round) {
    const u32 high_x = mul_hi(multiplier_x, counter.x), low_x = multiplier_x * counter.x;
    const u32 high_z = mul_hi(multiplier_z, counter.z), low_z = multiplier_z * counter.z;
    counter = uint4(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
    key = uint2(key.x + weyl_x, key.y + weyl_y);
  }
  return counter;
}

namespace detail {

/// The 24 upper bits as a number of [0, 1).
constexpr float to_unit_interval(u32 bits) {
  return static_cast<float>(bits >> 8) * 0x1p-24f;
}

} // namespace detail

/// A sequence of 2^66 numbers for each of 2^64 seeds and 2^64 streams; sequences don't overlap.
class philox {
public:
  constexpr explicit philox(u64 seed, u64 stream = 0)
      : key(static_cast<u32>(seed), static_cast<u32>(seed >> 32)), block(0, 0),
        stream(static_cast<u32>(stream), static_cast<u32>(stream >> 32)), values(0), used(4) {}
  /// For devices without 64-bit integers.
  constexpr philox(uint2 seed, uint2 stream)
      : key(seed), block(0, 0), stream(stream), values(0), used(4) {}

  /// The next 32 random bits.
  constexpr u32 operator()() {
    if (used == 4)
      refill();
    const u32 value = values.x;
    values = uint4(values.yzw(), 0);
    ++used;
    return value;
  }
  /// The next number of [0, 1), a multiple of 2^-24.
  constexpr float uniform() { return detail::to_unit_interval((*this)()); }
  /// The next four numbers of [0, 1); those left of the last block are dropped.
  constexpr float4 uniform4() {
    refill();
    used = 4;
    return {detail::to_unit_interval(values.x), detail::to_unit_interval(values.y),
            detail::to_unit_interval(values.z), detail::to_unit_interval(values.w)};
  }
  /// Goes on with block number `number`, of four numbers each.
  constexpr void seek(uint2 number) {
    block = number;
    used = 4;
  }

private:
  constexpr void refill() {
    values = philox4x32(uint4(block, stream), key);
    ++block.x;
    block.y += u32{block.x == 0};
    used = 0;
  }

  uint2 key, block, stream;
  uint4 values; // those still to be given come first
  u32 used;
};

} // namespace khal

#endif // KHAL_KERNEL_RANDOM_HPP

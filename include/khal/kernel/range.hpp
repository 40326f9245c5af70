//===- khal/kernel/range.hpp - loops over numbers, shared out among work-items ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (u32 i : grid_stride(n)) …                  // each i below n, by one work-item of the launch
//   for_each_round(n, [&](u32 i, bool inside) {     // the same rounds for all: may hold a barrier()
//     tile[local_index()] = inside ? in[i] : 0.0f;
//     barrier();
//   });
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_RANGE_HPP
#define KHAL_KERNEL_RANGE_HPP

#include "index.hpp"

namespace khal {

/// The numbers first, first + step, … below end; never runs past 2^32.
class range {
public:
  class iterator {
  public:
    constexpr iterator(u32 value, u32 step, u32 left) : value(value), step(step), left(left) {}
    constexpr u32 operator*() const { return value; }
    constexpr iterator &operator++() {
      value += step;
      --left;
      return *this;
    }
    constexpr bool operator==(const iterator &other) const { return left == other.left; }

  private:
    u32 value, step, left;
  };

  constexpr explicit range(u32 end) : range(0, end) {}
  /// `step` must not be 0.
  constexpr range(u32 first, u32 end, u32 step = 1)
      : first(first), step(step), count(first < end ? (end - first - 1) / step + 1 : 0) {}

  constexpr u32 size() const { return count; }
  constexpr iterator begin() const { return {first, step, count}; }
  constexpr iterator end() const { return {first, step, 0}; }

private:
  u32 first, step, count;
};

/// This work-item's share of the numbers below `count`, of which every work-item of the launch takes
/// every so-manieth. The number of rounds may differ by one between work-items: no barrier inside.
inline range grid_stride(u32 count) {
  const uint3 size = global_size();
  return {global_index(), count, size.x * size.y * size.z};
}

/// The same among the work-items of one work-group.
inline range group_stride(u32 count) {
  const uint3 size = group_size();
  return {local_index(), count, size.x * size.y * size.z};
}

/// Calls body(i, inside) for this work-item's share of the numbers below `count`, in the same number
/// of rounds for every work-item of the launch: in the last, `inside` is false where i is not below
/// `count`. What the body does may hold barriers and group functions.
template <class Body> inline void for_each_round(u32 count, Body body) {
  const uint3 size = global_size();
  const u32 step = size.x * size.y * size.z;
  const u32 rounds = count / step + (count % step != 0);
  u32 i = global_index();
  for (u32 round = 0; round < rounds; ++round, i += step)
    body(i, i < count && i >= round * step);
}

} // namespace khal

#endif // KHAL_KERNEL_RANGE_HPP

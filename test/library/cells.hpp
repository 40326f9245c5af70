//===- cells.hpp - results of library operations as bits, for device and host -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_LIBRARY_CELLS_HPP
#define KHAL_TEST_LIBRARY_CELLS_HPP

#include <khal/kernel.hpp>
#include <khal/kernel/float_parts.hpp>
#include <khal/kernel/matrix.hpp>
#include <khal/kernel/pack.hpp>
#include <khal/kernel/quaternion.hpp>
#include <khal/kernel/random.hpp>

namespace library {

using namespace khal;

/// The bits of any result of up to 8 bytes, in words: a device needs no 64-bit integers for it.
struct Cell {
  u32 low, high;
  constexpr bool operator==(const Cell &) const = default;
};

template <class T> constexpr Cell cell(T value) {
  if constexpr (sizeof(T) == 8) {
    const u64 bits = bit_cast<u64>(value);
    return {static_cast<u32>(bits), static_cast<u32>(bits >> 32)};
  } else {
    return {u32{bit_cast<detail::unsigned_of<T>>(value)}, 0};
  }
}

// Arithmetic of T; that of integers modulo 2 to the power of their width.
#define WRAPPING(name, op)                                                                         \
  template <class T> constexpr T name(T a, T b) {                                                  \
    if constexpr (Integer<T>) {                                                                    \
      using Bits = detail::unsigned_of<T>;                                                         \
      return static_cast<T>(1u * static_cast<Bits>(a) op static_cast<Bits>(b));                    \
    } else {                                                                                       \
      return static_cast<T>(a op b);                                                               \
    }                                                                                              \
  }
WRAPPING(plus, +)
WRAPPING(minus, -)
WRAPPING(times, *)
#undef WRAPPING

/// Rows of the grid that have a number each: results lie one after another in this order.
enum PureRow : u32 {
#define PURE(name, ...) pure_##name,
#include "grid.def"
  pure_rows
};
enum SubgroupRow : u32 {
#define SUBGROUP(name, ...) over_##name, inclusive_##name, exclusive_##name,
#include "grid.def"
#define MOVE(name, ...) move_##name,
#include "grid.def"
  subgroup_rows
};
enum GroupRow : u32 {
#define GROUP(name, ...) all_##name, up_to_##name, before_##name,
#include "grid.def"
  group_rows
};

/// Where a work-item was when it took part in subgroup operations.
struct Place {
  u32 subgroup, lane, size, took_part;
};

} // namespace library

#endif // KHAL_TEST_LIBRARY_CELLS_HPP

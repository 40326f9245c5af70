//===- elements.hpp - buffers of every kind of element, for devices and the host alike --------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each type T, `change(u32 i, T &value, const T &other)` reads and writes what it is made of, and
// `digest(value)` is a number of all members.
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

#include <initializer_list>

namespace elements {

using namespace khal;

constexpr u64 mixed_in(u64 sum, u64 value) {
  return (sum ^ value) * 0x9e3779b97f4a7c15ull;
}

// --- half precision -----------------------------------------------------------------------------

/// Sums of small numbers, which are exact: a result doesn't hang on how it is rounded.
template <class T> struct Halves {
  T one;
  T row[3];
};
template <class T> void change(u32 i, Halves<T> &value, const Halves<T> &other) {
  value.one = T(float(value.one) * 0.5f + 3.0f);
  value.row[i % 3] = value.row[(i + 1) % 3] + other.row[i % 3];
  if (value.row[0] > other.one)
    value.row[2] = -value.row[2];
}
template <class T> u64 digest(const Halves<T> &value) {
  u64 sum = bit_cast<u16>(value.one);
  for (const T &each : value.row)
    sum = mixed_in(sum, bit_cast<u16>(each));
  return sum;
}

// --- structs ------------------------------------------------------------------------------------

/// Members of every width, with gaps between them.
struct Mixed {
  u8 tag;
  u16 half;
  u32 word;
  u64 wide;
  i8 sign;
  bool flag;
  i16 level;
  float real;
  float3 place;
  u8 last;
};
inline void change(u32 i, Mixed &value, const Mixed &other) {
  value.tag += static_cast<u8>(i);
  value.half = static_cast<u16>(value.half * 3 + other.tag);
  value.word ^= other.half;
  value.wide = value.wide * 5 + other.word;
  value.sign = static_cast<i8>(value.sign - 7);
  value.flag = other.level < value.level;
  value.level = static_cast<i16>(value.level / 3 + other.sign);
  value.real = static_cast<float>(other.last) + 0.25f;
  value.place.y = value.place.x + 1;
  value.last = other.flag ? 3 : value.tag;
}
inline u64 digest(const Mixed &value) {
  u64 sum = value.tag;
  for (const u64 each :
       {u64{value.half}, u64{value.word}, value.wide, static_cast<u64>(value.sign), u64{value.flag},
        static_cast<u64>(value.level), u64{bit_cast<u32>(value.real)},
        u64{bit_cast<u32>(value.place.x)}, u64{bit_cast<u32>(value.place.y)}, u64{value.last}})
    sum = mixed_in(sum, each);
  return sum;
}

struct Cell {
  u8 bytes[3];
  u16 halves[2];
  bool operator==(const Cell &) const = default;
};
/// Arrays of structs of arrays.
struct Board {
  Cell cells[3][2];
  u64 key;
  Cell last;
  i32 weights[2][3];
};
inline void change(u32 i, Board &value, const Board &other) {
  Cell &cell = value.cells[i % 3][i % 2];
  cell = other.cells[(i + 1) % 3][i / 3 % 2];
  cell.bytes[i % 3] += other.last.bytes[(i + 2) % 3];
  value.last.halves[i & 1] = static_cast<u16>(cell.halves[0] + other.key);
  value.key += static_cast<u64>(value.weights[i % 2][i % 3]) << (i % 40);
  value.weights[1][i % 3] -= cell.bytes[0];
  if (value.last == other.last)
    value.last = cell;
}
inline u64 digest(const Cell &value) {
  u64 sum = 1;
  for (const u8 each : value.bytes)
    sum = mixed_in(sum, each);
  for (const u16 each : value.halves)
    sum = mixed_in(sum, each);
  return sum;
}
inline u64 digest(const Board &value) {
  u64 sum = mixed_in(value.key, digest(value.last));
  for (const auto &row : value.cells)
    for (const Cell &cell : row)
      sum = mixed_in(sum, digest(cell));
  for (const auto &row : value.weights)
    for (const i32 each : row)
      sum = mixed_in(sum, static_cast<u64>(each));
  return sum;
}

// --- bit-fields ---------------------------------------------------------------------------------

enum class Kind : u8 { none, some, many = 5 };

struct Bits {
  u32 low : 5;
  u32 middle : 11;
  i32 level : 7;
  u8 small : 3;
  bool on : 1;
  u16 : 0;
  u16 tail : 9;
  u16 whole;
  u64 wide : 40;
  u64 rest : 24;
  Kind kind : 3;
  u32 : 7;
  u32 high : 20;
  i64 distance : 33;
};
inline void change(u32 i, Bits &value, const Bits &other) {
  value.low += i;
  value.middle = value.middle * 3 + other.low;
  value.level = value.level - other.level;
  value.small ^= static_cast<u8>(i);
  value.on = !other.on;
  value.tail = static_cast<u16>(value.tail + other.whole);
  value.whole = static_cast<u16>(other.tail + value.low);
  value.wide = value.wide + other.rest * 77;
  value.rest = value.wide;
  value.kind = i % 2 ? Kind::many : other.kind;
  value.high -= value.middle;
  value.distance = value.distance * 3 - other.level;
}
inline u64 digest(const Bits &value) {
  u64 sum = value.low;
  for (const u64 each :
       {u64{value.middle}, static_cast<u64>(value.level), u64{value.small}, u64{value.on},
        u64{value.tail}, u64{value.whole}, u64{value.wide}, u64{value.rest},
        static_cast<u64>(value.kind), u64{value.high}, static_cast<u64>(value.distance)})
    sum = mixed_in(sum, each);
  return sum;
}

} // namespace elements

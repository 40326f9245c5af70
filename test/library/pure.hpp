//===- pure.hpp - library operations that need no other work-item -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_LIBRARY_PURE_HPP
#define KHAL_TEST_LIBRARY_PURE_HPP

#include "cells.hpp"

namespace library {

template <class T> constexpr T carried(T a, T b, T carry) {
  const T sum = add_carry(a, b, carry);
  return static_cast<T>(sum ^ static_cast<T>(carry << 1));
}
template <class T> constexpr T borrowed(T a, T b, T borrow) {
  const T difference = sub_borrow(a, b, borrow);
  return static_cast<T>(difference ^ static_cast<T>(borrow << 1));
}
template <class T> constexpr T fraction_of(T a) {
  i32 exponent = 0;
  const T fraction = frexp(a, exponent);
  return static_cast<T>(fraction + static_cast<T>(static_cast<float>(exponent)));
}
template <class T> constexpr T parts_of(T a) {
  T whole = T(0.0f);
  const T fraction = modf(a, whole);
  return static_cast<T>(whole - fraction);
}
template <class T> constexpr T sum_of(const vec<T, 3> &v) {
  return static_cast<T>(static_cast<T>(v.x + v.y) + v.z);
}
template <class T> constexpr u32 compared(const vec<T, 4> &a, const vec<T, 4> &b) {
  const vec<T, 4> chosen = select(less_than(a, b), a, b);
  return u32{any(equal(a, b))} | u32{all(greater_equal(a, b))} << 1 |
         u32{chosen == min(a, b)} << 2 | u32{all(less_equal(a, max(a, b)))} << 3;
}
/// A vector of whole numbers from -3, or 0 for unsigned types, to 7: no int overflows by products.
template <class T> constexpr vec<T, 3> small(T a, T b, T c) {
  const auto one = [](T x) {
    const i32 number = static_cast<i32>(bit_cast<detail::unsigned_of<T>>(x) >> 3 & 7);
    return static_cast<T>(number - (UnsignedInteger<T> ? 0 : 3));
  };
  return {one(a), one(b), one(c)};
}
template <class T> constexpr T product(const vec<T, 3> &a, const vec<T, 3> &b) {
  const mat<T, 3, 3> m(a, b, vec<T, 3>(b.zxy()));
  return sum_of(transpose(m) * (m * a));
}

/// Every PURE row that takes a T, into `out`.
template <class T> constexpr void pure_cells(T a, T b, T c, u32 n, Cell *out) {
#define PURE(name, Kind, ...)                                                                      \
  if constexpr (Kind<T>)                                                                           \
    out[pure_##name] = cell(__VA_ARGS__);
#include "grid.def"
}

/// Operations of one type alone, whose results are checked one by one.
struct Packing {
  u32 words[12];
  float values[14];
};

constexpr Packing packing_of(const float4 &v, u32 word, u32 other) {
  Packing result{};
  result.words[0] = pack_unorm_4x8(v);
  result.words[1] = pack_snorm_4x8(v);
  result.words[2] = pack_unorm_2x16(v.xy());
  result.words[3] = pack_snorm_2x16(v.zw());
  result.words[4] = pack_half_2x16(v.xy());
  result.words[5] = pack(char4(unpack(u8x4(word)).wzyx())).word;
  result.words[6] = static_cast<u32>(dot4(i8x4(word), i8x4(other), static_cast<i32>(word)));
  result.words[7] = dot4(u8x4(word), u8x4(other), other);
  result.words[8] = static_cast<u32>(dot4(u8x4(word), i8x4(other)));
  result.words[9] = pack(unpack(i16x2(word))).word;
  result.words[10] = static_cast<u32>(unpack(u16x2(word)).y) + u16x2(other)[0];
  result.words[11] = static_cast<u32>(i8x4(word)[other & 3]);
  // Divisions by a constant, so that a device may be wrong in the last place: see the test.
  const float4 unorm = unpack_unorm_4x8(word), snorm = unpack_snorm_4x8(word);
  const float2 unorm16 = unpack_unorm_2x16(word), snorm16 = unpack_snorm_2x16(word);
  for (u32 i = 0; i < 4; ++i) {
    result.values[i] = detail::element(unorm, i);
    result.values[4 + i] = detail::element(snorm, i);
  }
  result.values[8] = unorm16.x;
  result.values[9] = unorm16.y;
  result.values[10] = snorm16.x;
  result.values[11] = snorm16.y;
  const float2 halves = unpack_half_2x16(word);
  result.values[12] = halves.x;
  result.values[13] = halves.y;
  return result;
}

} // namespace library

#endif // KHAL_TEST_LIBRARY_PURE_HPP

//===- khal/kernel/bits.hpp - integers as bits ------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function has a result for every argument, the same on every target, and can be used in
// constant expressions.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_BITS_HPP
#define KHAL_KERNEL_BITS_HPP

#include "scalar.hpp"

namespace khal {

namespace detail {

template <class T> inline constexpr u32 width = sizeof(T) * 8;

template <u32 Bytes> struct UnsignedOf;
template <> struct UnsignedOf<1> {
  using type = u8;
};
template <> struct UnsignedOf<2> {
  using type = u16;
};
template <> struct UnsignedOf<4> {
  using type = u32;
};
template <> struct UnsignedOf<8> {
  using type = u64;
};
template <class T> using unsigned_of = typename UnsignedOf<sizeof(T)>::type;

} // namespace detail

/// The value of type To that has the bytes of `from`. Both must be of one size and trivially
/// copyable.
template <class To, class From> constexpr To bit_cast(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast between types of different sizes");
  return __builtin_bit_cast(To, from);
}

/// How many bits are 1.
template <Integer T> constexpr u32 popcount(T value) {
  if constexpr (sizeof(T) == 8)
    return static_cast<u32>(__builtin_popcountll(static_cast<u64>(value)));
  else
    return static_cast<u32>(__builtin_popcount(static_cast<detail::unsigned_of<T>>(value)));
}

/// Zero bits above the highest 1; the width of T for 0.
template <Integer T> constexpr u32 clz(T value) {
  const auto bits = static_cast<detail::unsigned_of<T>>(value);
  if (bits == 0)
    return detail::width<T>;
  if constexpr (sizeof(T) == 8)
    return static_cast<u32>(__builtin_clzll(bits));
  else
    return static_cast<u32>(__builtin_clz(bits)) - (32 - detail::width<T>);
}

/// Zero bits below the lowest 1; the width of T for 0.
template <Integer T> constexpr u32 ctz(T value) {
  const auto bits = static_cast<detail::unsigned_of<T>>(value);
  if (bits == 0)
    return detail::width<T>;
  if constexpr (sizeof(T) == 8)
    return static_cast<u32>(__builtin_ctzll(bits));
  else
    return static_cast<u32>(__builtin_ctz(bits));
}

/// The number of the highest 1, counted from 0; -1 for 0.
template <UnsignedInteger T> constexpr i32 find_msb(T value) {
  return static_cast<i32>(detail::width<T> - 1) - static_cast<i32>(clz(value));
}

/// The number of the lowest 1, counted from 0; -1 for 0.
template <UnsignedInteger T> constexpr i32 find_lsb(T value) {
  return value == 0 ? -1 : static_cast<i32>(ctz(value));
}

/// The bits in the opposite order.
template <UnsignedInteger T> constexpr T reverse_bits(T value) {
#if defined(__clang__)
  if constexpr (sizeof(T) == 8)
    return static_cast<T>(__builtin_bitreverse64(value));
  else if constexpr (sizeof(T) == 4)
    return static_cast<T>(__builtin_bitreverse32(value));
  else if constexpr (sizeof(T) == 2)
    return static_cast<T>(__builtin_bitreverse16(value));
  else
    return static_cast<T>(__builtin_bitreverse8(value));
#else
  T reversed = 0;
  for (u32 i = 0; i < detail::width<T>; ++i)
    reversed = static_cast<T>(reversed | (((value >> i) & 1) << (detail::width<T> - 1 - i)));
  return reversed;
#endif
}

/// Rotates towards the higher bits by `count` modulo the width.
template <UnsignedInteger T> constexpr T rotate_left(T value, u32 count) {
  constexpr u32 mask = detail::width<T> - 1;
  return static_cast<T>((value << (count & mask)) | (value >> ((0u - count) & mask)));
}

/// Rotates towards the lower bits by `count` modulo the width.
template <UnsignedInteger T> constexpr T rotate_right(T value, u32 count) {
  return rotate_left(value, 0u - count);
}

/// The high half of the product of full width.
constexpr u32 mul_hi(u32 a, u32 b) {
  return static_cast<u32>((u64{a} * b) >> 32);
}
constexpr i32 mul_hi(i32 a, i32 b) {
  return static_cast<i32>((i64{a} * b) >> 32);
}
constexpr u64 mul_hi(u64 a, u64 b) {
  const u64 mask = 0xffffffffu;
  const u64 low = (a & mask) * (b & mask);
  const u64 cross = (a >> 32) * (b & mask) + (low >> 32);
  const u64 middle = (a & mask) * (b >> 32) + (cross & mask);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32);
}

/// a + b + carry; `carry`, 0 or 1, becomes the carry out.
template <UnsignedInteger T> constexpr T add_carry(T a, T b, T &carry) {
  const T partial = static_cast<T>(a + b);
  const T sum = static_cast<T>(partial + carry);
  carry = static_cast<T>((partial < a) | (sum < partial));
  return sum;
}

/// a - b - borrow; `borrow`, 0 or 1, becomes the borrow out.
template <UnsignedInteger T> constexpr T sub_borrow(T a, T b, T &borrow) {
  const T partial = static_cast<T>(a - b);
  const T difference = static_cast<T>(partial - borrow);
  borrow = static_cast<T>((partial > a) | (difference > partial));
  return difference;
}

} // namespace khal

#endif // KHAL_KERNEL_BITS_HPP

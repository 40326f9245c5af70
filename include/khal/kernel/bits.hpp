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

template <Integer T> constexpr bool is_negative(T value) {
  if constexpr (SignedInteger<T>)
    return value < 0;
  else
    return false;
}

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

/// The number of the highest 1, counted from 0; -1 for 0. Of a negative number that of the highest
/// 0, as in GLSL; -1 for -1.
template <Integer T> constexpr i32 find_msb(T value) {
  const T counted = detail::is_negative(value) ? static_cast<T>(~value) : value;
  return static_cast<i32>(detail::width<T> - 1) - static_cast<i32>(clz(counted));
}

/// The number of the lowest 1, counted from 0; -1 for 0.
template <Integer T> constexpr i32 find_lsb(T value) {
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

/// Rotates towards the higher bits by a positive count, towards the lower ones by a negative one,
/// modulo the width.
template <UnsignedInteger T> constexpr T rotate(T value, i32 count) {
  return rotate_left(value, static_cast<u32>(count));
}

/// `count` bits from bit `offset` on, as a number: sign-extended for a signed T. Bits beyond the
/// width are zero, or copies of the sign; a count of 0 gives 0.
template <Integer T> constexpr T extract_bits(T value, u32 offset, u32 count) {
  constexpr u32 all = detail::width<T>;
  if (count == 0)
    return 0;
  if (offset >= all)
    return detail::is_negative(value) ? static_cast<T>(-1) : T(0);
  const u32 most = all - offset;
  const u32 above = all - (count < most ? count : most);
  const auto top = static_cast<detail::unsigned_of<T>>(value);
  if (count >= most) // all from offset on
    return static_cast<T>(value >> offset);
  // Shifted as a T, so that the sign comes along.
  return static_cast<T>(static_cast<T>(top << (above - offset)) >> above);
}

/// `base` with its `count` bits from bit `offset` on replaced by the lowest of `bits`. Bits beyond
/// the width have no effect.
template <Integer T> constexpr T insert_bits(T base, T bits, u32 offset, u32 count) {
  using U = detail::unsigned_of<T>;
  constexpr u32 all = detail::width<T>;
  if (offset >= all || count == 0)
    return base;
  const U ones = static_cast<U>(~U(0));
  const U mask = static_cast<U>((count >= all ? ones : static_cast<U>(~(ones << count))) << offset);
  return static_cast<T>((static_cast<U>(base) & static_cast<U>(~mask)) |
                        (static_cast<U>(static_cast<U>(bits) << offset) & mask));
}

/// The high half of the product of full width.
constexpr u32 mul_hi(u32 a, u32 b) {
  return static_cast<u32>((u64{a} * b) >> 32);
}
constexpr i32 mul_hi(i32 a, i32 b) {
  return static_cast<i32>((i64{a} * b) >> 32);
}
template <Integer T>
  requires(sizeof(T) <= 2)
constexpr T mul_hi(T a, T b) {
  if constexpr (SignedInteger<T>)
    return static_cast<T>((i32{a} * i32{b}) >> detail::width<T>);
  else
    return static_cast<T>((u32{a} * u32{b}) >> detail::width<T>);
}
constexpr u64 mul_hi(u64 a, u64 b) {
  const u64 mask = 0xffffffffu;
  const u64 low = (a & mask) * (b & mask);
  const u64 cross = (a >> 32) * (b & mask) + (low >> 32);
  const u64 middle = (a & mask) * (b >> 32) + (cross & mask);
  return (a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32);
}

constexpr i64 mul_hi(i64 a, i64 b) {
  const u64 high = mul_hi(static_cast<u64>(a), static_cast<u64>(b));
  return static_cast<i64>(high - (a < 0 ? static_cast<u64>(b) : 0) -
                          (b < 0 ? static_cast<u64>(a) : 0));
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

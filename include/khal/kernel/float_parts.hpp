//===- khal/kernel/float_parts.hpp - exponents and fractions of floating-point numbers --------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of <cmath> that take numbers apart and put them together. They are exact, so that
// every target and constant expressions give the same bits. f16 and bf16 are worked out in float.
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_FLOAT_PARTS_HPP
#define KHAL_KERNEL_FLOAT_PARTS_HPP

#include "math.hpp"

namespace khal {

namespace detail {

/// How a float or double is laid out.
template <class T> struct FloatLayout {
  using Bits = unsigned_of<T>;
  static constexpr u32 stored = sizeof(T) == 8 ? 52 : 23; ///< digits after the point
  static constexpr i32 bias = sizeof(T) == 8 ? 1023 : 127;
  static constexpr Bits fraction = (Bits(1) << stored) - 1;
  static constexpr Bits infinity = Bits(2 * bias + 1) << stored;
  static constexpr Bits sign = Bits(1) << (width<T> - 1);
};

/// |a| = significand * 2^(exponent - stored), the significand with its leading 1; a is neither 0 nor
/// infinite nor not a number.
template <class T> struct TakenApart {
  using L = FloatLayout<T>;
  typename L::Bits significand, sign;
  i32 exponent;

  constexpr explicit TakenApart(T a) : significand(0), sign(0), exponent(0) {
    const auto bits = bit_cast<typename L::Bits>(a);
    sign = bits & L::sign;
    significand = bits & L::fraction;
    const i32 field = static_cast<i32>((bits & L::infinity) >> L::stored);
    exponent = field - L::bias;
    if (field != 0) {
      significand |= L::fraction + 1;
    } else { // subnormal
      const u32 up = clz(significand) - (width<T> - 1 - L::stored);
      significand <<= up;
      exponent = 1 - L::bias - static_cast<i32>(up);
    }
  }
};
/// The number itself where it has no exponent: zero, infinite, or not a number.
template <class T> constexpr bool is_special(T a) {
  const auto magnitude = bit_cast<unsigned_of<T>>(a) & ~FloatLayout<T>::sign;
  return magnitude == 0 || magnitude >= FloatLayout<T>::infinity;
}

} // namespace detail

/// a * 2^exponent, rounded once.
template <FloatingPoint T> constexpr T ldexp(T a, i32 exponent) {
  if constexpr (NarrowFloatingPoint<T>) {
    return static_cast<T>(ldexp(static_cast<float>(a), exponent));
  } else {
    using L = detail::FloatLayout<T>;
    using Bits = typename L::Bits;
    if (detail::is_special(a))
      return a;
    const detail::TakenApart<T> parts(a);
    const i32 most = 3 * L::bias + 64; // beyond it all is infinite, or zero
    const i32 moved = exponent > most ? most : exponent < -most ? -most : exponent;
    const i32 field = parts.exponent + moved + L::bias;
    if (field > 2 * L::bias)
      return bit_cast<T>(parts.sign | L::infinity);
    if (field > 0)
      return bit_cast<T>(parts.sign | (parts.significand & L::fraction) |
                         static_cast<Bits>(field) << L::stored);
    const u32 drop = static_cast<u32>(1 - field);
    if (drop > L::stored + 1)
      return bit_cast<T>(parts.sign);
    const Bits kept = parts.significand >> drop;
    const Bits rest = parts.significand & ((Bits(1) << drop) - 1);
    const Bits half = Bits(1) << (drop - 1);
    const bool up = rest > half || (rest == half && (kept & 1));
    return bit_cast<T>(parts.sign | (kept + Bits(up)));
  }
}

/// a = result * 2^exponent with |result| from 1/2 to 1; exponent 0 for zero, infinity and NaN.
template <FloatingPoint T> constexpr T frexp(T a, i32 &exponent) {
  if constexpr (NarrowFloatingPoint<T>) {
    return static_cast<T>(frexp(static_cast<float>(a), exponent));
  } else {
    using L = detail::FloatLayout<T>;
    exponent = 0;
    if (detail::is_special(a))
      return a;
    const detail::TakenApart<T> parts(a);
    exponent = parts.exponent + 1;
    return bit_cast<T>(parts.sign | (parts.significand & L::fraction) |
                       static_cast<typename L::Bits>(L::bias - 1) << L::stored);
  }
}

/// The exponent of |a| as a power of 2; the lowest i32 for 0, the highest for infinity and NaN.
template <FloatingPoint T> constexpr i32 ilogb(T a) {
  if constexpr (NarrowFloatingPoint<T>) {
    return ilogb(static_cast<float>(a));
  } else {
    if (a == T(0))
      return -2147483647 - 1;
    return detail::is_special(a) ? 2147483647 : detail::TakenApart<T>(a).exponent;
  }
}
/// The same as a T: minus infinity for 0, infinity for infinities.
template <FloatingPoint T> constexpr T logb(T a) {
  if (a == T(0.0f))
    return static_cast<T>(-__builtin_huge_valf());
  if (!isfinite(a))
    return isnan(a) ? a : static_cast<T>(__builtin_huge_valf());
  return static_cast<T>(static_cast<float>(ilogb(a)));
}

/// The fraction of a; `whole` gets the rest. Both have the sign of a.
template <FloatingPoint T> constexpr T modf(T a, T &whole) {
  whole = trunc(a);
  if (isinf(a))
    return copysign(T(0.0f), a);
  return copysign(static_cast<T>(a - whole), a);
}

/// The number next to `a` on the way to `towards`, of its own format.
template <FloatingPoint T> constexpr T nextafter(T a, detail::identity<T> towards) {
  using Bits = detail::unsigned_of<T>;
  constexpr Bits sign = static_cast<Bits>(Bits(1) << (detail::width<T> - 1));
  if (isnan(a))
    return a;
  if (isnan(towards) || a == towards)
    return towards;
  const Bits bits = bit_cast<Bits>(a);
  if (static_cast<Bits>(bits & ~sign) == 0) // the least number there is
    return bit_cast<T>(static_cast<Bits>((bit_cast<Bits>(towards) & sign) | 1));
  const bool grows = (a < towards) == ((bits & sign) == 0);
  return bit_cast<T>(static_cast<Bits>(grows ? bits + 1 : bits - 1));
}

/// a - b where that is positive, else 0.
template <FloatingPoint T> constexpr T fdim(T a, detail::identity<T> b) {
  if (isnan(a) || isnan(b))
    return static_cast<T>(a + b);
  return a > b ? static_cast<T>(a - b) : T(0.0f);
}

} // namespace khal

#endif // KHAL_KERNEL_FLOAT_PARTS_HPP

//===- khal/kernel/bf16.hpp - the upper half of a float ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A type of khal's own: compilers' __bf16 isn't there on every host. Every operation is one on
// floats whose result is rounded to the nearest bf16, halves to even, the same on every target.
//
//===----------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_BF16_HPP
#define KHAL_KERNEL_BF16_HPP

#include "bits.hpp"

namespace khal {

namespace detail {

/// The bits of the bf16 nearest to `value`; not-a-numbers stay so.
constexpr u16 round_to_bf16(float value) {
  const u32 bits = bit_cast<u32>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<u16>(bits >> 16 | 0x40u);
  // Half a unit, less the last bit of an even result, carries into the upper half.
  return static_cast<u16>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

// A value that is rounded twice, first to float and then to bf16, must not be moved by the first
// rounding to where the second finds a half. Rounded to odd instead, it lies on the side of the half
// where it was (Boldo and Melquiond, "Emulation of a FMA and Correctly-Rounded Sums", 2008).
constexpr float round_to_odd(double value) {
  const float nearest = static_cast<float>(value);
  const u32 bits = bit_cast<u32>(nearest);
  if (nearest == value || nearest != nearest || (bits & 1))
    return nearest;
  const bool is_beyond = (nearest > value) == (nearest > 0);
  return bit_cast<float>(is_beyond ? bits - 1 : bits + 1);
}
template <Integer T> constexpr float round_to_odd(T value) {
  using U = unsigned_of<T>;
  constexpr u32 float_digits = 24;
  U magnitude = static_cast<U>(value);
  if (is_negative(value))
    magnitude = static_cast<U>(U(0) - magnitude);
  const u32 digits = width<T> - clz(magnitude);
  const u32 extra = digits > float_digits ? digits - float_digits : 0;
  const U kept = static_cast<U>(magnitude >> extra);
  const bool is_exact = static_cast<U>(kept << extra) == magnitude;
  const float odd = static_cast<float>(static_cast<u32>(kept) | u32{!is_exact});
  // 2 to the power of `extra`, at most 40.
  const float scaled = odd * bit_cast<float>((127u + extra) << 23);
  return is_negative(value) ? -scaled : scaled;
}

} // namespace detail

/// A float's sign and exponent with 8 significant bits. Converts to float by itself, from other
/// numbers where that is asked for: `bf16(x)`.
struct bf16 {
  u16 bits; ///< the upper half of the float of this value

  bf16() = default;
  constexpr explicit bf16(float value) : bits(detail::round_to_bf16(value)) {}
  constexpr explicit bf16(double value) : bf16(detail::round_to_odd(value)) {}
  template <Integer T> constexpr explicit bf16(T value) : bf16(detail::round_to_odd(value)) {}
  constexpr explicit bf16(bool value) : bf16(value ? 1.0f : 0.0f) {}
#if KHAL_HAS_F16
  constexpr explicit bf16(f16 value) : bf16(static_cast<float>(value)) {}
#endif
  static constexpr bf16 from_bits(u16 bits) {
    bf16 result(0.0f);
    result.bits = bits;
    return result;
  }

  constexpr operator float() const { return bit_cast<float>(u32{bits} << 16); }

#define KHAL_BF16_OPERATOR(op)                                                                     \
  friend constexpr bf16 operator op(bf16 a, bf16 b) { return bf16(float(a) op float(b)); }         \
  constexpr bf16 &operator op## = (bf16 b) { return *this = bf16(float(*this) op float(b)); }
  KHAL_BF16_OPERATOR(+)
  KHAL_BF16_OPERATOR(-)
  KHAL_BF16_OPERATOR(*)
  KHAL_BF16_OPERATOR(/)
#undef KHAL_BF16_OPERATOR
  friend constexpr bf16 operator+(bf16 a) { return a; }
  friend constexpr bf16 operator-(bf16 a) { return from_bits(a.bits ^ 0x8000u); }
  constexpr bf16 &operator++() { return *this = bf16(float(*this) + 1.0f); }
  constexpr bf16 &operator--() { return *this = bf16(float(*this) - 1.0f); }
};

static_assert(sizeof(bf16) == 2 && alignof(bf16) == 2);

} // namespace khal

#endif // KHAL_KERNEL_BF16_HPP

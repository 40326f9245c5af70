//===- khal/kernel/pack.hpp - small numbers in words, and dot products of them -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   i32 sum = dot4(weights[i], inputs[i], sum);   // i8x4: four products and a sum, one instruction
//   u32 pixel = pack_unorm_4x8(colour);
//
// The first element is in the lowest bits. Buffers of packed types are accessed by whole words, so
// that they need no device with 8- or 16-bit storage, and the functions none with such arithmetic.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_PACK_HPP
#define KHAL_KERNEL_PACK_HPP

#include "math.hpp"

extern "C" {
khal::u32 __khal_dot4_signed(khal::u32 a, khal::u32 b, khal::u32 sum);
khal::u32 __khal_dot4_unsigned(khal::u32 a, khal::u32 b, khal::u32 sum);
khal::u32 __khal_dot4_mixed(khal::u32 a, khal::u32 b, khal::u32 sum);
}

namespace khal {

/// N integers of type T in one word.
template <Integer T, u32 N> struct packed {
  static_assert(sizeof(T) * N == 4, "a packed type fills a word");
  u32 word;

  packed() = default;
  constexpr explicit packed(u32 word) : word(word) {}
  constexpr explicit packed(const vec<T, N> &v) : word(0) {
    for (u32 i = 0; i < N; ++i)
      word |= u32{static_cast<detail::unsigned_of<T>>(detail::element(v, i))} << i * width;
  }
  /// Element `i`, which is below N.
  constexpr T operator[](u32 i) const { return static_cast<T>(word >> i * width); }
  constexpr bool operator==(const packed &) const = default;

private:
  static constexpr u32 width = sizeof(T) * 8;
};
using i8x4 = packed<i8, 4>;
using u8x4 = packed<u8, 4>;
using i16x2 = packed<i16, 2>;
using u16x2 = packed<u16, 2>;

constexpr i8x4 pack(const char4 &v) {
  return i8x4(v);
}
constexpr u8x4 pack(const uchar4 &v) {
  return u8x4(v);
}
constexpr i16x2 pack(const short2 &v) {
  return i16x2(v);
}
constexpr u16x2 pack(const ushort2 &v) {
  return u16x2(v);
}

/// The elements; as a vector of wider ones in two steps: int4(unpack(p)).
template <class T> constexpr vec<T, 4> unpack(const packed<T, 4> &p) {
  return {p[0], p[1], p[2], p[3]};
}
template <class T> constexpr vec<T, 2> unpack(const packed<T, 2> &p) {
  return {p[0], p[1]};
}

namespace detail {

/// The nearest of the numbers 0 … `most` to value * most, halves to the even one.
constexpr u32 to_unorm(float value, float most) {
  return static_cast<u32>(round_even(saturate(value) * most));
}
constexpr u32 to_snorm(float value, float most) {
  return static_cast<u32>(static_cast<i32>(round_even(clamp(value, -1.0f, 1.0f) * most)));
}
constexpr float from_unorm(u32 bits, float most) {
  return static_cast<float>(bits) / most;
}
/// The lowest number means -1 too.
constexpr float from_snorm(i32 bits, float most) {
  return max(static_cast<float>(bits) / most, -1.0f);
}

inline constexpr float unorm8 = 255, snorm8 = 127, unorm16 = 65535, snorm16 = 32767;

/// Half precision from single, rounded to nearest even, in integers: no target needs f16 for it.
constexpr u32 half_bits(float value) {
  const u32 bits = bit_cast<u32>(value);
  const u32 sign = bits >> 16 & 0x8000u;
  const u32 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) // not a number: quiet, with what fits of the payload
    return sign | 0x7e00u | (magnitude >> 13 & 0x1ffu);
  if (magnitude >= 0x47800000u) // 2^16 and more
    return sign | 0x7c00u;
  if (magnitude >= 0x38800000u) // normal, from 2^-14; a carry moves on into the exponent
    return sign | (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1)) >> 13;
  if (magnitude < 0x33000000u) // below half of the least
    return sign;
  // Subnormal: units of 2^-24, of which the significand holds so many and a rest.
  const u32 significand = (magnitude & 0x7fffffu) | 0x800000u;
  const u32 shift = 126 - (magnitude >> 23);
  const u32 units = significand >> shift;
  const u32 rest = significand << (32 - shift);
  const bool up = rest > 0x80000000u || (rest == 0x80000000u && (units & 1));
  return sign | (units + u32{up});
}

/// Single precision from half; exact.
constexpr float from_half_bits(u32 bits) {
  const u32 sign = (bits & 0x8000u) << 16;
  const u32 magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) // infinity, or not a number, made quiet
    return bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13 |
                           (magnitude > 0x7c00u ? 0x400000u : 0));
  if (magnitude >= 0x400u)
    return bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  if (magnitude == 0)
    return bit_cast<float>(sign);
  const u32 shift = clz(magnitude) - 8; // brings the first 1 to where a float's is implied
  return bit_cast<float>(sign | (((magnitude << shift) & 0x7fffffu) | (126 - shift) << 23));
}

} // namespace detail

// As GLSL's packUnorm4x8 and its kin. Values outside [0, 1] or [-1, 1] are clamped; one that is not a
// number becomes a number of no meaning.

constexpr u32 pack_unorm_4x8(const float4 &v) {
  using namespace detail;
  return to_unorm(v.x, unorm8) | to_unorm(v.y, unorm8) << 8 | to_unorm(v.z, unorm8) << 16 |
         to_unorm(v.w, unorm8) << 24;
}
constexpr float4 unpack_unorm_4x8(u32 word) {
  using namespace detail;
  return {from_unorm(word & 0xff, unorm8), from_unorm(word >> 8 & 0xff, unorm8),
          from_unorm(word >> 16 & 0xff, unorm8), from_unorm(word >> 24, unorm8)};
}
constexpr u32 pack_snorm_4x8(const float4 &v) {
  using namespace detail;
  return (to_snorm(v.x, snorm8) & 0xff) | (to_snorm(v.y, snorm8) & 0xff) << 8 |
         (to_snorm(v.z, snorm8) & 0xff) << 16 | to_snorm(v.w, snorm8) << 24;
}
constexpr float4 unpack_snorm_4x8(u32 word) {
  using namespace detail;
  const auto part = [=](u32 up) { return from_snorm(static_cast<i32>(word << up) >> 24, snorm8); };
  return {part(24), part(16), part(8), part(0)};
}
constexpr u32 pack_unorm_2x16(const float2 &v) {
  using namespace detail;
  return to_unorm(v.x, unorm16) | to_unorm(v.y, unorm16) << 16;
}
constexpr float2 unpack_unorm_2x16(u32 word) {
  using namespace detail;
  return {from_unorm(word & 0xffff, unorm16), from_unorm(word >> 16, unorm16)};
}
constexpr u32 pack_snorm_2x16(const float2 &v) {
  using namespace detail;
  return (to_snorm(v.x, snorm16) & 0xffff) | to_snorm(v.y, snorm16) << 16;
}
constexpr float2 unpack_snorm_2x16(u32 word) {
  using namespace detail;
  return {from_snorm(static_cast<i32>(word << 16) >> 16, snorm16),
          from_snorm(static_cast<i32>(word) >> 16, snorm16)};
}
/// Two halves, each rounded to the nearest, halfway to even.
constexpr u32 pack_half_2x16(const float2 &v) {
  return detail::half_bits(v.x) | detail::half_bits(v.y) << 16;
}
constexpr float2 unpack_half_2x16(u32 word) {
  return {detail::from_half_bits(word & 0xffff), detail::from_half_bits(word >> 16)};
}

namespace detail {

template <class A, class B> constexpr u32 dot4_by_element(A a, B b, u32 sum) {
  for (u32 i = 0; i < 4; ++i)
    sum += static_cast<u32>(i32{a[i]} * i32{b[i]});
  return sum;
}

} // namespace detail

// sum + a[0] * b[0] + … + a[3] * b[3], modulo 2^32. khalc makes it the device's own instruction where
// there is one: dp4a, OpSDot, OpUDot, OpSUDot.
#if defined(__KHAL__)
#define KHAL_DOT4(builtin)                                                                         \
  if (!__builtin_is_constant_evaluated())                                                          \
    return static_cast<decltype(sum)>(builtin(a.word, b.word, static_cast<u32>(sum)));
#else
#define KHAL_DOT4(builtin)
#endif
constexpr i32 dot4(i8x4 a, i8x4 b, i32 sum = 0) {
  KHAL_DOT4(__khal_dot4_signed)
  return static_cast<i32>(detail::dot4_by_element(a, b, static_cast<u32>(sum)));
}
constexpr u32 dot4(u8x4 a, u8x4 b, u32 sum = 0) {
  KHAL_DOT4(__khal_dot4_unsigned)
  return detail::dot4_by_element(a, b, sum);
}
constexpr i32 dot4(u8x4 a, i8x4 b, i32 sum = 0) {
  KHAL_DOT4(__khal_dot4_mixed)
  return static_cast<i32>(detail::dot4_by_element(a, b, static_cast<u32>(sum)));
}
#undef KHAL_DOT4

} // namespace khal

#endif // KHAL_KERNEL_PACK_HPP

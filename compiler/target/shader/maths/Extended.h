//===- Extended.h - numbers as sums of two, and their bits ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
//
// Error-free sums and products (T. J. Dekker, "A Floating-Point Technique for Extending the Available
// Precision", 1971). No operation here or in the maths functions may be fused or reordered.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_MATHS_EXTENDED_H
#define KHALC_TARGET_SHADER_MATHS_EXTENDED_H

#include "Coefficients.h"

namespace khal::maths {

using u32 = unsigned int;
using u64 = unsigned long long;

template <class T> struct Format;
template <> struct Format<float> {
  using Bits = u32;
  static constexpr int digits = 24, bias = 127;
  static constexpr float splitter = 0x1p12f + 1;
  static constexpr float wholes =
      0x1.8p23f; // has no digits after the point, nor have its neighbours
  static constexpr float infinity = __builtin_inff();
};
template <> struct Format<double> {
  using Bits = u64;
  static constexpr int digits = 53, bias = 1023;
  static constexpr double splitter = 0x1p27 + 1;
  static constexpr double wholes = 0x1.8p52;
  static constexpr double infinity = __builtin_inf();
};
template <class T> using Bits = typename Format<T>::Bits;

template <class T> inline Bits<T> bitsOf(T x) {
  return __builtin_bit_cast(Bits<T>, x);
}
template <class T> inline T fromBits(Bits<T> bits) {
  return __builtin_bit_cast(T, bits);
}
template <class T> inline constexpr Bits<T> signBit = Bits<T>(1) << (sizeof(T) * 8 - 1);

inline float magnitude(float x) {
  return __builtin_fabsf(x);
}
inline double magnitude(double x) {
  return __builtin_fabs(x);
}
inline float nearestWhole(float x) {
  return __builtin_roundevenf(x);
}
inline double nearestWhole(double x) {
  return __builtin_roundeven(x);
}
inline float squareRoot(float x) {
  return __builtin_sqrtf(x);
}
inline double squareRoot(double x) {
  return __builtin_sqrt(x);
}
/// A whole number, as a T and as an integer.
template <class T> struct Whole {
  T number;
  int integer;
};
/// The whole number nearest to x * scale, for results within 2^21: cheaper than rounding and then
/// converting, which devices do at a fraction of their rate for sums.
template <class T> inline Whole<T> nearestMultiple(T x, T scale) {
  const T shifted = x * scale + Format<T>::wholes;
  // The low word is the integer, of a float to 22 bits.
  const int integer = static_cast<int>(static_cast<u32>(bitsOf(shifted)) -
                                       static_cast<u32>(bitsOf(Format<T>::wholes)));
  return {shifted - Format<T>::wholes, integer};
}
template <class T> inline bool isNegative(T x) {
  return (bitsOf(x) & signBit<T>) != 0;
}
/// |x| with the sign of `sign`.
template <class T> inline T withSign(T x, T sign) {
  return fromBits<T>((bitsOf(x) & ~signBit<T>) | (bitsOf(sign) & signBit<T>));
}
template <class T> inline bool isNan(T x) {
  return (bitsOf(x) & ~signBit<T>) > bitsOf(Format<T>::infinity);
}
template <class T> inline bool isInfinite(T x) {
  return (bitsOf(x) & ~signBit<T>) == bitsOf(Format<T>::infinity);
}
template <class T> inline T notANumber() {
  return fromBits<T>(bitsOf(Format<T>::infinity) | Bits<T>(1) << (Format<T>::digits - 2));
}

/// 2 to the power of `exponent`, of a normal number.
template <class T> inline T power2(int exponent) {
  return fromBits<T>(Bits<T>(exponent + Format<T>::bias) << (Format<T>::digits - 1));
}
/// x * 2^exponent for x from 1/4 to 4, rounded once, also where the result is subnormal.
template <class T> inline T scaled(T x, int exponent) {
  const int half = exponent >> 1;
  return x * power2<T>(half) * power2<T>(exponent - half);
}
/// The exponent of a normal number: 2^exponent <= |x| < 2^(exponent + 1).
template <class T> inline int exponentOf(T x) {
  return int((bitsOf(x) & ~signBit<T>) >> (Format<T>::digits - 1)) - Format<T>::bias;
}

/// The unevaluated sum of two numbers, of which the second is at most half a unit of the first.
template <class T> struct Pair {
  T high, low;
};

/// a + b exactly.
template <class T> inline Pair<T> sum(T a, T b) {
  const T high = a + b;
  const T part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}
/// The same where |a| >= |b| or a is 0.
template <class T> inline Pair<T> quickSum(T a, T b) {
  const T high = a + b;
  return {high, b - (high - a)};
}
/// a * b exactly, where nothing over- or underflows.
template <class T> inline Pair<T> product(T a, T b) {
  const auto upper = [](T x) {
    const T spread = x * Format<T>::splitter;
    return spread - (spread - x);
  };
  const T ah = upper(a), al = a - ah, bh = upper(b), bl = b - bh;
  const T high = a * b;
  return {high, ((ah * bh - high) + ah * bl + al * bh) + al * bl};
}
template <class T> inline Pair<T> add(Pair<T> a, T b) {
  const Pair<T> s = sum(a.high, b);
  return quickSum(s.high, s.low + a.low);
}
template <class T> inline Pair<T> add(Pair<T> a, Pair<T> b) {
  const Pair<T> s = sum(a.high, b.high);
  return quickSum(s.high, s.low + (a.low + b.low));
}
template <class T> inline Pair<T> multiply(Pair<T> a, T b) {
  const Pair<T> p = product(a.high, b);
  return quickSum(p.high, p.low + a.low * b);
}
template <class T> inline Pair<T> multiply(Pair<T> a, Pair<T> b) {
  const Pair<T> p = product(a.high, b.high);
  return quickSum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
/// a / b to about twice T's digits, whatever the error of T's own division.
template <class T> inline Pair<T> quotient(Pair<T> a, Pair<T> b) {
  const T first = a.high / b.high;
  const Pair<T> p = product(first, b.high);
  const T rest = ((a.high - p.high) - p.low) + (a.low - first * b.low);
  return quickSum(first, rest / b.high);
}
/// Nearly always the number nearest to a / b. Small quotients are worked out larger, since a device may
/// take parts of them for 0.
template <class T> inline T divide(T a, T b) {
  constexpr int up = 2 * Format<T>::digits;
  const bool isSmall = magnitude(a / b) < power2<T>(2 * up - Format<T>::bias);
  if (isSmall)
    a *= power2<T>(up);
  const T first = a / b;
  const Pair<T> p = product(first, b);
  const T result = first + ((a - p.high) - p.low) / b;
  return isSmall ? result * power2<T>(-up) : result;
}
/// The square root of a number, with what is missing from it.
template <class T> inline Pair<T> root(Pair<T> a) {
  const T first = squareRoot(a.high);
  const Pair<T> p = product(first, first);
  return quickSum(first, (((a.high - p.high) - p.low) + a.low) / (first + first));
}

template <class T> inline Pair<T> constant(const T (&parts)[2]) {
  return {parts[0], parts[1]};
}

/// The value of a polynomial at x, by Horner's rule.
template <class T, int N> inline T polynomial(const T (&coefficients)[N], T x) {
  T result = coefficients[N - 1];
#pragma clang loop unroll(full)
  for (int i = N - 2; i >= 0; --i)
    result = result * x + coefficients[i];
  return result;
}

} // namespace khal::maths

#endif // KHALC_TARGET_SHADER_MATHS_EXTENDED_H

//===- Exponential.h - exponentials, logarithms and powers ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_MATHS_EXPONENTIAL_H
#define KHALC_TARGET_SHADER_MATHS_EXPONENTIAL_H

#include "Extended.h"

namespace khal::maths {

/// x as whole * ln 2 (or log10 2, …) + rest: `parts` are the unit's, the first without rounding when
/// multiplied by `whole`.
template <class T> inline Pair<T> reduced(T x, T whole, const T (&parts)[2]) {
  const T rest = x - whole * parts[0];
  const T small = whole * parts[1];
  const T high = rest - small;
  return {high, (rest - high) - small};
}

/// e^r - 1 for |r| up to ln 2 / 2.
template <class T> inline T exponentialLessOne(Pair<T> r) {
  const T squared = r.high * r.high;
  return r.high + (r.low + squared * polynomial(Coefficients<T>::exponential, r.high));
}

/// The range that e^x has finite and non-zero results in, a little wider.
template <class T> inline constexpr T mostExponent = (Format<T>::bias + 3) * T(0.6931472);
template <class T>
inline constexpr T leastExponent = -(Format<T>::bias + Format<T>::digits + 2) * T(0.6931472);

/// 2^whole * e^r, where `whole` is at most a few more than T's largest exponent, and at least the
/// smallest of subnormal numbers.
template <class T> inline T exponentialOf(Pair<T> r, T whole) {
  return scaled(T(1) + exponentialLessOne(r), static_cast<int>(whole));
}

/// `result`, or what every exponential gives beyond `least` and `most`, and for not-a-numbers.
template <class T> inline T within(T x, T least, T most, T result) {
  if (x > most)
    return Format<T>::infinity;
  if (x < least)
    return 0;
  return isNan(x) ? x : result;
}
template <class T> inline T limited(T x, T least, T most) {
  return x > most ? most : x < least ? least : x;
}

// The functions that kernels call most, exp and log, are as short as one unit in the last place allows:
// each operation less is some percent of a softmax's time.

/// e^x * 2^power, for powers near 0.
template <class T> inline T exponential(T x, int power) {
  const T inside = limited(x, leastExponent<T>, mostExponent<T>); // or no number
  const Whole<T> whole = nearestMultiple(inside, Coefficients<T>::log2OfE[0]);
  const T r =
      (inside - whole.number * Coefficients<T>::ln2[0]) - whole.number * Coefficients<T>::ln2[1];
  const T lessOne = r * r * polynomial(Coefficients<T>::exponential, r) + r;
  return isNan(x) ? x : scaled(T(1) + lessOne, whole.integer + power);
}
template <class T> inline T exp(T x) {
  return exponential(x, 0);
}

/// e^x as the device's power of 2, which is to be within 3 + 2|x| units and on the devices seen is
/// within 2, and what the rounding of x log2 e has lost. Needs fma() to be fused to be of use, and does
/// no harm where it isn't.
inline float expByDevice(float x) {
  using Table = Coefficients<float>;
  // Below log2 e by more than products are rounded by: what is lost has x's sign, so that it can't turn
  // an infinite result into no number.
  constexpr float below = Table::log2OfE[0] * (1 - 0x1p-21f);
  const float power = x * below;
  const float lost = __builtin_fmaf(-power, Table::ln2Pair[0], x);
  const float lostToo = __builtin_fmaf(-power, Table::ln2Pair[1], lost);
  const float result = __builtin_elementwise_exp2(power);
  // More than is ever lost, and what infinities get, whose loss is no number.
  constexpr float most = 0x1p-12f;
  return __builtin_fmaf(result, __builtin_fminf(lostToo, most), result);
}
inline float exp2ByDevice(float x) {
  return __builtin_elementwise_exp2(x);
}

template <class T> inline T exp2(T x) {
  constexpr T most = Format<T>::bias + 2, least = -(Format<T>::bias + Format<T>::digits + 2);
  const T inside = isNan(x) ? T(0) : limited(x, least, most);
  const T whole = nearestWhole(inside);
  const Pair<T> r = multiply(constant(Coefficients<T>::ln2Pair), inside - whole);
  return within(x, least, most, exponentialOf(r, whole));
}

template <class T> inline T exp10(T x) {
  constexpr T toTen = T(0.30103);
  constexpr T most = (Format<T>::bias + 2) * toTen;
  constexpr T least = -(Format<T>::bias + Format<T>::digits + 2) * toTen;
  const T inside = isNan(x) ? T(0) : limited(x, least, most);
  const T whole = nearestWhole(inside * T(3.321928094887362));
  const Pair<T> tens = reduced(inside, whole, Coefficients<T>::log10Of2);
  const Pair<T> r = multiply(quickSum(tens.high, tens.low), constant(Coefficients<T>::ln10Pair));
  return within(x, least, most, exponentialOf(r, whole));
}

/// e^x - 1, for x not tiny and not beyond what exp() takes.
template <class T> inline T expm1(T x) {
  if (magnitude(x) < power2<T>(-Format<T>::digits) || isNan(x))
    return x;
  if (x < -(Format<T>::digits + 2) * T(0.6931472))
    return -1;
  if (x > mostExponent<T>)
    return Format<T>::infinity;
  const T whole = nearestWhole(x * Coefficients<T>::log2OfE[0]);
  const T rest = exponentialLessOne(reduced(x, whole, Coefficients<T>::ln2));
  if (whole > Format<T>::digits + 2) // the 1 is beyond the digits
    return scaled(T(1) + rest, static_cast<int>(whole));
  const T power = power2<T>(static_cast<int>(whole));
  return (power - T(1)) + power * rest;
}

/// A positive finite number as 2^exponent * significand, from the root of 1/2 to that of 2.
template <class T> struct Normalised {
  T exponent, significand;
};
template <class T> inline Normalised<T> normalised(T x) {
  constexpr int stored = Format<T>::digits - 1;
  T offset = 0;
  if (bitsOf(x) < Bits<T>(1) << stored) { // subnormal
    // A device may take it for 0, so that its bits are counted and not multiplied.
    int up = 0;
    Bits<T> bits = bitsOf(x);
    while (bits < Bits<T>(1) << stored) {
      bits <<= 1;
      ++up;
    }
    x = fromBits<T>((bits & ((Bits<T>(1) << stored) - 1)) | Bits<T>(1) << stored);
    offset = T(-up);
  }
  const Bits<T> rootOfHalf = bitsOf(T(0.70710678118654752440));
  const Bits<T> beyond = bitsOf(x) - rootOfHalf;
  const int exponent = static_cast<int>(static_cast<int>(beyond >> 32 * (sizeof(T) / 8)) >>
                                        (stored - 32 * (int(sizeof(T)) / 8)));
  const T significand = fromBits<T>(bitsOf(x) - (Bits<T>(exponent) << stored));
  return {T(exponent) + offset, significand};
}

/// What logarithms give for zero, negative, infinite numbers and not-a-numbers; else `result`.
template <class T> inline T logarithmOr(T x, T result) {
  if (isNan(x))
    return x;
  if ((bitsOf(x) & ~signBit<T>) == 0)
    return -Format<T>::infinity;
  if (isNegative(x))
    return notANumber<T>();
  return isInfinite(x) ? x : result;
}
template <class T> inline bool hasLogarithm(T x) {
  return bitsOf(x) != 0 && bitsOf(x) < bitsOf(Format<T>::infinity);
}

/// ln(1 + f) is f - f^2 / 2 + s (f^2 / 2 + R) with s = f / (2 + f), 2 artanh s = 2 s + s R.
inline double log(double x) {
  using Table = Coefficients<double>;
  const Normalised<double> n = normalised(hasLogarithm(x) ? x : 1.0);
  const double f = n.significand - 1.0;
  const double s = f / (2.0 + f), z = s * s;
  const double half = 0.5 * f * f;
  const double rest = s * (half + z * polynomial(Table::logarithm, z));
  const double result =
      n.exponent * Table::ln2[0] + (f - (half - (rest + n.exponent * Table::ln2[1])));
  return logarithmOr(x, result);
}

/// ln of the number that has these bits, which is positive and normal.
inline float logOfNormal(u32 bits) {
#pragma clang fp contract(fast)
  using Table = Coefficients<float>;
  constexpr u32 twoThirds = 0x3f2aaaabu;
  const u32 exponentBits = (bits - twoThirds) & 0xff800000u;
  const float exponent = static_cast<float>(static_cast<int>(exponentBits)); // times 2^23
  const float m = fromBits<float>(bits - exponentBits) - 1.0f;               // from -1/3 to 1/3
  const float near = m * m * polynomial(Table::logarithmNear, m) + m;
  return exponent * (Table::ln2Pair[0] * 0x1p-23f) + near;
}

/// Without a division, and with one branch for all that isn't a positive normal number.
inline float log(float x) {
  constexpr u32 leastNormal = 1u << 23;
  const u32 bits = bitsOf(x);
  if (bits - leastNormal < bitsOf(Format<float>::infinity) - leastNormal)
    return logOfNormal(bits);
  if (bits == 0 || bits >= leastNormal)
    return logarithmOr(x, x);
  // Subnormal, and a device may take it for 0: its bits are x times 2^149.
  return logOfNormal(bitsOf(static_cast<float>(bits))) - 149 * Coefficients<float>::ln2Pair[0];
}

/// The same without a branch, and without subnormal numbers, which are taken for 0.
inline float logByDevice(float x) {
  constexpr float infinity = Format<float>::infinity;
  const u32 bits = bitsOf(x);
  float result = logOfNormal(bits);
  if (bits >= bitsOf(infinity)) // infinite, negative or no number: the latter two give no number
    result = __builtin_fmaf(x, infinity, infinity);
  return magnitude(x) < 0x1p-126f ? -infinity : result;
}

/// ln of a number from the root of 1/2 to that of 2, to about twice T's digits.
template <class T> inline Pair<T> logarithmPair(T significand) {
  const T f = significand - T(1);
  const Pair<T> s = quotient(Pair<T>{f, 0}, sum(T(2), f));
  const Pair<T> z = multiply(s, s);
  const Pair<T> cube = multiply(s, z);
  const T tail = cube.high * z.high * polynomial(Coefficients<T>::logarithmTail, z.high);
  const Pair<T> second = multiply(cube, constant(Coefficients<T>::twoThirds));
  return add(Pair<T>{s.high + s.high, s.low + s.low}, add(second, tail));
}

template <class T> inline Pair<T> log2Pair(T x) {
  const Normalised<T> n = normalised(x);
  const Pair<T> l = multiply(logarithmPair(n.significand), constant(Coefficients<T>::log2OfE));
  return add(l, n.exponent);
}
template <class T> inline T log2(T x) {
  const Pair<T> l = log2Pair(hasLogarithm(x) ? x : T(1));
  return logarithmOr(x, l.high + l.low);
}
template <class T> inline T log10(T x) {
  const Normalised<T> n = normalised(hasLogarithm(x) ? x : T(1));
  const Pair<T> l = multiply(logarithmPair(n.significand), constant(Coefficients<T>::log10OfE));
  const Pair<T> whole = {n.exponent * Coefficients<T>::log10Of2[0],
                         n.exponent * Coefficients<T>::log10Of2[1]};
  const Pair<T> result = add(add(l, whole.low), whole.high);
  return logarithmOr(x, result.high + result.low);
}
template <class T> inline T log1p(T x) {
  const T u = T(1) + x;
  if (magnitude(x) < power2<T>(-Format<T>::digits) || isNan(x) || isInfinite(u) || u <= T(0))
    return magnitude(x) < T(0.5) || isNan(x) ? x : logarithmOr(u, u);
  return log(u) + (u > T(0x1p20) ? T(0) : (x - (u - T(1))) / u);
}

template <class T> inline bool isWhole(T x) {
  return nearestWhole(x) == x;
}
/// Of a whole number.
template <class T> inline bool isOdd(T x) {
  const T half = x * T(0.5);
  return magnitude(x) < power2<T>(Format<T>::digits) && nearestWhole(half) != half;
}

/// What pow(x, y) is where x or y is 0, infinite or no number; x >= 0.
template <class T> inline T specialPower(T x, T y) {
  if (isNan(x) || isNan(y))
    return notANumber<T>();
  const bool grows = (x > T(1)) == (y > T(0));
  return grows ? Format<T>::infinity : T(0);
}

template <class T> inline T pow(T x, T y) {
  if ((bitsOf(y) & ~signBit<T>) == 0 || x == T(1))
    return 1;
  const T size = magnitude(x);
  const bool isSpecial = !hasLogarithm(size) || isNan(y) || isInfinite(y);
  T result;
  if (isSpecial) {
    if (size == T(1) && isInfinite(y))
      return 1;
    result = specialPower(size, y);
  } else {
    // Beyond these every result is infinite or 0, but for the x so near to 1 that the smaller limit
    // is kept by the digits of log2 x.
    constexpr T most = Format<T>::bias + 2, least = -(Format<T>::bias + Format<T>::digits + 2);
    const Pair<T> l = log2Pair(size);
    const T estimate = l.high * y;
    if (estimate > most || estimate < least) {
      result = estimate > most ? Format<T>::infinity : T(0);
    } else {
      const Pair<T> e = multiply(l, y);
      const T whole = nearestWhole(e.high);
      const Pair<T> r =
          multiply(quickSum(e.high - whole, e.low), constant(Coefficients<T>::ln2Pair));
      result = exponentialOf(r, whole);
    }
  }
  if (!isNegative(x) || isNan(x))
    return result;
  // A negative base has powers by whole numbers alone.
  if (isWhole(y) || isInfinite(y))
    return isOdd(y) ? -result : result;
  return size == T(0) || isInfinite(size) ? result : notANumber<T>();
}

// Hyperbolic functions and their inverses.

template <class T> inline T sinh(T x) {
  const T size = magnitude(x);
  if (size < power2<T>(-Format<T>::digits / 2) || isNan(x))
    return x;
  T result;
  if (size < T(Format<T>::digits) * T(0.4)) {
    const T e = expm1(size);
    result = T(0.5) * (e + e / (e + T(1)));
  } else {
    result = exponential(size, -1);
  }
  return withSign(result, x);
}
template <class T> inline T cosh(T x) {
  const T size = magnitude(x);
  if (size < T(Format<T>::digits) * T(0.4)) {
    const T e = exp(size);
    return T(0.5) * (e + T(1) / e);
  }
  return exponential(size, -1);
}
template <class T> inline T tanh(T x) {
  const T size = magnitude(x);
  if (size < power2<T>(-Format<T>::digits / 2) || isNan(x))
    return x;
  if (size > T(Format<T>::digits) * T(0.4))
    return withSign(T(1), x);
  const T e = expm1(size + size);
  return withSign(size < T(0.5) ? divide(e, e + T(2)) : T(1) - T(2) / (e + T(2)), x);
}
template <class T> inline T asinh(T x) {
  const T size = magnitude(x);
  if (size < power2<T>(-Format<T>::digits / 2) || isNan(x) || isInfinite(x))
    return x;
  if (size > power2<T>(Format<T>::digits / 2 + 2))
    return withSign(log(size) + T(0.69314718055994530942), x);
  const T square = size * size;
  return withSign(log1p(size + square / (T(1) + squareRoot(square + T(1)))), x);
}
template <class T> inline T acosh(T x) {
  if (x < T(1))
    return notANumber<T>();
  if (x > power2<T>(Format<T>::digits / 2 + 2))
    return log(x) + T(0.69314718055994530942);
  const T above = x - T(1);
  return log1p(above + squareRoot(above * (above + T(2))));
}
template <class T> inline T atanh(T x) {
  const T size = magnitude(x);
  if (size < power2<T>(-Format<T>::digits / 2) || isNan(x))
    return x;
  if (size >= T(1))
    return size == T(1) ? withSign(Format<T>::infinity, x) : notANumber<T>();
  return withSign(T(0.5) * log1p(divide(size + size, T(1) - size)), x);
}

/// Starts from a third of the exponent and doubles or trebles the digits with each step.
template <class T> inline T cbrt(T x) {
  const T size = magnitude(x);
  if (size == T(0) || isNan(x) || isInfinite(x))
    return x;
  const Normalised<T> n = normalised(size);
  // A multiple of three goes to the exponent, the rest to the number, from 1/3 to 6.
  const int exponent = static_cast<int>(n.exponent);
  const int third = (exponent + 3 * Format<T>::bias) / 3 - Format<T>::bias;
  const T a = n.significand * power2<T>(exponent - 3 * third);
  T t = T(0.5874) + T(0.4126) * a * (T(1) - T(0.0853) * a);
#pragma clang loop unroll(full)
  for (int i = 0; i < (sizeof(T) == 8 ? 4 : 3); ++i) { // Halley's steps
    const T cube = t * t * t;
    t = t * (cube + a + a) / (cube + cube + a);
  }
  const Pair<T> square = product(t, t);
  const Pair<T> cube = multiply(square, t);
  const T root = t + ((a - cube.high) - cube.low) / (T(3) * square.high);
  return withSign(root * power2<T>(third), x);
}

template <class T> inline T hypot(T x, T y) {
  if (isInfinite(x) || isInfinite(y))
    return Format<T>::infinity;
  if (isNan(x) || isNan(y))
    return notANumber<T>();
  const T a = magnitude(x) > magnitude(y) ? magnitude(x) : magnitude(y);
  const T b = magnitude(x) > magnitude(y) ? magnitude(y) : magnitude(x);
  if (a == T(0))
    return 0;
  const int exponent = exponentOf(a);
  const int limit = Format<T>::bias - 2;
  const int up = exponent > limit ? limit : exponent < -limit ? -limit : exponent;
  const T ah = a * power2<T>(-up), bh = b * power2<T>(-up);
  const Pair<T> squares =
      bh < power2<T>(-Format<T>::digits) ? product(ah, ah) : add(product(ah, ah), product(bh, bh));
  const Pair<T> result = root(squares);
  return (result.high + result.low) * power2<T>(up);
}

// The error function.

template <class T> inline T errorNearZero(T x) {
  return x * polynomial(Coefficients<T>::errorFunction, x * x);
}
/// erfc(x) for x >= 1/2.
template <class T> inline T errorTail(T x) {
  if (x > T(28)) // 0 in any format
    return 0;
  const Pair<T> square = product(x, x);
  const T decay = exp(-square.high) * (T(1) - square.low);
  const T t = T(1) / (T(1) + x);
  return decay * t * polynomial(Coefficients<T>::errorTail, t - T(0.375));
}
template <class T> inline T erf(T x) {
  const T size = magnitude(x);
  if (isNan(x))
    return x;
  return size < T(1) ? errorNearZero(x) : withSign(T(1) - errorTail(size), x);
}
template <class T> inline T erfc(T x) {
  if (isNan(x))
    return x;
  if (magnitude(x) < T(0.5))
    return T(1) - errorNearZero(x);
  return isNegative(x) ? T(2) - errorTail(magnitude(x)) : errorTail(x);
}

} // namespace khal::maths

#endif // KHALC_TARGET_SHADER_MATHS_EXPONENTIAL_H

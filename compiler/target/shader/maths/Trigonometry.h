//===- Trigonometry.h - trigonometric functions and their inverses ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_MATHS_TRIGONOMETRY_H
#define KHALC_TARGET_SHADER_MATHS_TRIGONOMETRY_H

#include "Extended.h"

namespace khal::maths {

/// x as a multiple of pi / 2 and a rest of at most pi / 4.
template <class T> struct Angle {
  int quadrant; ///< modulo 4
  Pair<T> rest;
};

/// So many bits has a whole number that the parts of pi / 2 can be multiplied by without rounding.
template <class T> inline constexpr int wholeBits = sizeof(T) == 8 ? 20 : 12;
template <class T> inline constexpr T mostReduced = T(1 << wholeBits<T>) * T(1.5);

/// By subtraction of a multiple (W. J. Cody and W. Waite, "Software Manual for the Elementary
/// Functions", 1980), for |x| up to mostReduced.
template <class T> inline Angle<T> reducedBySubtraction(T x) {
  const T(&parts)[4] = Coefficients<T>::halfPi;
  const T whole = nearestWhole(x * T(0.63661977236758134308));
  const T first = x - whole * parts[0];
  Pair<T> rest = sum(first, -(whole * parts[1]));
  rest = add(rest, -(whole * parts[2]));
  rest = add(rest, -(whole * parts[3]));
  return {static_cast<int>(whole) & 3, rest};
}

/// The product of two words. No device needs 64-bit integers for it.
struct Wide {
  u32 low, high;
};
inline Wide wideProduct(u32 a, u32 b) {
  const u32 al = a & 0xffff, ah = a >> 16, bl = b & 0xffff, bh = b >> 16;
  const u32 low = al * bl, cross = ah * bl + (low >> 16), other = al * bh + (cross & 0xffff);
  return {other << 16 | (low & 0xffff), ah * bh + (cross >> 16) + (other >> 16)};
}

/// 32 digits of 2 / pi from number `first` on, counted from 0 after the point; zeros before it.
inline u32 digitsOfTwoOverPi(int first) {
  const auto word = [](int index) { return index < 0 ? 0u : twoOverPi[index]; };
  const int index = first >> 5, offset = first & 31;
  const u32 upper = word(index), lower = word(index + 1);
  return offset == 0 ? upper : upper << offset | lower >> (32 - offset);
}

/// By multiplication with those digits of 2 / pi that matter (M. H. Payne and R. N. Hanek, "Radian
/// Reduction for Trigonometric Functions", 1983), for a finite x > 1.
template <class T> inline Angle<T> reducedByDigits(T x) {
  // The significand, in words, and the window of 2 / pi whose first digit weighs 2 in the product.
  constexpr int words = sizeof(T) == 8 ? 6 : 3, factors = sizeof(T) / 4;
  constexpr int stored = Format<T>::digits - 1;
  const Bits<T> significand = (bitsOf(x) & ((Bits<T>(1) << stored) - 1)) | Bits<T>(1) << stored;
  const int exponent = exponentOf(x) - stored;
  u32 result[words] = {}; // the last is the least
#pragma clang loop unroll(full)
  for (int f = 0; f < factors; ++f) {
    const u32 factor = static_cast<u32>(significand >> (f * 16) >> (f * 16));
    u32 carry = 0;
#pragma clang loop unroll(full)
    for (int i = words - 1; i >= f; --i) {
      // Factor f is 32 f digits up: the window's word i goes to the result's word i - f.
      const Wide p = wideProduct(factor, digitsOfTwoOverPi(exponent - 2 + 32 * i));
      const u32 with = p.low + carry;
      const u32 before = result[i - f];
      result[i - f] = before + with;
      carry = p.high + u32(with < carry) + u32(result[i - f] < before);
    }
  }
  // The first two digits are the quadrant; from half a quadrant on it counts from the next.
  const u32 nearest = (result[0] >> 29) + 1;
  const bool isBelow = (result[0] >> 29 & 1) != 0;
  // The fraction, two digits up; if it is taken from the next quadrant, its complement.
  Pair<T> fraction = {0, 0};
  T unit = T(0x1p-16);
#pragma clang loop unroll(full)
  for (int i = 0; i < words; ++i) {
    const u32 next = i + 1 < words ? result[i + 1] : 0;
    const u32 shifted = result[i] << 2 | next >> 30;
    const u32 bits = isBelow ? ~shifted : shifted;
    fraction = add(fraction, T(bits >> 16) * unit);
    fraction = add(fraction, T(bits & 0xffff) * (unit * T(0x1p-16)));
    unit = unit * T(0x1p-32);
  }
  Pair<T> rest = multiply(fraction, constant(Coefficients<T>::halfPiPair));
  if (isBelow)
    rest = {-rest.high, -rest.low};
  return {static_cast<int>(nearest >> 1) & 3, rest};
}

template <class T> inline Angle<T> reducedAngle(T x) {
  if (magnitude(x) <= mostReduced<T>)
    return reducedBySubtraction(x);
  Angle<T> angle = reducedByDigits(magnitude(x));
  if (isNegative(x))
    angle = {-angle.quadrant & 3, {-angle.rest.high, -angle.rest.low}};
  return angle;
}

template <class T> inline T sineOfRest(Pair<T> r) {
  const T z = r.high * r.high;
  const T cubic = r.high * (z * polynomial(Coefficients<T>::sine, z));
  return r.high + (cubic + r.low * (T(1) - T(0.5) * z));
}
template <class T> inline T cosineOfRest(Pair<T> r) {
  const T z = r.high * r.high, half = T(0.5) * z;
  const T first = T(1) - half;
  const T rest = z * z * polynomial(Coefficients<T>::cosine, z) - r.high * r.low;
  return first + (((T(1) - first) - half) + rest);
}
template <class T> inline bool hasAngle(T x) {
  return !isNan(x) && !isInfinite(x);
}

template <class T> inline T sin(T x) {
  if (magnitude(x) < power2<T>(-Format<T>::digits / 2))
    return x;
  if (!hasAngle(x))
    return notANumber<T>();
  const Angle<T> angle = reducedAngle(x);
  const T result = angle.quadrant & 1 ? cosineOfRest(angle.rest) : sineOfRest(angle.rest);
  return angle.quadrant & 2 ? -result : result;
}
template <class T> inline T cos(T x) {
  if (!hasAngle(x))
    return notANumber<T>();
  const Angle<T> angle = reducedAngle(x);
  const T result = angle.quadrant & 1 ? sineOfRest(angle.rest) : cosineOfRest(angle.rest);
  return (angle.quadrant + 1) & 2 ? -result : result;
}
template <class T> inline T tan(T x) {
  if (magnitude(x) < power2<T>(-Format<T>::digits / 2))
    return x;
  if (!hasAngle(x))
    return notANumber<T>();
  const Angle<T> angle = reducedAngle(x);
  const T sine = sineOfRest(angle.rest), cosine = cosineOfRest(angle.rest);
  return angle.quadrant & 1 ? -divide(cosine, sine) : divide(sine, cosine);
}

/// asin x - x for |x| up to 1/2, with z = x * x.
template <class T> inline T arcSineRest(T x, T z) {
  return x * (z * polynomial(Coefficients<T>::arcSine, z));
}
/// asin of the root of z, twice, for z up to 1/4.
template <class T> inline Pair<T> twiceArcSineOfRoot(T z) {
  const Pair<T> s = root(Pair<T>{z, 0});
  return {s.high + s.high, T(2) * (s.low + arcSineRest(s.high, z))};
}
template <class T> inline T asin(T x) {
  const T size = magnitude(x);
  if (!(size <= T(1)))
    return notANumber<T>();
  if (size < power2<T>(-Format<T>::digits / 2))
    return x;
  if (size <= T(0.5))
    return x + arcSineRest(x, x * x);
  if (size == T(1))
    return withSign(Coefficients<T>::halfPiPair[0], x);
  const Pair<T> a = twiceArcSineOfRoot((T(1) - size) * T(0.5));
  const Pair<T> right = sum(Coefficients<T>::halfPiPair[0], -a.high);
  return withSign(right.high + (right.low + (Coefficients<T>::halfPiPair[1] - a.low)), x);
}
template <class T> inline T acos(T x) {
  const T size = magnitude(x);
  const T(&halfPi)[2] = Coefficients<T>::halfPiPair;
  if (!(size <= T(1)))
    return notANumber<T>();
  if (size <= T(0.5)) {
    const Pair<T> right = sum(halfPi[0], -x);
    return right.high + (right.low + (halfPi[1] - arcSineRest(x, x * x)));
  }
  if (size == T(1))
    return isNegative(x) ? T(2) * halfPi[0] : T(0);
  const Pair<T> a = twiceArcSineOfRoot((T(1) - size) * T(0.5));
  if (!isNegative(x))
    return a.high + a.low;
  const Pair<T> straight = sum(T(2) * halfPi[0], -a.high);
  return straight.high + (straight.low + (T(2) * halfPi[1] - a.low));
}

/// atan(a / b) for 0 <= a <= b, b > 0, neither too large nor too small to be multiplied.
template <class T> inline Pair<T> arcTangentOfQuotient(T a, T b) {
  const bool isSteep = a > b * T(0.41421356237309504880); // tan(pi / 8)
  const Pair<T> above = isSteep ? sum(a, -b) : Pair<T>{a, 0};
  const Pair<T> below = isSteep ? sum(b, a) : Pair<T>{b, 0};
  const Pair<T> t = quotient(above, below);
  const T z = t.high * t.high;
  const T rest = t.high * (z * polynomial(Coefficients<T>::arcTangent, z)) + t.low / (T(1) + z);
  const Pair<T> base = {isSteep ? T(0.5) * Coefficients<T>::halfPiPair[0] : T(0),
                        isSteep ? T(0.5) * Coefficients<T>::halfPiPair[1] : T(0)};
  const Pair<T> s = sum(base.high, t.high);
  return quickSum(s.high, s.low + (rest + base.low));
}

template <class T> inline T atan(T x) {
  const T size = magnitude(x);
  if (size < power2<T>(-Format<T>::digits / 2) || isNan(x))
    return x;
  const T(&halfPi)[2] = Coefficients<T>::halfPiPair;
  if (size > power2<T>(Format<T>::digits + 2))
    return withSign(halfPi[0], x);
  const bool isAbove = size > T(1);
  const Pair<T> a = arcTangentOfQuotient(isAbove ? T(1) : size, isAbove ? size : T(1));
  if (!isAbove)
    return withSign(a.high + a.low, x);
  const Pair<T> right = sum(halfPi[0], -a.high);
  return withSign(right.high + (right.low + (halfPi[1] - a.low)), x);
}

template <class T> inline T atan2(T y, T x) {
  if (isNan(x) || isNan(y))
    return notANumber<T>();
  const T(&halfPi)[2] = Coefficients<T>::halfPiPair;
  const T up = magnitude(y), along = magnitude(x);
  const bool isLeft = isNegative(x);
  // Of two infinite or two zero ones only the signs count.
  T a = up, b = along;
  if (isInfinite(up) && isInfinite(along))
    a = b = 1;
  else if (up == T(0) && along == T(0))
    b = 1;
  else if (isInfinite(up) || isInfinite(along)) {
    a = isInfinite(up) ? T(1) : T(0);
    b = isInfinite(up) ? T(0) : T(1);
  } else {
    // Both by one power of 2, so that their products are normal numbers.
    const int exponent = exponentOf(a > b ? a : b);
    const int limit = Format<T>::bias - 2;
    const int scale = exponent > limit ? limit : exponent < -limit ? -limit : exponent;
    a = a * power2<T>(-scale);
    b = b * power2<T>(-scale);
  }
  const bool isSteep = a > b;
  const T less = isSteep ? b : a, more = isSteep ? a : b;
  Pair<T> angle;
  if (less < more * power2<T>(-2 * Format<T>::digits)) // vanishes beside a right angle
    angle = {divide(less, more), 0};
  else
    angle = arcTangentOfQuotient(less, more);
  if (isSteep)
    angle = add(Pair<T>{halfPi[0], halfPi[1]}, Pair<T>{-angle.high, -angle.low});
  if (isLeft)
    angle = add(Pair<T>{T(2) * halfPi[0], T(2) * halfPi[1]}, Pair<T>{-angle.high, -angle.low});
  return withSign(angle.high + angle.low, y);
}

} // namespace khal::maths

#endif // KHALC_TARGET_SHADER_MATHS_TRIGONOMETRY_H

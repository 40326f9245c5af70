//===- Gamma.h - the gamma function and its logarithm -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By the recurrence gamma(x + 1) = x gamma(x) from the interval of length 1 about 1, and for the
// logarithm of large numbers by Stirling's series (NIST Digital Library of Mathematical Functions,
// 5.5.1, 5.5.3 and 5.11.1). x less a whole number is exact where it is smaller than x, so that only the
// products are rounded, which are made with twice the digits.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_MATHS_GAMMA_H
#define KHALC_TARGET_SHADER_MATHS_GAMMA_H

#include "Exponential.h"
#include "Trigonometry.h"

namespace khal::maths {

/// Where gamma(x) is beyond a format, and far enough below 0 to be taken for 0.
template <class T> struct GammaRange;
template <> struct GammaRange<float> {
  static constexpr float highest = 36, lowest = -44;
};
template <> struct GammaRange<double> {
  static constexpr double highest = 172, lowest = -186;
};

/// x = whole + rest, |rest| up to 1/2; `whole` for |x| below 2^31.
template <class T> struct Split {
  int whole;
  T rest;
};
template <class T> inline Split<T> split(T x) {
  const T whole = nearestWhole(x);
  return {static_cast<int>(whole), x - whole};
}

/// gamma(1 + rest), to a little more than T's digits.
template <class T> inline Pair<T> gammaNear1(T rest) {
  return quickSum(T(1), rest * polynomial(Coefficients<T>::gammaRest, rest));
}

/// (x - 1) (x - 2) … (rest + 1) times `start`, for a positive x.
template <class T> inline Pair<T> fallingProduct(T x, int factors, Pair<T> start) {
  for (int i = 0; i < factors; ++i) {
    x -= T(1);
    start = multiply(start, x);
  }
  return start;
}
/// x (x + 1) … rest times `start`, for a negative x.
template <class T> inline Pair<T> risingProduct(T x, int factors, Pair<T> start) {
  for (int i = 0; i < factors; ++i) {
    start = multiply(start, x);
    x += T(1);
  }
  return start;
}

template <class T> inline T tgamma(T x) {
  if (isNan(x))
    return x;
  if (x == T(0))
    return withSign(Format<T>::infinity, x);
  if (x > GammaRange<T>::highest)
    return Format<T>::infinity;
  const bool isWhole = nearestWhole(x) == x;
  if (x < T(0) && (isWhole || isInfinite(x)))
    return notANumber<T>();
  if (x < GammaRange<T>::lowest) { // between two poles, by turns above and below 0
    const T half = x * T(0.5), lower = nearestWhole(half);
    return magnitude(half - lower) < T(0.5) && half < lower ? -T(0) : T(0);
  }
  const Split<T> parts = split(x);
  const Pair<T> near1 = gammaNear1(parts.rest);
  // Products are smaller by so much that their parts are finite too.
  if (parts.whole > 0) {
    constexpr int down = sizeof(T) == 8 ? 120 : 50;
    const Pair<T> start = {near1.high * power2<T>(-down), near1.low * power2<T>(-down)};
    const Pair<T> result = fallingProduct(x, parts.whole - 1, start);
    return (result.high + result.low) * power2<T>(down);
  }
  if (parts.whole == 0) // the rest may be as small as numbers are
    return magnitude(x) < power2<T>(-Format<T>::digits - 2) ? T(1) / x
                                                            : divide(near1.high, x) + near1.low / x;
  const bool isFar = parts.whole < (sizeof(T) == 8 ? -100 : -20);
  const int down = !isFar ? 0 : sizeof(T) == 8 ? 200 : 80;
  const Pair<T> divisor = risingProduct(x, 1 - parts.whole, Pair<T>{power2<T>(-down), T(0)});
  const Pair<T> result = quotient(near1, divisor);
  return (result.high + result.low) * power2<T>(-down);
}

/// ln gamma(x) for x of 16 and more.
template <class T> inline T logGammaOfLarge(T x) {
  const T inverse = T(1) / x;
  const T rest = inverse * polynomial(Coefficients<T>::stirling, inverse * inverse);
  // ln(2 pi) / 2 - 1/2 beside (x - 1/2) (ln x - 1), which is larger.
  return (x - T(0.5)) * (log(x) - T(1)) + (T(0.41893853320467274178) + rest);
}

/// ln |gamma(x)|. Where that crosses 0 below x = 0, its error isn't small beside it, but is beside 1.
template <class T> inline T lgamma(T x) {
  if (isNan(x))
    return x;
  if (isInfinite(x))
    return Format<T>::infinity;
  if (x >= T(16))
    return logGammaOfLarge(x);
  const bool isWhole = nearestWhole(x) == x;
  if (x <= T(0) && isWhole)
    return Format<T>::infinity;
  const Split<T> parts = split(x);
  if ((parts.whole == 1 || parts.whole == 2) && parts.rest == T(0))
    return 0; // and not -0
  const T near1 = parts.rest * polynomial(Coefficients<T>::logGammaBy1, parts.rest);
  if (x < -T(16)) { // gamma(x) gamma(-x) = -pi / (x sin(pi x))
    const T sine = sin(T(3.14159265358979323846) * magnitude(parts.rest));
    return T(1.14472988584940017414) - log(sine * -x) - logGammaOfLarge(-x);
  }
  if (parts.whole > 1) {
    const T near2 = parts.rest * polynomial(Coefficients<T>::logGammaBy2, parts.rest);
    if (parts.whole == 2)
      return near2;
    const Pair<T> product = fallingProduct(x, parts.whole - 2, Pair<T>{T(1), T(0)});
    return near2 + log(product.high);
  }
  if (parts.whole == 1)
    return near1;
  const Pair<T> divisor = risingProduct(x, 1 - parts.whole, Pair<T>{T(1), T(0)});
  return near1 - log(magnitude(divisor.high));
}

} // namespace khal::maths

#endif // KHALC_TARGET_SHADER_MATHS_GAMMA_H

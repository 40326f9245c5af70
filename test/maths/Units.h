//===- Units.h - errors in units in the last place --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_MATHS_UNITS_H
#define KHAL_TEST_MATHS_UNITS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// The error of `got` in units of T's last place at `right`, which is of a wider type. Results below
/// the least normal number may be flushed to zero; the largest may be rounded to infinity.
template <class T, class Exact> double units(T got, Exact right) {
  if (right != right)
    return got != got ? 0 : std::numeric_limits<double>::infinity();
  const Exact most = std::numeric_limits<T>::max(), size = right < 0 ? -right : right;
  if (size < std::numeric_limits<T>::min())
    return std::abs(got) <= std::numeric_limits<T>::min()
               ? 0
               : std::abs(got) / std::numeric_limits<T>::min();
  if (std::isinf(got) || size > most) {
    const bool agree = (std::isinf(got) || std::abs(got) == std::numeric_limits<T>::max()) &&
                       size > most * (1 - 4 * std::numeric_limits<T>::epsilon()) &&
                       std::signbit(got) == (right < 0);
    return agree ? 0 : std::numeric_limits<double>::infinity();
  }
  if (got != got)
    return std::numeric_limits<double>::infinity();
  int exponent;
  std::frexp(static_cast<T>(size), &exponent);
  const double unit = std::ldexp(1.0, exponent - std::numeric_limits<T>::digits);
  const Exact error = Exact(got) - right;
  return static_cast<double>((error < 0 ? -error : error) / unit);
}

/// The same for floats, quickly where both are normal numbers.
inline double units(float got, double right) {
  constexpr double least = std::numeric_limits<float>::min();
  constexpr double most = std::numeric_limits<float>::max();
  const double size = std::abs(right);
  // Not-a-numbers fail every comparison.
  if (!(size >= least && size <= most && std::abs(got) <= most))
    return units<float, double>(got, right);
  constexpr std::uint32_t exponentMask = 0x7f800000;
  const auto binade =
      std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(size)) & exponentMask);
  const double unit = static_cast<double>(binade) * std::numeric_limits<float>::epsilon();
  return std::abs(got - right) / unit;
}

#endif // KHAL_TEST_MATHS_UNITS_H

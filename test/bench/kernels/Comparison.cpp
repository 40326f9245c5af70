//===- Comparison.cpp - both sides of a case, checked against each other and timed ------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Comparison.h"

#include <cstring>
#include <limits>
#include <numbers>
#include <random>

namespace bench {

std::vector<std::uint8_t> contents(const CaseBuffer &buffer) {
  std::vector<std::uint8_t> bytes(buffer.bytes);
  std::mt19937 random(7);
  const std::size_t words = bytes.size() / 4;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint32_t word = 0;
    if (buffer.fill == Fill::Bits)
      word = static_cast<std::uint32_t>(random());
    float value = 0;
    if (buffer.fill == Fill::Unit)
      value = static_cast<float>(random() >> 8) * 0x1p-24f;
    if (buffer.fill == Fill::Wave) {
      const double angle =
          -2 * std::numbers::pi * static_cast<double>(i / 2) / (static_cast<double>(words) / 2);
      value = static_cast<float>(i % 2 == 0 ? std::cos(angle) : std::sin(angle));
    }
    if (buffer.fill != Fill::Bits)
      std::memcpy(&word, &value, sizeof word);
    std::memcpy(&bytes[4 * i], &word, sizeof word);
  }
  return bytes;
}

double difference(const std::vector<std::uint8_t> &a, const std::vector<std::uint8_t> &b,
                  double tolerance) {
  if (a == b)
    return 0;
  double worst = 0;
  for (std::size_t i = 0; i + 4 <= a.size(); i += 4) {
    if (tolerance >= 1) {
      std::uint32_t x = 0, y = 0;
      std::memcpy(&x, &a[i], 4);
      std::memcpy(&y, &b[i], 4);
      // An orbit on the set's edge may take any time to leave it: how many differ counts.
      worst += x != y ? 1000.0 / static_cast<double>(a.size()) : 0;
      continue;
    }
    float x = 0, y = 0;
    std::memcpy(&x, &a[i], 4);
    std::memcpy(&y, &b[i], 4);
    const double larger = std::max(std::abs(x), std::abs(y));
    const double apart = std::abs(double{x} - double{y});
    worst = std::max(worst, larger > 1 ? apart / larger : apart);
  }
  return worst == 0 ? std::numeric_limits<double>::min() : worst;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

} // namespace bench

//===- operations.hpp - float arithmetic whose bits all targets share under --fp=strict -------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

namespace strict {

using khal::u32;

inline float sum(float a, float b) {
  return a + b;
}
inline float difference(float a, float b) {
  return a - b;
}
inline float product(float a, float b) {
  return a * b;
}
inline float quotient(float a, float b) {
  return a / b;
}
inline float root(float a, float) {
  return khal::sqrt(a);
}
inline float reciprocal_root(float a, float) {
  return khal::rsqrt(a);
}
inline float not_fused(float a, float b) {
  return a * b - b * 0.3f + a * 1.7f;
}
inline float in_order(float a, float b) {
  return (a + b) - a - b + (b + 1.0f - 1.0f);
}
inline float series(float a, float b) {
  float sum = 0, term = 1;
  for (u32 i = 1; i < 12; ++i) {
    sum += term;
    term = term * a / (b + static_cast<float>(i));
  }
  return sum;
}
inline float length(float a, float b) {
  return khal::sqrt(a * a + b * b) / (a + b);
}
inline float to_integer(float a, float b) {
  const float x = khal::abs(a) < 1e6f ? a : 3.0f;
  // Not b * 0.0f == 0.0f: lavapipe takes a product with a literal 0 for 0.
  return static_cast<float>(static_cast<int>(x)) + static_cast<float>(static_cast<int>(b < 1e30f));
}
inline float rounded(float a, float b) {
  return khal::floor(a) + khal::ceil(b) + khal::trunc(a * 0.5f) + khal::round(b * 0.25f);
}
inline float compared(float a, float b) {
  return (a < b ? 1.0f : 0.0f) + (a == b ? 2.0f : 0.0f) + (a > b ? 4.0f : 0.0f) +
         (a != a ? 8.0f : 0.0f) + (a <= b ? 16.0f : 0.0f);
}
inline float remainder(float a, float b) {
  return khal::fmod(a, b);
}

} // namespace strict

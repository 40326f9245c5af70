//===- StrictTest.cpp - --fp=strict gives the host's bits on every target ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "operations.hpp"

#include "kernels.khal.hpp"

#include <khal/khal.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace {

constexpr std::size_t count = 1 << 18;

/// Special values against each other, neighbouring magnitudes, and any bits at all.
class Operands {
public:
  Operands() {
    const std::vector<float> special = {0.0f,
                                        -0.0f,
                                        1.0f,
                                        -1.0f,
                                        2.0f,
                                        3.0f,
                                        0.1f,
                                        std::numeric_limits<float>::max(),
                                        -std::numeric_limits<float>::max(),
                                        std::numeric_limits<float>::min(),
                                        std::numeric_limits<float>::denorm_min(),
                                        -std::numeric_limits<float>::denorm_min(),
                                        std::bit_cast<float>(0x007fffffu),
                                        std::bit_cast<float>(0x3f7fffffu),
                                        std::bit_cast<float>(0x3f800001u),
                                        std::numeric_limits<float>::infinity(),
                                        -std::numeric_limits<float>::infinity(),
                                        std::numeric_limits<float>::quiet_NaN()};
    for (const float x : special)
      for (const float y : special)
        add(x, y);
    std::mt19937 random(5);
    while (a.size() < count / 2)
      add(std::bit_cast<float>(static_cast<std::uint32_t>(random())),
          std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    while (a.size() < count) {
      const auto significand = [&] { return static_cast<float>(1 + (random() & 0xffffff)); };
      add(std::ldexp(significand(), int(random() % 60) - 40),
          std::ldexp(significand(), int(random() % 60) - 40));
    }
  }

  std::vector<float> a, b;

private:
  void add(float x, float y) {
    a.push_back(x);
    b.push_back(y);
  }
};

const Operands &operands() {
  static const Operands all;
  return all;
}

/// The same bits; every NaN is the same.
bool same(float x, float y) {
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y) ||
         (std::isnan(x) && std::isnan(y));
}

/// Vulkan lets a device take subnormals for zero, and not every device can be told not to.
bool keeps_subnormals(khal::Stream &stream) {
  const std::vector<float> smallest(64, std::numeric_limits<float>::denorm_min());
  auto a = stream.device().upload(smallest);
  auto b = stream.device().zeros<float>(smallest.size());
  auto out = stream.device().zeros<float>(smallest.size());
  kernels::table::sum(stream, khal::threads(smallest.size()), a, b, out);
  stream.wait();
  return out.download() == smallest;
}

/// Operands of this kind lead to no subnormals in any operation of the table.
bool is_moderate(float x) {
  return x == 0 || !std::isfinite(x) || (std::abs(x) > 0x1p-42f && std::abs(x) < 0x1p45f);
}

template <class Kernel> void check(Kernel kernel, float (*expected)(float, float)) {
  khal::Device device;
  khal::Stream stream(device);
  auto a = device.upload(operands().a);
  auto b = device.upload(operands().b);
  auto out = device.zeros<float>(count);
  kernel(stream, khal::threads(count), a, b, out);
  stream.wait();
  const std::vector<float> result = out.download();
  const bool all = keeps_subnormals(stream);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float x = operands().a[i], y = operands().b[i];
    const float right = expected(x, y);
    if (same(result[i], right) || (!all && !(is_moderate(x) && is_moderate(y))))
      continue;
    if (++wrong <= 5)
      ADD_FAILURE() << std::hexfloat << "of " << x << " and " << y << ": " << result[i]
                    << " in place of " << right;
  }
  EXPECT_EQ(wrong, 0u) << "of " << count;
}

#define KHAL_OPERATION(name)                                                                       \
  TEST(Strict, name) {                                                                             \
    check([](auto &&...arguments) { kernels::table::name(arguments...); }, strict::name);          \
  }
#include "operations.def"

} // namespace

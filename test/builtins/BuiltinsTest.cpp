//===- BuiltinsTest.cpp - what kernels call gives the right results -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the device that KHAL_DEVICE names. What a device lacks (64-bit atomics, say) is skipped with
// the reason that the launch gives.
//
//===---------------------------------------------------------------------------------------------===//

#include "atomics.khal.hpp"
#include "functions.khal.hpp"
#include "whole.khal.hpp"

#include "whole.hpp"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <numeric>

namespace {

using khal::Buffer;

class Builtins : public testing::Test {
protected:
  /// Runs launches; false, with the test skipped, if the device can't.
  template <class Launches> bool run(Launches launches) {
    try {
      launches();
      stream.wait();
      return true;
    } catch (const khal::Error &error) {
      if (error.code() != khal::ErrorCode::unsupported)
        throw;
      skip(error.what());
      return false;
    }
  }
  void skip(const char *why) { GTEST_SKIP() << why; }

  khal::Device device;
  khal::Stream stream{device};
};

/// `count` numbers over a range, both ends and zero among them.
template <class T> std::vector<T> spread(double low, double high, std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(low + (high - low) * static_cast<double>(i) /
                                         static_cast<double>(count - 1));
  if (low < 0)
    values[count / 2] = 0;
  return values;
}

/// One unit in the last place of a T at `value`.
template <class T> double unit_at(double value) {
  const T size = static_cast<T>(std::abs(value));
  return static_cast<double>(std::nextafter(size, std::numeric_limits<T>::infinity()) - size);
}

bool is_llvmpipe(const khal::Device &device) {
  return device.info().name.find("llvmpipe") != std::string::npos;
}

struct Closeness {
  double ulp, absolute;
};

template <class T, class Exact, class Allowed>
void expect_close(const char *name, const std::vector<T> &in, const std::vector<T> &out,
                  Exact exact, Allowed allowedFor) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double right = exact(i);
    if (std::isnan(right)) {
      ASSERT_TRUE(std::isnan(out[i])) << name << "(" << in[i] << "…) is " << out[i] << ", not NaN";
      continue;
    }
    const Closeness allowed = allowedFor(i);
    // Rounding the right result is half a unit by itself.
    const double tolerance = std::max((allowed.ulp + 0.5) * unit_at<T>(right), allowed.absolute);
    const double error = std::abs(static_cast<double>(out[i]) - right);
    ASSERT_TRUE(error <= tolerance)
        << name << "(" << in[i] << "…) is " << out[i] << ", not " << right << ": wrong by "
        << error / unit_at<T>(right) << " units in the last place";
  }
}

#define TEST_FUNCTION(name, kernel, T, low, high, exact, ulp, vulkanUlp, vulkanAbsolute)           \
  TEST_F(Builtins, kernel) {                                                                       \
    const std::vector<T> in = spread<T>(low, high, 1001);                                          \
    const Buffer<T> deviceIn = device.upload(in);                                                  \
    Buffer<T> out = device.zeros<T>(in.size());                                                    \
    if (!run(                                                                                      \
            [&] { kernels::functions::kernel(stream, khal::threads(in.size()), deviceIn, out); })) \
      return;                                                                                      \
    const bool isVulkan = device.info().backend == khal::Backend::vulkan;                          \
    [[maybe_unused]] const bool fusesFma = !is_llvmpipe(device);                                   \
    const auto at = [&](std::size_t i) { return static_cast<double>(in[i]); };                     \
    const auto allowed = [&](std::size_t i) {                                                      \
      [[maybe_unused]] const double x = at(i);                                                     \
      return isVulkan ? Closeness{vulkanUlp, vulkanAbsolute} : Closeness{ulp, 0};                  \
    };                                                                                             \
    expect_close<T>(                                                                               \
        #name, in, out.download(), [&](std::size_t i) -> double { return exact; }, allowed);       \
  }
#define FUNCTION_1(name, low, high, ulp, vulkanUlp, vulkanAbsolute)                                \
  TEST_FUNCTION(name, name, float, low, high, khal::name(at(i)), ulp, vulkanUlp, vulkanAbsolute)
#define FUNCTION_2(name, low, high, ulp, vulkanUlp, vulkanAbsolute)                                \
  TEST_FUNCTION(name, name, float, low, high, khal::name(at(i), at(in.size() - 1 - i)), ulp,       \
                vulkanUlp, vulkanAbsolute)
#define FUNCTION_1_64(name, low, high)                                                             \
  TEST_FUNCTION(name, name##_64, double, low, high, khal::name(at(i)), 0, 3, 0)
#define FUNCTION_2_64(name, low, high)                                                             \
  TEST_FUNCTION(name, name##_64, double, low, high, khal::name(at(i), at(in.size() - 1 - i)), 0,   \
                0, 0)
#include "functions.def"

template <class T> std::vector<T> interesting_numbers() {
  std::vector<T> values = {
      0, 1, 2, 3, static_cast<T>(~T(0)), static_cast<T>(T(1) << (sizeof(T) * 8 - 1))};
  std::uint64_t state = 1;
  for (int i = 0; i < 250; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<T>(state >> (i % 48)));
  }
  return values;
}

template <class T> class BitFunctions : public Builtins {};
using Unsigned = testing::Types<khal::u8, khal::u16, khal::u32, khal::u64>;
TYPED_TEST_SUITE(BitFunctions, Unsigned);

TYPED_TEST(BitFunctions, GiveWhatTheHostGives) {
  using T = TypeParam;
  const std::vector<T> in = interesting_numbers<T>();
  const Buffer<T> deviceIn = this->device.upload(in);
  auto out = this->device.template zeros<whole::Bits<T>>(in.size());
  if (!this->run(
          [&] { kernels::whole::bits<T>(this->stream, khal::threads(in.size()), deviceIn, out); }))
    return;
  const std::vector<whole::Bits<T>> results = out.download();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const T a = in[i], b = in[in.size() - 1 - i];
    const whole::Bits<T> right = whole::bits_of(a, b);
    for (std::size_t j = 0; j < std::size(right.counts); ++j)
      ASSERT_EQ(results[i].counts[j], right.counts[j]) << "count " << j << " of " << +a;
    for (std::size_t j = 0; j < std::size(right.values); ++j)
      ASSERT_EQ(results[i].values[j], right.values[j])
          << "value " << j << " of " << +a << ", " << +b;
  }
}

TEST_F(Builtins, VectorsGiveWhatTheHostGives) {
  std::vector<khal::int4> in;
  const std::vector<std::uint32_t> numbers = interesting_numbers<std::uint32_t>();
  for (std::size_t i = 0; i + 4 <= numbers.size(); ++i) { // small enough not to overflow
    auto number = [&](std::size_t j) { return static_cast<std::int32_t>(numbers[i + j]) >> 4; };
    in.push_back({number(0), number(1), number(2), number(3)});
  }
  const auto deviceIn = device.upload(in);
  auto out = device.zeros<whole::Vectors>(in.size());
  if (!run([&] { kernels::whole::vectors(stream, khal::threads(in.size()), deviceIn, out); }))
    return;
  const std::vector<whole::Vectors> results = out.download();
  for (std::size_t i = 0; i < in.size(); ++i) {
    const whole::Vectors right = whole::vectors_of(in[i], in[in.size() - 1 - i]);
    ASSERT_TRUE(results[i].sums == right.sums) << i;
    ASSERT_TRUE(results[i].shifts == right.shifts) << i;
    ASSERT_TRUE(results[i].mixed == right.mixed) << i;
    ASSERT_TRUE(results[i].crossed == right.crossed) << i;
    ASSERT_TRUE(results[i].swizzled == right.swizzled) << i;
    ASSERT_EQ(results[i].picked, right.picked) << i;
    ASSERT_EQ(results[i].flags, right.flags) << i;
  }
}

TEST_F(Builtins, Indices) {
  const khal::uint3 groups(2, 3, 4), size(4, 2, 3), all = groups * size;
  auto seen = device.zeros<std::uint32_t>(std::size_t{all.x} * all.y * all.z * 12);
  kernels::whole::indices(stream, khal::groups(groups.x, groups.y, groups.z), seen);
  const std::vector<std::uint32_t> result = seen.download();
  std::size_t at = 0;
  for (std::uint32_t z = 0; z < all.z; ++z)
    for (std::uint32_t y = 0; y < all.y; ++y)
      for (std::uint32_t x = 0; x < all.x; ++x, at += 12) {
        const khal::uint3 id(x, y, z), group = id / size, local = id % size;
        const std::vector<std::uint32_t> right = {
            x,
            y,
            z,
            local.x,
            local.y,
            local.z,
            group.x,
            group.y,
            group.z,
            (local.z * size.y + local.y) * size.x + local.x,
            (group.z * groups.y + group.y) * groups.x + group.x,
            423 + 1000 * (all.x + 100 * all.y + 10000 * groups.z)};
        ASSERT_EQ(std::vector<std::uint32_t>(result.begin() + static_cast<std::ptrdiff_t>(at),
                                             result.begin() + static_cast<std::ptrdiff_t>(at + 12)),
                  right);
      }
}

template <class T> class Atomics : public Builtins {
protected:
  /// What `count` work-items with the values 1 … count leave in the cells of atomics.cpp.
  static void expect_results(const std::vector<T> &cells, std::size_t first, int count) {
    const T all = static_cast<T>(count * (count + 1) / 2);
    EXPECT_EQ(cells[first], all);
    EXPECT_EQ(cells[first + 1], static_cast<T>(T(0) - all));
    EXPECT_EQ(cells[first + 2], T(1));
    EXPECT_EQ(cells[first + 3], static_cast<T>(count));
    EXPECT_EQ(cells[first + 4] + cells[first + 5], all);
    EXPECT_EQ(cells[first + 6], static_cast<T>(2 * count));
  }
};
using AtomicTypes = testing::Types<khal::i32, khal::u32, khal::i64, khal::u64, float, double>;
TYPED_TEST_SUITE(Atomics, AtomicTypes);

TYPED_TEST(Atomics, Global) {
  using T = TypeParam;
  auto cells = this->device.upload(std::vector<T>{0, 0, 100000, 0, 0, 0, 0});
  if (this->run([&] { kernels::atomics::global<T>(this->stream, khal::groups(16), cells); }))
    this->expect_results(cells.download(), 0, 16 * 64);
}

TYPED_TEST(Atomics, Shared) {
  using T = TypeParam;
  auto cells = this->device.template zeros<T>(7 * 16);
  if (!this->run([&] { kernels::atomics::shared<T>(this->stream, khal::groups(16), cells); }))
    return;
  const std::vector<T> results = cells.download();
  for (std::size_t group = 0; group < 16; ++group)
    this->expect_results(results, group * 7, 64);
}

template <class T> class AtomicBits : public Builtins {};
using BitTypes = testing::Types<khal::u32, khal::u64>;
TYPED_TEST_SUITE(AtomicBits, BitTypes);

TYPED_TEST(AtomicBits, AndOrXor) {
  using T = TypeParam;
  auto cells = this->device.upload(std::vector<T>{static_cast<T>(~T(0)), 0, 5});
  // Three work-groups flip each bit an odd number of times for u64, and an even one for u32.
  if (!this->run([&] { kernels::atomics::bitwise<T>(this->stream, khal::groups(3), cells); }))
    return;
  const T all = static_cast<T>(~T(0));
  EXPECT_EQ(cells.download(), (std::vector<T>{0, all, sizeof(T) == 8 ? all ^ 5 : 5}));
}

TEST_F(Builtins, AtomicReferences) {
  auto cells = device.zeros<std::uint32_t>(3);
  kernels::atomics::reference(stream, khal::groups(4), cells);
  std::vector<std::uint32_t> right{4 * 256, 7, 5 * 256};
  std::vector<std::uint32_t> seen = cells.download();
  // lavapipe 22.3.6 leaves a divergent loop early after an atomic with memory semantics.
  if (is_llvmpipe(device))
    seen[2] = right[2];
  EXPECT_EQ(seen, right);
}

} // namespace

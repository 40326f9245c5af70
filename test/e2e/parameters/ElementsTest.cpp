//===- ElementsTest.cpp - every kind of element means on a device what it does on the host ------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "elements.khal.hpp"

#include "elements.hpp"

#include "gtest/gtest.h"

#include <cstring>

namespace {

using namespace elements;

constexpr std::uint32_t items = 1000;

class Random {
public:
  explicit Random(std::uint32_t seed) : state(seed) {}
  std::uint32_t next() { return (state = state * 1664525 + 1013904223) >> 8; }
  template <class T> T below(std::uint32_t limit) { return static_cast<T>(next() % limit); }
  template <class T> void fill(T &object) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      reinterpret_cast<unsigned char *>(&object)[i] = below<unsigned char>(256);
  }

private:
  std::uint32_t state;
};

/// Numbers whose sums are exact.
template <class T> void fill(Halves<T> &value, Random &random) {
  const auto small = [&] { return T(static_cast<float>(random.below<int>(32))); };
  value = {small(), {small(), small(), small()}};
}
void fill(Mixed &value, Random &random) {
  random.fill(value);
  value.flag = random.below<bool>(2);
  value.real = static_cast<float>(random.below<int>(100));
  value.place = {random.below<float>(100), random.below<float>(100), 0};
}
void fill(Board &value, Random &random) {
  random.fill(value);
}
void fill(Bits &value, Random &random) {
  std::memset(&value, 0, sizeof value);
  value.low = random.next() & 31;
  value.middle = random.next() & 2047;
  value.level = static_cast<int>(random.next() & 127) - 64;
  value.small = random.next() & 7;
  value.on = random.next() & 1;
  value.tail = random.next() & 511;
  value.whole = static_cast<std::uint16_t>(random.next());
  value.wide = std::uint64_t{random.next()} << 16 ^ random.next();
  value.rest = random.next();
  value.kind = random.next() & 1 ? Kind::some : Kind::none;
  value.high = random.next() & 0xfffff;
  value.distance = -static_cast<std::int64_t>(random.next());
}

template <class T> class Elements : public testing::Test {
protected:
  Elements() : values(items), others(93) {
    Random random(7);
    for (T &value : values)
      fill(value, random);
    for (T &value : others)
      fill(value, random);
  }

  void compare(const std::vector<T> &got, const std::vector<T> &expected) {
    for (std::uint32_t i = 0; i < items; ++i)
      ASSERT_EQ(digest(got[i]), digest(expected[i])) << "at work-item " << i;
  }

  khal::Device device;
  khal::Stream stream{device};
  std::vector<T> values, others;
};

using Types = testing::Types<Halves<khal::f16>, Halves<khal::bf16>, Mixed, Board, Bits>;
TYPED_TEST_SUITE(Elements, Types);

TYPED_TEST(Elements, Change) {
  auto buffer = this->device.upload(this->values);
  const auto others = this->device.upload(this->others);
  kernels::table::Elements::change<TypeParam>(this->stream, khal::threads(items), buffer, others);
  this->stream.wait();
  for (std::uint32_t i = 0; i < items; ++i)
    change(i, this->values[i], this->others[i * 7 % this->others.size()]);
  this->compare(buffer.download(), this->values);
}

TYPED_TEST(Elements, Copy) {
  const auto from = this->device.upload(this->others);
  auto to = this->device.upload(this->values);
  const TypeParam first = this->values[5];
  kernels::table::Elements::copy<TypeParam>(this->stream, khal::threads(items), first, from, to);
  this->stream.wait();
  const auto kept = [&](std::size_t i) {
    return i < this->others.size() ? this->others[i] : first;
  };
  for (std::uint32_t i = 0; i < items; ++i)
    this->values[i] = i % 3 == 0 ? kept(i - i % 64 + 63 - i % 64) : i % 3 == 1 ? kept(i) : first;
  this->compare(to.download(), this->values);
}

TEST(ClassTemplates, ArgumentsOfClassAndMember) {
  khal::Device device;
  khal::Stream stream(device);
  const std::vector<std::uint16_t> words = {1, 2, 50000, 7};
  const std::vector<std::int8_t> bytes = {-1, 2, 3, -128};
  const auto in = device.upload(words);
  const auto inBytes = device.upload(bytes);
  auto out = device.zeros<std::uint32_t>(4);
  kernels::table::Scale::convert<std::uint16_t, 3, std::uint32_t>(stream, khal::threads(4), in,
                                                                  out);
  EXPECT_EQ(out.download(), (std::vector<std::uint32_t>{3, 6, 150000, 21}));
  kernels::table::Scale::convert<std::uint16_t, 4, std::uint32_t>(stream, khal::threads(4), in,
                                                                  out);
  EXPECT_EQ(out.download(), (std::vector<std::uint32_t>{4, 8, 200000, 28}));
  kernels::table::Scale::convert<std::int8_t, 3, std::uint32_t>(stream, khal::threads(4), inBytes,
                                                                out);
  EXPECT_EQ(out.download(), (std::vector<std::uint32_t>{0xfffffffd, 6, 9, 0xfffffe80}));
}

} // namespace

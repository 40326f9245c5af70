//===- FormsTest.cpp - each form of parameter arrives in the kernel as it was passed ------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the device that KHAL_DEVICE names.
//
//===---------------------------------------------------------------------------------------------===//

#include "forms.khal.hpp"
// A second time, and another header that declares the same structs: nothing is declared twice.
#include "forms.khal.hpp"
#include "more_forms.khal.hpp"

#include "gtest/gtest.h"

namespace {

using khal::Buffer;
using khal::groups;

class Forms : public testing::Test {
protected:
  template <class T> Buffer<T> zeros(std::size_t count) { return device.zeros<T>(count); }

  khal::Device device;
  khal::Stream stream{device};
};

TEST_F(Forms, Spans) {
  auto a = zeros<float>(3);
  const auto b = device.upload<double>({2.5, 0, 0, 0, 0});
  auto seen = zeros<std::uint32_t>(2);
  kernels::forms::spans(stream, groups(1), a, b, seen);
  EXPECT_EQ(seen.download(), (std::vector<std::uint32_t>{3, 5}));
  EXPECT_EQ(a.download(), (std::vector<float>{0, 0, 2.5f}));
}

TEST_F(Forms, SlicesStandForBuffers) {
  auto a = zeros<float>(8);
  const auto b = device.upload<double>({0, 0, 0, 4.5, 0});
  auto seen = zeros<std::uint32_t>(2);
  kernels::forms::spans(stream, groups(1), a.slice(2, 4), b.slice(3), seen);
  EXPECT_EQ(seen.download(), (std::vector<std::uint32_t>{4, 2}));
  EXPECT_EQ(a.download(), (std::vector<float>{0, 0, 0, 0, 0, 4.5f, 0, 0}));
}

TEST_F(Forms, References) {
  auto total = device.upload<std::uint32_t>({41});
  const auto place = device.upload<khal::float3>({{1, 2, 3}});
  auto seen = zeros<float>(1);
  kernels::forms::references(stream, groups(1), total, place, seen);
  EXPECT_EQ(total.download()[0], 42u);
  EXPECT_EQ(seen.download()[0], 3.0f);
}

TEST_F(Forms, ReferenceNeedsAnElement) {
  auto total = zeros<std::uint32_t>(0);
  const auto place = device.upload<khal::float3>({{1, 2, 3}});
  auto seen = zeros<float>(1);
  EXPECT_THROW(kernels::forms::references(stream, groups(1), total, place, seen), khal::Error);
}

TEST_F(Forms, Pointers) {
  const auto in = device.upload<std::int32_t>({1, 2, -3});
  auto out = zeros<std::int32_t>(2);
  kernels::forms::pointers(stream, groups(1), in, out);
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{0, -3}));
}

TEST_F(Forms, Values) {
  auto seen = zeros<double>(6);
  kernels::forms::values(stream, groups(1), 200, -1e300, true, {1.5f, 2.5f, 3.5f},
                         forms::Mode::subtract, seen);
  EXPECT_EQ(seen.download(), (std::vector<double>{200, -1e300, 1, 1.5, 3.5, 5}));
}

TEST_F(Forms, Structs) {
  forms::Mixed mixed{};
  mixed.flag = true;
  mixed.pair = {7, 0.125};
  mixed.place = {1, 2, 3};
  mixed.table[1][2] = -300;
  mixed.colour = {1, 2, 3, 4};
  forms::Word word{};
  word.number = 1.25f;
  forms::Row<std::int16_t, 3> row{{1, 2, -9}};
  auto seen = zeros<double>(12);
  kernels::forms::structs(stream, groups(1), mixed, {6.5f, 65535}, word, {11, 12}, row, seen);
  EXPECT_EQ(seen.download(),
            (std::vector<double>{1, 7, 0.125, 2, -300, 4, 6.5, 65535, 1.25, 11, 12, -9}));
}

TEST_F(Forms, ElementsThatAreStructs) {
  std::vector<forms::Mixed> mixed(2);
  mixed[1].pair.second = 0.75;
  const shapes::Sphere sphere{{1, 2, 3}, 4, shapes::Fixed16(-2.5f)};
  const auto deviceMixed = device.upload(mixed);
  auto spheres = device.upload(std::vector<shapes::Sphere>{{}, sphere});
  auto seen = zeros<double>(3);
  kernels::forms::elements(stream, groups(1), deviceMixed, spheres, seen);
  EXPECT_EQ(seen.download(), (std::vector<double>{0.75, 8, -2.5}));
  const shapes::Sphere copied = spheres.download()[0];
  EXPECT_EQ(copied.middle, sphere.middle);
  EXPECT_EQ(copied.weight.raw(), sphere.weight.raw());
}

TEST_F(Forms, StructOfBuffers) {
  auto first = device.upload<float>({1.5f}), second = device.upload<float>({0, 2.5f, 0});
  auto written = zeros<std::uint32_t>(1);
  auto raw = zeros<std::int32_t>(3);
  auto seen = zeros<float>(6);
  const kernels::forms::View view{{{first, 10}, {second, 20}}, 0.5f, written, raw};
  kernels::forms::view(stream, groups(1), view, seen);
  EXPECT_EQ(seen.download(), (std::vector<float>{1.5f, 2.5f, 3, 10, 20, 0.5f}));
  EXPECT_EQ(written.download()[0], 77u);
  EXPECT_EQ(raw.download()[2], -5);
}

TEST_F(Forms, TemplateOfBuffers) {
  auto values = device.upload<std::int32_t>({40});
  kernels::forms::handle(stream, groups(1), {values, 2});
  EXPECT_EQ(values.download()[0], 42);
}

TEST_F(Forms, KernelThatIsAMemberOfAStructOfBuffers) {
  auto cells = device.upload<std::uint32_t>({5});
  kernels::forms::Tally::count(stream, groups(1), {cells, 3});
  EXPECT_EQ(cells.download()[0], 8u);
}

TEST_F(Forms, OverlapIsRefusedUnlessTheKernelAllowsIt) {
  auto both = device.upload<std::uint32_t>({1, 2});
  kernels::forms::aliased(stream, groups(1), both, both);
  EXPECT_EQ(both.download(), (std::vector<std::uint32_t>{5, 6}));

  auto words = zeros<std::uint32_t>(1);
  EXPECT_THROW(kernels::forms::names(stream, groups(1), words, 1, 2, words), khal::Error);
}

TEST_F(Forms, SharedSpan) {
  auto seen = zeros<std::uint32_t>(4);
  kernels::forms::tiled(stream, groups(1), khal::shared(9), seen);
  EXPECT_EQ(seen.download(), (std::vector<std::uint32_t>{12, 11, 10, 9}));
}

TEST_F(Forms, NamesThatTheStubWouldUse) {
  auto a = zeros<std::uint32_t>(1), b = zeros<std::uint32_t>(1);
  kernels::forms::names(stream, groups(1), a, 3, 4, b);
  EXPECT_EQ(a.download()[0], 3u);
  EXPECT_EQ(b.download()[0], 4u);
}

TEST_F(Forms, StaticMemberFunction) {
  auto seen = zeros<std::uint32_t>(1);
  kernels::forms::Tools::set(stream, groups(1), seen, 9);
  EXPECT_EQ(seen.download()[0], 9u);
}

TEST_F(Forms, Overloads) {
  auto narrow = zeros<std::uint32_t>(1);
  auto wide = zeros<double>(1);
  kernels::forms::overloaded(stream, groups(1), narrow);
  kernels::forms::overloaded(stream, groups(1), wide);
  EXPECT_EQ(narrow.download()[0], 32u);
  EXPECT_EQ(wide.download()[0], 64.0);
}

TEST_F(Forms, InstancesOfATemplate) {
  auto real = zeros<float>(1);
  auto whole = zeros<std::int32_t>(1);
  kernels::forms::instance<float, 1, forms::Twice, false>(stream, groups(1), real, 0.5f);
  kernels::forms::instance<std::int32_t, 4, forms::Twice, true>(stream, groups(1), whole, 10);
  EXPECT_EQ(real.download()[0], 2.5f);
  EXPECT_EQ(whole.download()[0], -2);
}

TEST_F(Forms, NoParameters) {
  kernels::nothing(stream, groups(1));
  EXPECT_NO_THROW(stream.wait());
}

TEST_F(Forms, TwoHeadersShareAStruct) {
  auto seen = zeros<double>(1);
  kernels::more::second_of(stream, groups(1), forms::Pair{1, 2.25}, seen);
  EXPECT_EQ(seen.download()[0], 2.25);
}

} // namespace

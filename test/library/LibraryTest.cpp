//===- LibraryTest.cpp - every operation of the library on every type -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the device that KHAL_DEVICE names, and prints the grid: operation by type.
//
//===-------------------------------------------------------------------------------------------===//
#include "Grid.h"
#include "pure.hpp"

#include "collective.khal.hpp"
#include "pure.khal.hpp"

#include "gtest/gtest.h"

#include <cmath>
#include <map>
#include <random>
#include <set>

namespace library {

namespace {

template <class T> const char *nameOf();
#define TYPE(T, name)                                                                              \
  template <> const char *nameOf<T>() {                                                            \
    return #name;                                                                                  \
  }
#include "types.def"

/// Whole-range integers; floating-point numbers whose sums and products stay normal.
template <class T> std::vector<T> numbers(std::size_t count) {
  std::mt19937_64 random(count + sizeof(T));
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (Integer<T>) {
      const u64 bits = random();
      // Of each width, not just of the greatest.
      values.push_back(static_cast<T>(i % 3 ? bits >> (bits & 63) : bits));
    } else {
      const int exponent = static_cast<int>(random() % 9) - 4;
      const double mantissa = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
      values.push_back(static_cast<T>(std::ldexp(i % 2 ? mantissa : -mantissa, exponent)));
    }
  }
  if constexpr (Integer<T>) {
    values[0] = 0;
    values[1] = static_cast<T>(~T(0));
    values[2] = detail::lowest<T>();
    values[3] = detail::highest<T>();
  } else {
    values[0] = T(0.0f);
    values[1] = T(-0.5f);
    values[2] = T(2.5f);
  }
  return values;
}

class Library : public testing::Test {
protected:
  /// Runs launches; false, with every cell of the section saying why, if the device can't.
  template <class Launches> bool run(const char *section, const char *type, Launches launches) {
    try {
      launches();
      stream.wait();
      return true;
    } catch (const khal::Error &error) {
      if (error.code() != khal::ErrorCode::unsupported)
        throw;
      grid::cannot(section, type, error.what());
      return false;
    }
  }

  void check(const char *operation, const char *type, Cell got, Cell right, std::size_t at) {
    if (got == right)
      return grid::passed(operation, type);
    grid::failed(operation, type);
    // One line a cell, not one a work-item.
    if (said.insert(std::string(operation) + type).second)
      ADD_FAILURE() << operation << " of " << type << " at " << at << " gave " << std::hex
                    << got.high << ":" << got.low << ", not " << right.high << ":" << right.low;
  }

  khal::Device device;
  khal::Stream stream{device};
  std::set<std::string> said;
};

template <class T> class Typed : public Library {};
/// Names a type without its run-time type information, which f16 lacks.
template <class T> struct Of {
  using type = T;
};
using Types =
    testing::Types<Of<i8>, Of<u8>, Of<i16>, Of<u16>, Of<i32>, Of<u32>, Of<i64>, Of<u64>, Of<f16>,
                   Of<bf16>, Of<float>, Of<double>>;
TYPED_TEST_SUITE(Typed, Types);

TYPED_TEST(Typed, PureOperationsGiveTheHostsBits) {
  using T = typename TypeParam::type;
  const char *const type = nameOf<T>();
  const std::vector<T> in = numbers<T>(500);
  const auto deviceIn = this->device.upload(in);
  auto out = this->device.template zeros<Cell>(in.size() * pure_rows);
  if (!this->run("pure", type, [&] {
        kernels::library::pure<T>(this->stream, khal::threads(in.size()), deviceIn, out);
      }))
    return;
  const std::vector<Cell> got = out.download();
  for (std::size_t i = 0; i < in.size(); ++i) {
    Cell right[pure_rows]{};
    pure_cells(in[i], in[in.size() - 1 - i], in[(i * 7 + 3) % in.size()], static_cast<u32>(i * 37),
               right);
#define PURE(name, Kind, ...)                                                                      \
  if constexpr (Kind<T>)                                                                           \
    this->check(#name, type, got[i * pure_rows + pure_##name], right[pure_##name], i);             \
  else                                                                                             \
    grid::not_taken(#name, type);
#include "grid.def"
  }
}

constexpr detail::Combine combine_add = detail::Combine::add;
constexpr detail::Combine combine_mul = detail::Combine::multiply;
constexpr detail::Combine combine_min = detail::Combine::minimum;
constexpr detail::Combine combine_max = detail::Combine::maximum;
constexpr detail::Combine combine_and = detail::Combine::bit_and;
constexpr detail::Combine combine_or = detail::Combine::bit_or;
constexpr detail::Combine combine_xor = detail::Combine::bit_xor;

/// Values whose sums and products are exact, in whichever order they are made.
template <class T> std::vector<T> exactNumbers(std::size_t count) {
  if constexpr (Integer<T>)
    return numbers<T>(count);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(T((i % 2 ? 2.0f : 0.5f) * (i % 7 < 3 ? -1.0f : 1.0f)));
  return values;
}

/// What a combination of values in their order gives at each: over all, up to it, and before it.
template <detail::Combine O, class T> struct Combined {
  using Wide = detail::widened<T>;
  Wide all = detail::neutral<O, Wide>();
  std::vector<T> upTo, before;

  template <class F> Combined(const std::vector<T> &values, F combine) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      before.push_back(i == 0 ? detail::neutral<O, T>() : static_cast<T>(all));
      all = i == 0 ? static_cast<Wide>(values[i]) : combine(all, static_cast<Wide>(values[i]));
      upTo.push_back(static_cast<T>(all));
    }
  }
};

TYPED_TEST(Typed, SubgroupsCombineAndMoveWhatActiveLanesHave) {
  using T = typename TypeParam::type;
  const char *const type = nameOf<T>();
  constexpr std::size_t groups = 3, items = 100;
  const std::vector<T> in = exactNumbers<T>(groups * items);
  const auto deviceIn = this->device.upload(in);
  for (const u32 chosen : {0xffu, 0x55u, 0x16u}) {
    auto out = this->device.template zeros<Cell>(in.size() * subgroup_rows);
    auto places = this->device.template zeros<Place>(in.size());
    if (!this->run("subgroup", type, [&] {
          kernels::library::subgroups<T>(this->stream, khal::groups(groups), deviceIn, out, places,
                                         chosen);
        }))
      return;
    const std::vector<Cell> got = out.download();
    const std::vector<Place> at = places.download();
    // The active lanes of each subgroup of each group, in order.
    std::map<std::pair<std::size_t, u32>, std::map<u32, std::size_t>> subgroups;
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_LT(at[i].lane, at[i].size);
      if (at[i].took_part)
        subgroups[{i / items, at[i].subgroup}][at[i].lane] = i;
    }
    for (const auto &[where, lanes] : subgroups) {
      std::vector<T> values;
      for (const auto &[lane, item] : lanes)
        values.push_back(in[item]);
#define SUBGROUP(name, Kind, ...)                                                                  \
  if constexpr (Kind<T>) {                                                                         \
    const Combined<combine_##name, T> right(                                                       \
        values, [](auto a, auto b) -> decltype(a) { return __VA_ARGS__; });                        \
    std::size_t position = 0;                                                                      \
    for (const auto &[lane, item] : lanes) {                                                       \
      const Cell *cells = &got[item * subgroup_rows];                                              \
      this->check("subgroup_" #name, type, cells[over_##name], cell(static_cast<T>(right.all)),    \
                  item);                                                                           \
      this->check("subgroup_" #name, type, cells[inclusive_##name], cell(right.upTo[position]),    \
                  item);                                                                           \
      this->check("subgroup_" #name, type, cells[exclusive_##name], cell(right.before[position]),  \
                  item);                                                                           \
      ++position;                                                                                  \
    }                                                                                              \
  } else {                                                                                         \
    grid::not_taken("subgroup_" #name, type);                                                      \
  }
#include "grid.def"
      const u32 first = lanes.begin()->first;
      const u32 n = 1;
      (void)n;
      for (const auto &[lane, item] : lanes) {
        // A lane that isn't there, or takes no part, gives nothing that could be checked.
#define MOVE(name, call, ...)                                                                      \
  if (const auto from = lanes.find(__VA_ARGS__); from != lanes.end())                              \
    this->check(#name, type, got[item * subgroup_rows + move_##name], cell(in[from->second]), item);
#include "grid.def"
        (void)first;
        (void)lane;
      }
    }
    // In subgroups of one, each lane has just itself to move values from.
    if (at[0].size == 1)
      for (const char *alone : {"shuffle", "shuffle_xor", "shuffle_up", "shuffle_down"})
        grid::not_taken(alone, type);
  }
}

TEST_F(Library, SubgroupsVote) {
  const std::vector<u32> in = numbers<u32>(256);
  auto out = device.zeros<u32>(in.size() * 8);
  auto places = device.zeros<Place>(in.size());
  kernels::library::votes(stream, khal::threads(in.size()), device.upload(in), out, places);
  stream.wait();
  const std::vector<u32> got = out.download();
  const std::vector<Place> at = places.download();
  std::map<std::pair<std::size_t, u32>, std::vector<std::size_t>> subgroups;
  for (std::size_t i = 0; i < in.size(); ++i)
    subgroups[{i / 64, at[i].subgroup}].push_back(i);
  for (const auto &[where, items] : subgroups) {
    u32 ballot[4] = {}, count = 0, elected = 0;
    for (const std::size_t i : items) {
      count += in[i] & 1;
      ballot[at[i].lane / 32] |= (in[i] & 1) << at[i].lane % 32;
    }
    for (const std::size_t i : items) {
      const u32 *mine = &got[i * 8];
      EXPECT_EQ(mine[0], count > 0);
      EXPECT_EQ(mine[1], count == items.size());
      elected += mine[2];
      EXPECT_EQ(mine[3], count);
      for (int word = 0; word < 4; ++word)
        EXPECT_EQ(mine[4 + word], ballot[word]);
    }
    EXPECT_EQ(elected, 1u);
  }
}

TEST_F(Library, SubgroupsWorkOnVectorsByComponent) {
  std::vector<uint3> in;
  for (u32 i = 0; i < 128; ++i)
    in.push_back(uint3(i, i * i, 1000 - i));
  auto out = device.zeros<uint3>(in.size());
  kernels::library::subgroup_vectors(stream, khal::threads(in.size()), device.upload(in), out);
  stream.wait();
  for (const uint3 &flags : out.download())
    EXPECT_TRUE(flags == uint3(1, 1, 1));
}

TYPED_TEST(Typed, GroupsCombineInTheOrderOfTheirWorkItems) {
  using T = typename TypeParam::type;
  const char *const type = nameOf<T>();
  constexpr std::size_t groups = 3, items = 100;
  const std::vector<T> in = exactNumbers<T>(groups * items);
  const auto deviceIn = this->device.upload(in);
  auto out = this->device.template zeros<Cell>(in.size() * group_rows);
  if (!this->run("group", type, [&] {
        kernels::library::groups<T>(this->stream, khal::groups(groups), deviceIn, out);
      }))
    return;
  const std::vector<Cell> got = out.download();
  for (std::size_t group = 0; group < groups; ++group) {
    const std::vector<T> values(in.begin() + group * items, in.begin() + (group + 1) * items);
#define GROUP(name, Kind, ...)                                                                     \
  if constexpr (Kind<T>) {                                                                         \
    const Combined<combine_##name, T> right(                                                       \
        values, [](auto a, auto b) -> decltype(a) { return __VA_ARGS__; });                        \
    for (std::size_t i = 0; i < items; ++i) {                                                      \
      const Cell *cells = &got[(group * items + i) * group_rows];                                  \
      this->check("group_" #name, type, cells[all_##name], cell(static_cast<T>(right.all)), i);    \
      this->check("group_" #name, type, cells[up_to_##name], cell(right.upTo[i]), i);              \
      this->check("group_" #name, type, cells[before_##name], cell(right.before[i]), i);           \
    }                                                                                              \
  } else {                                                                                         \
    grid::not_taken("group_" #name, type);                                                         \
  }
#include "grid.def"
  }
}

/// The order in which group_add adds: each of the first 32 work-items every 32nd value, then those
/// sums one after another.
float groupSum(const float *values, u32 items) {
  float sum = 0;
  for (u32 part = 0; part < std::min(items, 32u); ++part) {
    float partSum = values[part];
    for (u32 i = part + 32; i < items; i += 32)
      partSum += values[i];
    sum = part == 0 ? partSum : sum + partSum;
  }
  return sum;
}

/// The order in which scans add: within 32 parts of neighbours, then the sums of whole parts.
float groupScan(const float *values, u32 items, u32 last) {
  const u32 partItems = (items + 31) / 32;
  const auto part = [&](u32 first, u32 end) {
    float sum = values[first];
    for (u32 i = first + 1; i < end; ++i)
      sum += values[i];
    return sum;
  };
  float sum = part(0, std::min(partItems, last + 1));
  for (u32 first = partItems; first <= last; first += partItems)
    sum += part(first, std::min(first + partItems, last + 1));
  return sum;
}

template <class Launch> void expectGroupFunctions(khal::Device &device, u32 items, Launch launch) {
  const std::vector<float> in = numbers<float>(2 * items + 3);
  auto out = device.zeros<float>(items * 2 * 8);
  launch(device.upload(in), out);
  const std::vector<float> got = out.download();
  for (u32 group = 0; group < 2; ++group) {
    const float *values = &in[group * items];
    u32 positive = 0;
    float most = -std::numeric_limits<float>::infinity();
    for (u32 i = 0; i < items; ++i)
      positive += values[i] > 0;
    for (u32 i = 0; i < items; ++i) {
      const float *mine = &got[(group * items + i) * 8];
      ASSERT_EQ(mine[0], groupSum(values, items)) << "of " << items;
      ASSERT_EQ(mine[1], groupScan(values, items, i)) << i << " of " << items;
      ASSERT_EQ(mine[2], most) << i << " of " << items;
      ASSERT_EQ(mine[3], 0.0f);
      ASSERT_EQ(mine[4], 1.0f);
      ASSERT_EQ(mine[5], static_cast<float>(positive));
      ASSERT_EQ(mine[6], values[items - 1]);
      ASSERT_EQ(mine[7], static_cast<float>(items));
      most = std::max(most, values[i]);
    }
  }
}

#define GROUP_SIZE(name, ...)                                                                      \
  TEST_F(Library, GroupFunctionsOf_##name) {                                                       \
    const u32 sizes[] = {__VA_ARGS__};                                                             \
    u32 items = 1;                                                                                 \
    for (const u32 size : sizes)                                                                   \
      items *= size;                                                                               \
    expectGroupFunctions(device, items, [&](const auto &in, auto &out) {                           \
      kernels::library::name(stream, khal::groups(2), in, out);                                    \
      stream.wait();                                                                               \
    });                                                                                            \
  }
#include "sizes.def"

TEST_F(Library, PackingGivesTheHostsBits) {
  std::vector<float4> vectors;
  std::mt19937 random(1);
  std::uniform_real_distribution<float> inside(-1.2f, 1.2f);
  for (int i = 0; i < 500; ++i)
    vectors.push_back(float4(inside(random), inside(random), inside(random), inside(random)));
  // Ties of halves, what underflows them and what overflows them.
  vectors[0] = float4(1.00048828125f, 1.00146484375f, 0, 1);
  vectors[1] = float4(0x1p-25f, 0x1.8p-25f, -1, 0.5f);
  vectors[2] = float4(65519.0f, 65520.0f, -0.5f, 2);
  vectors[3] = float4(0x1.ffcp-15f, 0x1.ffep-15f, 1, -1);
  const std::vector<u32> words = numbers<u32>(vectors.size());
  auto out = device.zeros<Packing>(words.size());
  kernels::library::packing(stream, khal::threads(words.size()), device.upload(vectors),
                            device.upload(words), out);
  stream.wait();
  const std::vector<Packing> got = out.download();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Packing right = packing_of(vectors[i], words[i], words[words.size() - 1 - i]);
    for (std::size_t j = 0; j < std::size(right.words); ++j)
      ASSERT_EQ(got[i].words[j], right.words[j]) << "word " << j << " at " << i;
    for (std::size_t j = 0; j < std::size(right.values); ++j) {
      if (std::isnan(right.values[j]))
        ASSERT_TRUE(std::isnan(got[i].values[j]));
      else // Vulkan allows 2.5 units in the last place to a division
        ASSERT_LE(std::abs(got[i].values[j] - right.values[j]),
                  3 * 0x1p-23f * std::abs(right.values[j]))
            << "value " << j << " at " << i;
    }
  }
}

// From Random123's own file of known answers (Salmon and others, kat_vectors): counter, key, result.
TEST(Random, PhiloxGivesItsPublishedVectors) {
  EXPECT_TRUE(philox4x32(uint4(0), uint2(0)) ==
              uint4(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  EXPECT_TRUE(philox4x32(uint4(~0u), uint2(~0u)) ==
              uint4(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_TRUE(philox4x32(uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
                         uint2(0xa4093822, 0x299f31d0)) ==
              uint4(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST_F(Library, RandomNumbersAreTheHosts) {
  auto out = device.zeros<u32>(64 * 8);
  kernels::library::random(stream, khal::groups(1), out, uint2(7, 9));
  stream.wait();
  const std::vector<u32> got = out.download();
  for (u32 item = 0; item < 64; ++item) {
    philox numbers(u64{9} << 32 | 7, item);
    for (u32 i = 0; i < 8; ++i)
      ASSERT_EQ(got[item * 8 + i], numbers()) << item << ", " << i;
  }
}

TEST_F(Library, RangesTakeEachNumberOnce) {
  for (const u32 n : {0u, 1u, 63u, 192u, 1000u}) {
    auto out = device.zeros<u32>(n + 1);
    kernels::library::strides(stream, khal::groups(3), out, n);
    stream.wait();
    const std::vector<u32> got = out.download();
    for (u32 i = 0; i < n; ++i)
      ASSERT_EQ(got[i], 0x10101u) << i << " of " << n;
    ASSERT_EQ(got[n], 0u);
  }
}

TEST(Ranges, EndAtTheirEnd) {
  std::vector<u32> seen;
  for (u32 i : range(5, 0xffffffffu, 0x7fffffffu))
    seen.push_back(i);
  EXPECT_EQ(seen, (std::vector<u32>{5, 0x80000004u}));
  EXPECT_EQ(range(7, 7).size(), 0u);
  EXPECT_EQ(range(9, 3).size(), 0u);
}

} // namespace

} // namespace library

//===- BarrierTest.cpp - kernels on the CPU give what they say -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "RunKernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

using khalc::test::Arguments;
using khalc::test::CompiledFile;

namespace {

struct Variant {
  unsigned optimisationLevel;
  const char *level;
};

/// kernels.cpp at one optimisation level, compiled once for all tests of it.
class Barriers : public testing::TestWithParam<Variant> {
protected:
  void SetUp() override {
    static std::map<unsigned, std::unique_ptr<CompiledFile>> files;
    std::unique_ptr<CompiledFile> &known =
        files[GetParam().optimisationLevel * 2 + (GetParam().level[0] == 'n')];
    if (!known)
      known = std::make_unique<CompiledFile>(KHAL_TEST_KERNELS, GetParam().optimisationLevel,
                                             GetParam().level);
    file = known.get();
    ASSERT_TRUE(file->compiled());
  }

  CompiledFile *file = nullptr;
};

std::vector<uint32_t> numbers(size_t count, uint32_t seed = 1) {
  std::vector<uint32_t> result(count);
  for (uint32_t &number : result) {
    seed = seed * 1664525u + 1013904223u;
    number = seed >> 12;
  }
  return result;
}

/// Applies `group(first item of the group, number of the group)` to a copy of `data`.
template <class F> std::vector<uint32_t> byGroup(std::vector<uint32_t> data, size_t size, F group) {
  for (size_t g = 0; g < data.size() / size; ++g)
    group(data.data() + g * size, static_cast<uint32_t>(g));
  return data;
}

TEST_P(Barriers, Reverse) {
  std::vector<uint32_t> data = numbers(64 * 5);
  std::vector<uint32_t> expected =
      byGroup(data, 64, [](uint32_t *d, uint32_t) { std::reverse(d, d + 64); });
  file->run("reverse", {5, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, LoopAroundBarrier) {
  std::vector<uint32_t> data = numbers(1000), sums(4), expected(4);
  for (size_t i = 0; i < data.size(); ++i)
    expected[i / 256] += data[i];
  file->run("tree_sum", {4, 1, 1}, Arguments().buffer(data).buffer(sums));
  EXPECT_EQ(sums, expected);
}

TEST_P(Barriers, NestedLoops) {
  std::vector<uint32_t> data = numbers(128 * 3);
  std::vector<uint32_t> expected =
      byGroup(data, 128, [](uint32_t *d, uint32_t) { std::sort(d, d + 128); });
  file->run("bitonic", {3, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, Branches) {
  for (uint32_t choice = 0; choice < 4; ++choice) {
    std::vector<uint32_t> data = numbers(32 * 2);
    std::vector<uint32_t> expected = byGroup(data, 32, [&](uint32_t *d, uint32_t) {
      std::vector<uint32_t> old(d, d + 32);
      for (uint32_t i = 0; i < 32; ++i)
        d[i] = choice & 1 ? old[i] * 10 + old[(i + 1) % 32] : old[i] + 7;
      old.assign(d, d + 32);
      for (uint32_t i = 0; i < 32; ++i)
        d[i] = choice & 2 ? old[i] ^ 0x55 : old[i] - old[i ^ 1];
    });
    file->run("branches", {2, 1, 1}, Arguments().buffer(data).value(choice));
    EXPECT_EQ(data, expected) << choice;
  }
}

TEST_P(Barriers, PrivateArrays) {
  constexpr uint32_t rounds = 13;
  std::vector<uint32_t> data(16 * 3);
  std::vector<uint32_t> expected = byGroup(data, 16, [&](uint32_t *d, uint32_t) {
    uint32_t history[16][8], tile[16];
    for (uint32_t i = 0; i < 16; ++i)
      for (uint32_t k = 0; k < 8; ++k)
        history[i][k] = i * 8 + k;
    for (uint32_t r = 0; r < rounds; ++r) {
      for (uint32_t i = 0; i < 16; ++i) {
        // scratch[(k + i) % 4] = history[(k + r) % 8], read at r % 4
        uint32_t k = (r % 4 + 4 - i % 4) % 4;
        tile[i] = history[i][(k + r) % 8];
      }
      for (uint32_t i = 0; i < 16; ++i)
        history[i][(i + r) % 8] += tile[(i + 1) % 16];
    }
    for (uint32_t i = 0; i < 16; ++i)
      d[i] = std::accumulate(history[i], history[i] + 8, 0u,
                             [](uint32_t sum, uint32_t h) { return sum * 31 + h; });
  });
  file->run("private_arrays", {3, 1, 1}, Arguments().buffer(data).value(rounds));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, ThreeDimensions) {
  std::vector<uint32_t> data = numbers(105 * 8);
  std::vector<uint32_t> expected = byGroup(data, 105, [](uint32_t *d, uint32_t) {
    std::vector<uint32_t> tile(105);
    for (uint32_t i = 0; i < 105; ++i)
      tile[i] = d[104 - i] + i % 7 + 10 * (i / 7 % 5) + 100 * (i / 35);
    for (uint32_t i = 0; i < 105; ++i)
      d[i] = tile[(i + 35) % 105];
  });
  file->run("three_dimensions", {2, 1, 4}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, RotatingValues) {
  for (uint32_t rounds : {0u, 1u, 2u, 9u}) {
    std::vector<uint32_t> data(32 * 2);
    std::vector<uint32_t> expected = byGroup(data, 32, [&](uint32_t *d, uint32_t) {
      std::vector<std::array<uint32_t, 4>> v(32);
      for (uint32_t i = 0; i < 32; ++i)
        v[i] = {i, i + 1, i + 2, 1};
      for (uint32_t r = 0; r < rounds; ++r) {
        auto old = v;
        for (uint32_t i = 0; i < 32; ++i) {
          uint32_t seen = old[(i + r) % 32][0];
          v[i] = {old[i][1], r % 2 ? old[i][2] + seen : old[i][2], old[i][3], old[i][0] + seen};
        }
      }
      for (uint32_t i = 0; i < 32; ++i)
        d[i] = v[i][0] + 3 * v[i][1] + 5 * v[i][2] + 7 * v[i][3] + rounds % 2;
    });
    file->run("rotating_values", {2, 1, 1}, Arguments().buffer(data).value(rounds));
    EXPECT_EQ(data, expected) << rounds;
  }
}

TEST_P(Barriers, HelperCalledTwice) {
  std::vector<uint32_t> data = numbers(64 * 3);
  std::vector<uint32_t> expected = byGroup(data, 64, [](uint32_t *d, uint32_t) {
    std::vector<uint32_t> once(64);
    std::partial_sum(d, d + 64, once.begin());
    for (uint32_t i = 0, sum = 0; i < 64; ++i)
      d[i] = (sum += once[i] % 17) + once[i];
  });
  file->run("helper_twice", {3, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, LoopUntilAgreed) {
  std::vector<uint32_t> data = numbers(32 * 4), rounds(4), expectedRounds(4);
  for (size_t i = 0; i < data.size(); ++i) {
    data[i] = data[i] % 90 + 1;
    uint32_t steps = 0;
    for (uint32_t n = data[i]; n > 1; ++steps)
      n = n % 2 ? n * 3 + 1 : n / 2;
    // The round in which nothing changes counts too.
    expectedRounds[i / 32] = std::max(expectedRounds[i / 32], steps + 1);
  }
  file->run("until_agreed", {4, 1, 1}, Arguments().buffer(data).buffer(rounds));
  EXPECT_EQ(data, std::vector<uint32_t>(data.size(), 1));
  EXPECT_EQ(rounds, expectedRounds);
}

TEST_P(Barriers, EarlyReturn) {
  std::vector<uint32_t> data = numbers(8 * 7);
  std::vector<uint32_t> expected = byGroup(data, 8, [](uint32_t *d, uint32_t g) {
    if (g % 3 == 0)
      std::reverse(d, d + 8);
  });
  file->run("early_return", {7, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, Switches) {
  constexpr uint32_t rounds = 11;
  std::vector<uint32_t> data = numbers(16 * 6);
  std::vector<uint32_t> expected = byGroup(data, 16, [&](uint32_t *d, uint32_t g) {
    for (uint32_t r = 0; r < rounds; ++r) {
      uint32_t c = (r + g) % 4;
      if (c == 2)
        std::for_each(d, d + 16, [&](uint32_t &v) { v += r; });
      if (c > 1)
        continue;
      std::vector<uint32_t> old(d, d + 16);
      for (uint32_t i = 0; c == 0 && i < 16; ++i)
        d[i] += old[(i + 1) % 16];
      old.assign(d, d + 16);
      for (uint32_t i = 0; i < 16; ++i)
        d[i] ^= old[(i + 5) % 16] * 2;
    }
  });
  file->run("switches", {6, 1, 1}, Arguments().buffer(data).value(rounds));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, DivergingBetweenBarriers) {
  std::vector<uint32_t> data = numbers(64 * 3);
  for (uint32_t &number : data)
    number = number % 40 + 1;
  std::vector<uint32_t> expected = byGroup(data, 64, [](uint32_t *d, uint32_t) {
    std::vector<uint32_t> steps(64), tile(64), result(64);
    for (uint32_t i = 0; i < 64; ++i) {
      for (; d[i] != 1 && steps[i] < i; ++steps[i])
        d[i] = d[i] % 2 ? d[i] * 3 + 1 : d[i] / 2;
      tile[i] = d[i];
    }
    for (uint32_t i = 0; i < 64; ++i) {
      uint32_t mine = d[i];
      if (i % 3 == 0)
        for (uint32_t k = 0; k < i; ++k)
          mine += tile[k] * k;
      else if (i % 3 == 1)
        mine -= steps[i];
      else
        for (uint32_t k = 63; k > i && tile[k] != mine; --k)
          mine += 1;
      result[63 - i] = mine;
    }
    for (uint32_t i = 0; i < 64; ++i)
      d[i] = result[i] + steps[i];
  });
  file->run("diverging", {3, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, Atomics) {
  std::vector<uint32_t> data = numbers(700), counts(16), expected(16), tickets(700);
  for (uint32_t number : data)
    ++expected[number % 16];
  file->run("histogram", {6, 1, 1}, Arguments().buffer(data).buffer(counts).buffer(tickets));
  EXPECT_EQ(counts, expected);
  // Tickets number the members of a bin in each group: 0, 1, 2 … in some order.
  std::map<std::pair<size_t, uint32_t>, std::vector<uint32_t>> drawn;
  for (size_t i = 0; i < data.size(); ++i)
    drawn[{i / 128, data[i] % 16}].push_back(tickets[i]);
  for (auto &[bin, numbersDrawn] : drawn) {
    std::sort(numbersDrawn.begin(), numbersDrawn.end());
    for (uint32_t i = 0; i < numbersDrawn.size(); ++i)
      EXPECT_EQ(numbersDrawn[i], i);
  }
}

TEST_P(Barriers, ManyTypes) {
  std::vector<double> data(64), expected(64);
  for (size_t g = 0; g < data.size(); ++g) {
    double v = data[g] = static_cast<double>(g) * 0.75;
    float single = static_cast<float>(v) * 0.5f;
    bool flag = v > 3;
    expected[g] = (flag ? 1 : 2) + static_cast<uint8_t>(v * 3) + std::floor(v) + single +
                  ((single + (single + 1)) + (single + 2) + (single + 3)) +
                  (v * 2 + static_cast<double>(31 - g % 32)) + static_cast<double>(g) + !flag;
  }
  file->run("many_types", {2, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, Pointers) {
  std::vector<uint32_t> data = numbers(16 * 2), other = numbers(16 * 2, 7);
  std::vector<uint32_t> expected = data;
  for (uint32_t g = 0; g < 32; ++g) {
    uint32_t i = g % 16;
    uint32_t mine[2] = {i, i + 100};
    uint32_t added = i % 3 ? 1000 + 15 - i : other[g];
    (i % 2 ? expected[g] : mine[i % 4 / 2]) += added;
    expected[g] += mine[0] * 2 + mine[1];
  }
  file->run("pointers", {2, 1, 1}, Arguments().buffer(data).buffer(other));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, AddressesInVariables) {
  std::vector<uint32_t> data = numbers(64 * 2), expected = data;
  for (uint32_t group = 0; group < 2; ++group) {
    uint32_t *const here = expected.data() + group * 64;
    std::vector<uint32_t> sums(64);
    for (uint32_t k = 0; k < 3; ++k) {
      std::vector<uint32_t> tile(here, here + 64);
      for (uint32_t i = 0; i < 64; ++i) {
        here[i] += tile[63 - i] + k;
        sums[i] += k + (here[i] & 1 ? 0 : static_cast<uint8_t>(here[i]));
      }
    }
    for (uint32_t i = 0; i < 64; ++i)
      here[i] += sums[i];
  }
  file->run("cleared_between", {2, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, AddressesInBuffers) {
  std::vector<uint32_t> data = numbers(16 * 2), other = numbers(16 * 2, 7);
  std::vector<uint32_t> expectedData = data, expectedOther = other;
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t &chosen = data[i] % 2 ? expectedData[i] : expectedOther[i];
    chosen += 5;
    expectedData[i] *= 3;
    chosen += 7;
    expectedOther[i] += expectedData[i];
  }
  file->run("chosen_and_named", {2, 1, 1}, Arguments().buffer(data).buffer(other));
  EXPECT_EQ(data, expectedData);
  EXPECT_EQ(other, expectedOther);
}

TEST_P(Barriers, GroupsOfOneAndOfThousand) {
  std::vector<uint32_t> data = numbers(5);
  std::vector<uint32_t> expected = data;
  for (uint32_t &number : expected)
    ++number;
  file->run("alone", {5, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);

  data = numbers(2048);
  expected = byGroup(data, 1024, [&](uint32_t *d, uint32_t) {
    std::vector<uint32_t> old(d, d + 1024);
    for (uint32_t i = 0; i < 1024; ++i)
      d[i * 5 % 1024] = old[i] + 2;
  });
  file->run("thousand", {2, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, WhereAmI) {
  constexpr uint32_t nx = 3, ny = 2, nz = 4, sx = nx * 4, sy = ny * 2;
  std::vector<uint32_t> data(sx * sy * nz * 6), expected(data.size());
  for (uint32_t z = 0, at = 0; z < nz; ++z)
    for (uint32_t y = 0; y < sy; ++y)
      for (uint32_t x = 0; x < sx; ++x, ++at) {
        uint32_t *e = &expected[at * 6];
        e[0] = x + 100 * y + 10000 * z;
        e[1] = x % 4 + 100 * (y % 2);
        e[2] = x / 4 + 100 * (y / 2) + 10000 * z;
        e[3] = nx + 100 * ny + 10000 * nz;
        e[4] = at;
        e[5] = 4 + 100 * 2 + 10000;
      }
  file->run("where", {nx, ny, nz}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, Maths) {
  std::vector<float> data(64), expected(64);
  std::vector<double> wide(64), expectedWide(64);
  for (size_t i = 0; i < 64; ++i) {
    float x = data[i] = static_cast<float>(i) * 0.37f;
    expected[i] = std::sin(x) + std::sqrt(x) * std::pow(x, 1.5f) - std::floor(x);
    double w = wide[i] = static_cast<double>(i) * 0.1 - 3;
    expectedWide[i] = std::exp(w) + std::atan2(w, 2.0);
  }
  file->run("maths", {2, 1, 1}, Arguments().buffer(data).buffer(wide));
  for (size_t i = 0; i < 64; ++i) {
    // The sum may be contracted, and vector functions are within 4 units in the last place.
    EXPECT_NEAR(data[i], expected[i], 1e-6f * std::abs(expected[i]) + 1e-6f) << i;
    EXPECT_NEAR(wide[i], expectedWide[i], 1e-15 * std::abs(expectedWide[i]) + 1e-15) << i;
  }
}

TEST_P(Barriers, AggregatesAndReferences) {
  std::vector<float> values(40), expected(40);
  std::vector<uint32_t> indices = {5, 0, 3, 30, 12, 7, 9, 11, 2, 1};
  std::iota(values.begin(), values.end(), 1.0f);
  expected = values;
  for (uint32_t index : indices)
    expected[index + 4] *= 2.5f;
  float total = 0, factor = 2.5f;
  file->run("aggregates", {2, 1, 1},
            Arguments()
                .buffer(values)
                .value(uint32_t{4})
                .buffer(indices)
                .pointer(&total)
                .pointer(&factor)
                .value(0.5));
  EXPECT_EQ(values, expected);
  EXPECT_EQ(total, 40.5f);
}

TEST_P(Barriers, OverlappingBuffers) {
  std::vector<uint32_t> data = numbers(32);
  std::vector<uint32_t> expected = data;
  for (uint32_t &number : expected)
    number *= 4;
  file->run("overlapping", {2, 1, 1}, Arguments().buffer(data).buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, RegionThatOnlyTraps) {
  std::vector<uint32_t> data = numbers(8 * 3);
  std::vector<uint32_t> expected =
      byGroup(data, 8, [](uint32_t *d, uint32_t) { std::partial_sum(d, d + 8, d); });
  file->run("trapping", {3, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

TEST_P(Barriers, NoGroups) {
  std::vector<uint32_t> data = numbers(8);
  std::vector<uint32_t> expected = data;
  file->run("reverse", {0, 1, 1}, Arguments().buffer(data));
  EXPECT_EQ(data, expected);
}

INSTANTIATE_TEST_SUITE_P(Cpu, Barriers,
                         testing::Values(Variant{0, "native"}, Variant{1, "native"},
                                         Variant{2, "native"}, Variant{3, "native"},
                                         Variant{2, "x86-64-v2"}),
                         [](const testing::TestParamInfo<Variant> &info) {
                           return "O" + std::to_string(info.param.optimisationLevel) +
                                  (info.param.level[0] == 'n' ? "native" : "v2");
                         });

} // namespace

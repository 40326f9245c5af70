//===- LanesTest.cpp - vectors of work-items against one at a time ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "RunKernel.h"

#include <gtest/gtest.h>

#include <string_view>

using khalc::test::Arguments;
using khalc::test::CompiledFile;

namespace {

struct Case {
  const char *kernel;
  std::array<uint32_t, 3> groups;
  uint32_t items; ///< in all
  uint32_t n;
};

constexpr Case cases[] = {
    {"break_continue_return", {5, 1, 1}, 320, 4},
    {"return_from_nested_loops", {7, 2, 1}, 280, 77},
    {"switches", {3, 1, 1}, 300, 12345},
    {"neighbours", {6, 1, 1}, 96, 13},
    {"divide_where_it_may", {40, 1, 1}, 120, 0},
    {"load_where_it_may", {2, 1, 1}, 128, 7},
    {"load_where_it_may", {2, 1, 1}, 128, 0x10000000},
    {"private_arrays", {4, 3, 1}, 180, 3},
    {"many_to_one", {3, 1, 1}, 192, 5},
    {"aggregates", {3, 2, 2}, 108, 6},
    {"narrow_and_wide", {5, 1, 1}, 185, 0},
    {"floats", {4, 1, 1}, 256, 0},
    {"atomics", {6, 1, 1}, 192, 3},
    {"barriers_in_loops", {4, 1, 1}, 96, 9},
    {"strides", {5, 1, 1}, 200, 0},
};

std::vector<uint32_t> numbers(uint32_t count) {
  std::vector<uint32_t> values(count);
  uint32_t state = 1;
  for (uint32_t &value : values) {
    state = state * 1664525u + 1013904223u;
    value = state >> 12;
  }
  return values;
}

std::vector<uint32_t> run(CompiledFile &file, const Case &one) {
  std::vector<uint32_t> in = numbers(one.items), out(one.items);
  file.run(one.kernel, one.groups, Arguments().buffer(out).buffer(in).value(one.n));
  return out;
}

class Lanes : public testing::TestWithParam<const char *> {};

TEST_P(Lanes, GiveWhatOneWorkItemAtATimeGives) {
#if defined(__x86_64__)
  if (std::string_view(GetParam()) == "x86-64-v3" && !__builtin_cpu_supports("x86-64-v3"))
    GTEST_SKIP() << "this processor has no AVX2";
#endif
  CompiledFile scalar(KHAL_TEST_LANES, 0, "x86-64");
  CompiledFile vector(KHAL_TEST_LANES, 2, GetParam());
  ASSERT_TRUE(scalar.compiled() && vector.compiled());
  for (const Case &one : cases)
    EXPECT_EQ(run(vector, one), run(scalar, one)) << one.kernel;
}

#if defined(__x86_64__)
INSTANTIATE_TEST_SUITE_P(Cpu, Lanes, testing::Values("x86-64-v2", "x86-64-v3", "native"));
#else
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Lanes);
#endif

} // namespace

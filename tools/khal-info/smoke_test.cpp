//===- smoke_test.cpp - whether devices work --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "smoke_test.h"

#ifdef KHAL_INFO_HAS_KERNELS
#include "smoke.khal.hpp"
#endif

#include <numeric>

namespace {

using Values = std::vector<std::uint32_t>;

constexpr std::uint32_t group = 64;
constexpr std::uint32_t count = 1000 * group;

Values start_values() {
  Values values(count);
  std::iota(values.begin(), values.end(), 7u);
  return values;
}

/// What the kernel does.
[[maybe_unused]] Values turned_round(const Values &values, std::uint32_t factor) {
  Values result(values.size());
  for (std::uint32_t i = 0; i < values.size(); ++i)
    result[i] = values[i / group * group + (group - 1 - i % group)] * factor + i;
  return result;
}

/// The failure, or nothing.
std::string compare(const char *what, const Values &got, const Values &expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (got[i] != expected[i])
      return std::string(what) + ": element " + std::to_string(i) + " is " +
             std::to_string(got[i]) + " instead of " + std::to_string(expected[i]);
  return {};
}

std::string test_memory(const khal::Device &device) {
  const Values values = start_values();
  khal::Buffer<std::uint32_t> source = device.upload(values);
  if (std::string failure = compare("upload and download", source.download(), values);
      !failure.empty())
    return failure;
  khal::Stream stream(device);
  khal::Buffer<std::uint32_t> target = device.zeros<std::uint32_t>(count);
  target.copy_from(stream, source);
  target.slice(0, group).fill(stream, 5u);
  stream.wait();
  Values expected = values;
  std::fill_n(expected.begin(), group, 5u);
  return compare("copy and fill", target.download(), expected);
}

#ifdef KHAL_INFO_HAS_KERNELS
std::string test_kernel(const khal::Device &device, khal::Timing &timing) {
  Values values = start_values();
  khal::Buffer<std::uint32_t> x = device.upload(values);
  khal::Stream stream(device);
  const auto launch = [&](khal::Stream &to, std::uint32_t factor) {
    kernels::turn_round(to, khal::threads(count), x, factor);
  };
  khal::warm_up(device, [&](khal::Stream &to) { launch(to, 1); });
  launch(stream, 3); // some drivers only now build what they run
  stream.wait();
  khal::Timer timer(stream);
  launch(stream, 11);
  timing = timer.stop();
  values = turned_round(turned_round(values, 3), 11);
  if (std::string failure = compare("kernel", x.download(), values); !failure.empty())
    return failure;
  khal::Graph graph(device, [&](khal::Stream &to) {
    launch(to, 5);
    launch(to, 7);
  });
  graph.replay(stream);
  return compare("graph", x.download(), turned_round(turned_round(values, 5), 7));
}
#endif

} // namespace

SmokeTest smoke_test(const khal::Device &device) {
  SmokeTest test;
  try {
    test.failure = test_memory(device);
#ifdef KHAL_INFO_HAS_KERNELS
    if (test.failure.empty()) {
      test.ran_kernel = true;
      test.failure = test_kernel(device, test.timing);
    }
#endif
  } catch (const std::exception &error) {
    test.failure = error.what();
  }
  test.works = test.failure.empty();
  return test;
}

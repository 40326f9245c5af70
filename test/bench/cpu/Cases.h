//===- Cases.h - what is compared, and on which data ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_CPU_CASES_H
#define KHAL_TEST_BENCH_CPU_CASES_H

#include <khal/khal.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// How a buffer starts.
struct Fill {
  enum class Kind { Zero, Floats, Bits };
  Kind kind = Kind::Zero;
  float low = 0, high = 0; ///< of Floats
};

struct CaseBuffer {
  std::size_t count = 0;
  Fill fill{};
};

/// How results are compared: all bits, or as floats with a largest difference, as a share of the
/// larger one; or as whole numbers of which few may differ.
struct Agreement {
  enum class Kind { Equal, Near, Mostly };
  Kind kind = Kind::Equal;
  double tolerance = 0;
};

/// Memory as each contender sees it.
using Bytes = std::vector<std::byte>;

/// One side, with buffers of its own.
struct Contender {
  std::string name;
  std::function<void()> run; ///< to its end
  std::function<Bytes()> result;
};

/// Rows `first` to `last - 1` on a peer's buffers.
using Rows =
    std::function<void(const std::vector<void *> &, std::uint32_t first, std::uint32_t last)>;

struct Case {
  std::string name{}; ///< the OpenCL kernel's too
  std::vector<CaseBuffer> buffers{};
  std::vector<std::size_t> elementBytes{}; ///< of each buffer
  std::size_t result = 0;                  ///< the buffer that all must agree on
  Agreement agreement{};
  std::uint32_t rows = 0;              ///< that the peers' threads share out
  std::vector<std::uint32_t> values{}; ///< the OpenCL kernel's arguments after the buffers
  std::array<std::size_t, 3> groups{1, 1, 1}, groupSize{1, 1, 1};
  /// Makes khal's side.
  std::function<Contender(const khal::Device &, const std::vector<Bytes> &)> khal{};
  Rows openmp{}, ispc{}; ///< `ispc` is empty where there is none
};

/// All cases; `divide` makes their sides or lengths so much smaller.
std::vector<Case> allCases(std::uint32_t divide);

/// What a case's buffers hold at the start; the same each time.
std::vector<Bytes> contents(const Case &one);

} // namespace bench

#endif // KHAL_TEST_BENCH_CPU_CASES_H

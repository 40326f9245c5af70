//===- Cases.h - what is compared, and on which data ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_KERNELS_CASES_H
#define KHAL_TEST_BENCH_KERNELS_CASES_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Words that a launch passes by value.
using Words = std::vector<std::uint32_t>;
using Grid = std::array<std::uint32_t, 3>;

/// How a buffer starts.
enum class Fill {
  Zero,
  Unit, ///< floats between 0 and 1
  Bits, ///< random 32-bit words
  Wave  ///< exp(-2 pi i k / n) for k = 0 … n - 1, as pairs of floats
};

struct CaseBuffer {
  std::uint64_t bytes = 0;
  Fill fill = Fill::Zero;
};

/// A kernel and its peer, on the same buffers and grid.
struct Case {
  std::string name;
  std::vector<CaseBuffer> buffers;
  std::size_t result = 0; ///< the buffer that both must agree on
  Words khal;             ///< argument block of the kernel: values, then lengths; see khal/abi.h
  Words peer;             ///< the peer's own arguments
  Grid groups{1, 1, 1};
  /// Largest difference of results as a share of the larger; 0: all bits equal. Contraction and
  /// approximate functions may differ between the two.
  double tolerance = 0;
  double bytesMoved = 0; ///< the least that must be read and written, for the bandwidth
  double operations = 0; ///< arithmetic operations, for the rate
};

/// All cases, of a size that a GPU or a CPU (`small`) takes about a millisecond for.
std::vector<Case> allCases(bool small);

} // namespace bench

#endif // KHAL_TEST_BENCH_KERNELS_CASES_H

//===- Sweep.h - the worst errors of a function on devices ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_MATHS_SWEEP_H
#define KHAL_TEST_MATHS_SWEEP_H

#include "Functions.h"

/// One way in which every function runs.
struct Column {
  khal::Device device;
  Mode mode;

  bool fusesFma() const { return device.info().name.find("llvmpipe") == std::string::npos; }
  bool losesLanes() const {
    return !fusesFma() && device.info().driver.find("Mesa 22.") != std::string::npos;
  }
};

/// The worst error, in units in the last place, and the error that was most beyond its limit with
/// the arguments it was for.
template <class T> struct Worst {
  double error = 0;
  double excess = 0; ///< an error as a part of its limit
  T x = 0, y = 0;

  void add(const Worst &other) {
    error = std::max(error, other.error);
    if (other.excess > excess) {
      const double most = error;
      *this = other;
      error = most;
    }
  }
};

/// Worker threads that compare a function's results with exact ones, which they compute once for all
/// columns. Subnormal arguments aren't counted: devices may take them for zero.
class Sweep {
public:
  Sweep(std::vector<Column> columns, unsigned threads)
      : columns(std::move(columns)), threads(threads) {}

  /// For every `step`-th float there is; the worst of each column.
  std::vector<Worst<float>> everyFloat(const FunctionOf<float> &function, std::uint32_t step) const;

  /// For `count` random numbers or pairs: any bits and moderate numbers, by turns.
  template <class T>
  std::vector<Worst<T>> random(const FunctionOf<T> &function, std::uint64_t count) const;

private:
  template <class T, class Fill>
  std::vector<Worst<T>> run(const FunctionOf<T> &function, std::uint64_t count, std::size_t batch,
                            Fill fill) const;

  std::vector<Column> columns;
  unsigned threads;
};

#endif // KHAL_TEST_MATHS_SWEEP_H

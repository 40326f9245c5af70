//===- Comparison.h - all sides of a case, checked against each other and timed ---------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_CPU_COMPARISON_H
#define KHAL_TEST_BENCH_CPU_COMPARISON_H

#include "Cases.h"
#include "OpenCl.h"

#include <map>

namespace bench {

struct Options {
  unsigned runs = 9;
  unsigned threads = 1;
  std::vector<std::string> names; ///< cases; all when empty
};

/// Runs cases and prints a line each, then what the project asks of all of them.
class Comparison {
public:
  Comparison(const Options &options, khal::Device device)
      : options(options), device(std::move(device)), openCl(OpenCl::open()) {}

  /// \throws std::runtime_error when a result differs from khal's.
  void run(const Case &one);
  void printMeans() const;

private:
  struct Times {
    std::vector<double> all; ///< ms
    double median() const;
    double least() const;
  };
  std::vector<Contender> contendersFor(const Case &one) const;
  Contender peer(const Case &one, const char *name, const Rows &rows,
                 const std::vector<Bytes> &start) const;

  const Options &options;
  khal::Device device;
  std::shared_ptr<OpenCl> openCl;
  std::map<std::string, std::vector<double>> ratios; ///< khal's median over each peer's
  std::vector<std::string> behind;                   ///< cases above the limit over the best peer
};

} // namespace bench

#endif // KHAL_TEST_BENCH_CPU_COMPARISON_H

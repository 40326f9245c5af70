//===- Comparison.h - both sides of a case, checked against each other and timed --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_KERNELS_COMPARISON_H
#define KHAL_TEST_BENCH_KERNELS_COMPARISON_H

#include "Cases.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

struct Options {
  std::vector<std::string> names; ///< cases; all when empty
  unsigned runs = 21;
  double budget = 0.02; ///< seconds a run: short kernels are launched many times in it
};

/// What a buffer holds at the start of a case; the same each time.
std::vector<std::uint8_t> contents(const CaseBuffer &buffer);

/// The largest difference of two results, as a share of the larger value; 0 when all bits are
/// equal. For a tolerance of 1 or more the values are counts, and it is how many in 250 differ.
double difference(const std::vector<std::uint8_t> &a, const std::vector<std::uint8_t> &b,
                  double tolerance);

double median(std::vector<double> values);

/// Runs cases and prints a line each, then the geometric mean. A `Harness` has
///   `std::unique_ptr<Harness::Buffer> buffer(bytes)`, `upload(buffer, data)`, `download(buffer)`
///   and `double time(const Harness::Program &, const Words &, Grid, repeats)`, in seconds a launch.
template <class Harness> class Comparison {
public:
  using Buffers = std::vector<const typename Harness::Buffer *>;
  using Program = std::unique_ptr<typename Harness::Program>;
  /// Makes one side's program for a case, and its arguments from the case's words.
  struct Maker {
    std::function<Program(const Case &, const Buffers &)> program;
    std::function<Words(const Case &)> words;
  };

  Comparison(Harness &harness, const Options &options, Maker khal, Maker peer)
      : harness(harness), options(options), makeKhal(std::move(khal)), makePeer(std::move(peer)) {}

  void run(const std::vector<Case> &cases, const std::string &peerName) {
    std::printf("%-14s %10s %10s %8s %9s %10s\n", "kernel", "khal ms", (peerName + " ms").c_str(),
                "ratio", "GB/s", "Gop/s");
    double logs = 0, largest = 0;
    unsigned count = 0;
    for (const Case &one : cases) {
      const auto &names = options.names;
      if (!names.empty() && std::find(names.begin(), names.end(), one.name) == names.end())
        continue;
      const double ratio = runCase(one);
      logs += std::log(ratio);
      largest = std::max(largest, ratio);
      ++count;
    }
    if (count == 0)
      throw std::runtime_error("no case has any of the names given");
    std::printf("%u kernels: geometric mean of khal/%s %.3f, largest %.3f\n", count,
                peerName.c_str(), std::exp(logs / count), largest);
  }

private:
  struct Side {
    Program program;
    Words words;
    std::vector<double> times;
    std::vector<std::uint8_t> result;
  };

  Side makeSide(const Maker &maker, const Case &one, const Buffers &buffers) {
    return {maker.program(one, buffers), maker.words(one), {}, {}};
  }

  /// khal's time as a share of the peer's.
  double runCase(const Case &one) {
    std::vector<std::unique_ptr<typename Harness::Buffer>> buffers;
    Buffers bound;
    for (const CaseBuffer &buffer : one.buffers) {
      buffers.push_back(harness.buffer(buffer.bytes));
      harness.upload(*buffers.back(), contents(buffer).data());
      bound.push_back(buffers.back().get());
    }
    Side khal = makeSide(makeKhal, one, bound), peer = makeSide(makePeer, one, bound);
    const std::vector<std::uint8_t> before = contents(one.buffers[one.result]);
    double first = 0;
    for (Side *side : {&khal, &peer}) {
      harness.upload(*buffers[one.result], before.data());
      first = std::max(first, harness.time(*side->program, side->words, one.groups, 1));
      side->result = harness.download(*buffers[one.result]);
    }
    const double apart = difference(khal.result, peer.result, one.tolerance);
    if (apart > one.tolerance)
      throw std::runtime_error(one.name + ": the two sides' results differ by " +
                               std::to_string(apart));

    const auto repeats =
        static_cast<unsigned>(std::clamp(options.budget / std::max(first, 1e-7), 1.0, 200.0));
    for (unsigned run = 0; run <= options.runs; ++run)
      for (unsigned turn = 0; turn < 2; ++turn) {
        Side &side = (run + turn) % 2 == 0 ? khal : peer; // who goes first changes
        const double seconds = harness.time(*side.program, side.words, one.groups, repeats);
        if (run > 0) // the first warms up
          side.times.push_back(seconds);
      }
    std::vector<double> ratios;
    for (std::size_t i = 0; i < khal.times.size(); ++i)
      ratios.push_back(khal.times[i] / peer.times[i]);
    const double ours = median(khal.times), ratio = median(ratios);
    std::printf("%-14s %10.4f %10.4f %8.3f %9.1f %10.1f\n", one.name.c_str(), ours * 1e3,
                median(peer.times) * 1e3, ratio, one.bytesMoved / ours * 1e-9,
                one.operations / ours * 1e-9);
    std::fflush(stdout);
    return ratio;
  }

  Harness &harness;
  const Options &options;
  Maker makeKhal, makePeer;
};

} // namespace bench

#endif // KHAL_TEST_BENCH_KERNELS_COMPARISON_H

//===- Figures.h - costs, alone or next to hand-written code's --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_RUNTIME_FIGURES_H
#define KHAL_TEST_BENCH_RUNTIME_FIGURES_H

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Options {
  unsigned runs = 21;
  std::vector<std::string> names; ///< parts of the figures' names; all when empty
  std::string only;               ///< devices' ids that begin so; all when empty
};

/// Takes figures and prints a line each.
class Figures {
public:
  /// Does a piece of work and tells the seconds that one operation of it took.
  using Run = std::function<double()>;

  explicit Figures(Options options);

  /// Runs both by turns; the ratio is the median of khal's to the other's time of a turn, and
  /// shouldn't be above `limit`.
  void compare(const std::string &name, double limit, const Run &khal, const Run &peer);
  /// One side alone; shouldn't take more than `limit` seconds.
  void measure(const std::string &name, double limit, const Run &khal);

  bool wanted(const std::string &name) const;
  bool wantedDevice(const std::string &id) const { return id.starts_with(options.only); }
  bool allWithin() const { return over == 0; }

private:
  void verdict(bool within);

  const Options options;
  unsigned over = 0;
};

/// Calls `work`; in seconds.
template <class Work> double secondsOf(const Work &work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The launches of all backends' figures.
inline constexpr unsigned launchesARun = 200;
inline constexpr unsigned launchesAGraph = 1000;
inline constexpr std::size_t copiedBytes = std::size_t{256} << 20;

void benchCore(Figures &figures);
void benchVulkan(Figures &figures);
void benchCuda(Figures &figures);

} // namespace bench

#endif // KHAL_TEST_BENCH_RUNTIME_FIGURES_H

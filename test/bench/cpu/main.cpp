//===- main.cpp - khal's CPU kernels against OpenMP, ISPC and OpenCL --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Each kernel is run by turns with its peers, after all of them were found to give the same; what
// is printed are medians, and khal's time as a share of each peer's, by medians and by minima. Not a
// test.
//
//===------------------------------------------------------------------------------------------===//
#include "Comparison.h"
#include "kernels.khal.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

namespace {

/// A launch of one group and the wait for it.
void printLaunch(const khal::Device &device) {
  khal::Stream stream(device);
  auto one = device.zeros<std::uint32_t>(1);
  std::vector<double> times(2000);
  for (double &time : times) {
    const auto before = std::chrono::steady_clock::now();
    kernels::nothing(stream, khal::groups(1), one);
    stream.wait();
    time = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before)
               .count();
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  std::printf("launch of one group: %.2f us\n", times[times.size() / 2]);
}

/// Both runtimes read these when they start.
void setThreads(unsigned threads) {
  const std::string text = std::to_string(threads);
  for (const char *name : {"KHAL_CPU_THREADS", "POCL_MAX_PTHREAD_COUNT"})
    setenv(name, text.c_str(), /*overwrite=*/1);
}

} // namespace

int main(int argc, char **argv) {
  bench::Options options;
  std::uint32_t divide = 1;
  CLI::App app("khal's CPU kernels against OpenMP, ISPC and OpenCL: medians of interleaved runs");
  app.add_option("kernels", options.names, "which ones; all when none is named");
  app.add_option("--runs", options.runs, "timed runs of each")->check(CLI::Range(1, 1000));
  app.add_option("--divide", divide, "divides problem sizes")->check(CLI::Range(1, 4));
  app.add_option("--threads", options.threads, "of each side; 0: all that the machine has")
      ->check(CLI::Range(0, 1024));
  CLI11_PARSE(app, argc, argv);
  if (options.threads == 0)
    options.threads = std::max(1u, std::thread::hardware_concurrency());
  setThreads(options.threads);
  try {
    const khal::Device device = khal::open("cpu");
    bench::Comparison comparison(options, device);
    for (const bench::Case &one : bench::allCases(divide))
      comparison.run(one);
    comparison.printMeans();
    printLaunch(device);
    return EXIT_SUCCESS;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return EXIT_FAILURE;
  }
}

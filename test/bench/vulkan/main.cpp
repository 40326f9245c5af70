//===- main.cpp - khalc's SPIR-V against hand-written GLSL ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Cases.h"
#include "Harness.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numbers>
#include <random>

namespace {

using bench::Case;
using bench::Fill;
using bench::Harness;

struct Options {
  std::string device;
  std::vector<std::string> names;
  std::filesystem::path modules;
  unsigned runs = 21;
  double budget = 0.02; ///< seconds a run: short kernels are dispatched many times in it
  bool small = false;
};

std::vector<std::uint8_t> contents(const bench::CaseBuffer &buffer) {
  std::vector<std::uint8_t> bytes(buffer.bytes);
  std::mt19937 random(7);
  const std::size_t words = bytes.size() / 4;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint32_t word = 0;
    if (buffer.fill == Fill::Bits)
      word = static_cast<std::uint32_t>(random());
    float value = 0;
    if (buffer.fill == Fill::Unit)
      value = static_cast<float>(random() >> 8) * 0x1p-24f;
    if (buffer.fill == Fill::Wave) {
      const double angle =
          -2 * std::numbers::pi * static_cast<double>(i / 2) / (static_cast<double>(words) / 2);
      value = static_cast<float>(i % 2 == 0 ? std::cos(angle) : std::sin(angle));
    }
    if (buffer.fill != Fill::Bits)
      std::memcpy(&word, &value, sizeof word);
    std::memcpy(&bytes[4 * i], &word, sizeof word);
  }
  return bytes;
}

std::vector<std::uint32_t> readModule(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    throw std::runtime_error("can't read " + path.string() + "; give the folder with --modules");
  std::vector<std::uint32_t> words(static_cast<std::size_t>(file.tellg()) / 4);
  file.seekg(0);
  file.read(reinterpret_cast<char *>(words.data()), static_cast<std::streamsize>(4 * words.size()));
  return words;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The largest difference, as a share of the larger value; 0 when all bits are equal.
double difference(const std::vector<std::uint8_t> &a, const std::vector<std::uint8_t> &b,
                  double tolerance) {
  if (a == b)
    return 0;
  double worst = 0;
  for (std::size_t i = 0; i + 4 <= a.size(); i += 4) {
    if (tolerance >= 1) { // counts
      std::uint32_t x = 0, y = 0;
      std::memcpy(&x, &a[i], 4);
      std::memcpy(&y, &b[i], 4);
      // An orbit on the set's edge may take any time to leave it: how many differ counts.
      worst += x != y ? 1000.0 / static_cast<double>(a.size()) : 0;
      continue;
    }
    float x = 0, y = 0;
    std::memcpy(&x, &a[i], 4);
    std::memcpy(&y, &b[i], 4);
    const double larger = std::max(std::abs(x), std::abs(y));
    const double apart = std::abs(double{x} - double{y});
    worst = std::max(worst, larger > 1 ? apart / larger : apart);
  }
  return worst == 0 ? std::numeric_limits<double>::min() : worst;
}

struct Side {
  std::unique_ptr<Harness::Program> program;
  bench::Words push;
  std::vector<double> times;
  std::vector<std::uint8_t> result;
};

/// Compares both sides of a case and prints its line; returns khal's time as a share of GLSL's.
double runCase(Harness &harness, const Case &one, const Options &options) {
  std::vector<std::unique_ptr<Harness::Buffer>> buffers;
  std::vector<const Harness::Buffer *> bound;
  for (const bench::CaseBuffer &buffer : one.buffers) {
    buffers.push_back(harness.buffer(buffer.bytes));
    harness.upload(*buffers.back(), contents(buffer).data());
    bound.push_back(buffers.back().get());
  }
  Side khal, glsl;
  khal.push = one.khal;
  khal.push.resize(khal.push.size() + one.buffers.size()); // slices' offsets: none
  glsl.push = one.glsl;
  khal.program = harness.program(readModule(options.modules / ("kernels." + one.name + ".spv")),
                                 one.name.c_str(), bound, khal.push.size());
  glsl.program = harness.program(readModule(options.modules / (one.name + ".glsl.spv")), "main",
                                 bound, glsl.push.size());
  const std::vector<std::uint8_t> before = contents(one.buffers[one.result]);
  double first = 0;
  for (Side *side : {&khal, &glsl}) {
    harness.upload(*buffers[one.result], before.data());
    first = std::max(first, harness.time(*side->program, side->push, one.groups, 1));
    side->result = harness.download(*buffers[one.result]);
  }
  const double apart = difference(khal.result, glsl.result, one.tolerance);
  if (apart > one.tolerance)
    throw std::runtime_error(one.name + ": the two sides' results differ by " +
                             std::to_string(apart));

  const double repeats = std::clamp(options.budget / std::max(first, 1e-7), 1.0, 200.0);
  for (unsigned run = 0; run <= options.runs; ++run)
    for (unsigned turn = 0; turn < 2; ++turn) {
      Side &side = (run + turn) % 2 == 0 ? khal : glsl; // who goes first changes
      const double seconds =
          harness.time(*side.program, side.push, one.groups, static_cast<unsigned>(repeats));
      if (run > 0) // the first warms up
        side.times.push_back(seconds);
    }
  std::vector<double> ratios;
  for (std::size_t i = 0; i < khal.times.size(); ++i)
    ratios.push_back(khal.times[i] / glsl.times[i]);
  const double ours = median(khal.times), theirs = median(glsl.times), ratio = median(ratios);
  std::printf("%-14s %10.4f %10.4f %8.3f %9.1f %10.1f\n", one.name.c_str(), ours * 1e3,
              theirs * 1e3, ratio, one.bytesMoved / ours * 1e-9, one.operations / ours * 1e-9);
  std::fflush(stdout);
  return ratio;
}

int run(const Options &options) {
  Harness harness(options.device);
  const bool small = options.small || harness.isCpu();
  std::printf("%s, %u interleaved runs\n", harness.deviceName().c_str(), options.runs);
  std::printf("%-14s %10s %10s %8s %9s %10s\n", "kernel", "khal ms", "GLSL ms", "ratio", "GB/s",
              "Gop/s");
  double logs = 0, largest = 0;
  unsigned count = 0;
  for (const Case &one : bench::allCases(small)) {
    const auto &names = options.names;
    if (!names.empty() && std::find(names.begin(), names.end(), one.name) == names.end())
      continue;
    const double ratio = runCase(harness, one, options);
    logs += std::log(ratio);
    largest = std::max(largest, ratio);
    ++count;
  }
  if (count == 0)
    throw std::runtime_error("no case has any of the names given");
  std::printf("%u kernels: geometric mean of khal/GLSL %.3f, largest %.3f\n", count,
              std::exp(logs / count), largest);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  options.modules = std::filesystem::path(argv[0]).parent_path();
  CLI::App app(
      "Times khalc's SPIR-V against hand-written GLSL of the same algorithms: device time, "
      "medians of interleaved runs, after both sides' results were found to agree");
  app.add_option("--device", options.device,
                 "Part of the Vulkan device's name; the first when left "
                 "out");
  app.add_option("--runs", options.runs, "Runs of each side")->capture_default_str();
  app.add_option("--modules", options.modules, "Folder of the .spv files");
  app.add_flag("--small", options.small, "Sizes for a CPU; a CPU device gets them anyway");
  app.add_option("kernels", options.names, "Which kernels; all when left out");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception &error) {
    std::cerr << "vulkan_bench: " << error.what() << '\n';
    return 1;
  }
}

//===- main.cpp - khalc's SPIR-V against hand-written GLSL ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "../kernels/Comparison.h"
#include "Harness.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

std::vector<std::uint32_t> readModule(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file)
    throw std::runtime_error("can't read " + path.string() + "; give the folder with --modules");
  std::vector<std::uint32_t> words(static_cast<std::size_t>(file.tellg()) / 4);
  file.seekg(0);
  file.read(reinterpret_cast<char *>(words.data()), static_cast<std::streamsize>(4 * words.size()));
  return words;
}

/// A kernel's block, and the offsets of slices that may follow it: none here.
bench::Words khalWords(const bench::Case &one) {
  bench::Words words = one.khal;
  words.resize(words.size() + one.buffers.size());
  return words;
}

void run(const std::string &device, const std::filesystem::path &modules, bool small,
         const bench::Options &options) {
  using bench::Case;
  bench::Harness harness(device);
  using Comparison = bench::Comparison<bench::Harness>;
  const Comparison::Maker khal = {[&](const Case &one, const Comparison::Buffers &buffers) {
                                    return harness.program(
                                        readModule(modules / ("kernels." + one.name + ".spv")),
                                        one.name.c_str(), buffers, khalWords(one).size());
                                  },
                                  khalWords};
  const Comparison::Maker glsl = {[&](const Case &one, const Comparison::Buffers &buffers) {
                                    return harness.program(
                                        readModule(modules / (one.name + ".glsl.spv")), "main",
                                        buffers, one.peer.size());
                                  },
                                  [](const Case &one) { return one.peer; }};
  std::printf("%s, %u interleaved runs\n", harness.deviceName().c_str(), options.runs);
  Comparison(harness, options, khal, glsl).run(bench::allCases(small || harness.isCpu()), "GLSL");
}

} // namespace

int main(int argc, char **argv) {
  bench::Options options;
  std::string device;
  std::filesystem::path modules = std::filesystem::path(argv[0]).parent_path();
  bool small = false;
  CLI::App app(
      "Times khalc's SPIR-V against hand-written GLSL of the same algorithms: device time, "
      "medians of interleaved runs, after both sides' results were found to agree");
  app.add_option("--device", device, "Part of the Vulkan device's name; the first when left out");
  app.add_option("--runs", options.runs, "Runs of each side")->capture_default_str();
  app.add_option("--modules", modules, "Folder of the .spv files");
  app.add_flag("--small", small, "Sizes for a CPU; a CPU device gets them anyway");
  app.add_option("kernels", options.names, "Which kernels; all when left out");
  CLI11_PARSE(app, argc, argv);
  try {
    run(device, modules, small, options);
  } catch (const std::exception &error) {
    std::cerr << "vulkan_bench: " << error.what() << '\n';
    return 1;
  }
}

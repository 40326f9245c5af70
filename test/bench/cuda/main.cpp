//===- main.cpp - khalc's PTX against nvcc's CUDA C++ -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "../kernels/Comparison.h"
#include "Harness.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace {

std::string read(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("can't read " + path.string() + "; give the folder with --modules");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Kernel {
  std::string entry;
  bench::Grid groupSize{1, 1, 1};
};

/// What khalc's reflection says of each kernel, by name.
std::map<std::string, Kernel> kernelsOf(const std::filesystem::path &reflection) {
  std::map<std::string, Kernel> kernels;
  const nlohmann::json file = nlohmann::json::parse(read(reflection));
  for (const auto &kernel : file.at("kernels")) {
    Kernel &one = kernels[kernel.at("name").get<std::string>()];
    one.groupSize = kernel.at("group_size").get<bench::Grid>();
    for (const auto &artifact : kernel.at("artifacts"))
      if (artifact.at("target") == "ptx")
        one.entry = artifact.at("entry").get<std::string>();
  }
  return kernels;
}

void run(const std::filesystem::path &modules, const bench::Options &options, bool fast) {
  using bench::Case;
  using bench::Harness;
  Harness harness;
  using Comparison = bench::Comparison<Harness>;
  const std::filesystem::path folder = modules / (fast ? "fast" : "default");
  const std::map<std::string, Kernel> kernels = kernelsOf(folder / "kernels.khal.json");
  const std::string peers = read(folder / "peers.cubin");
  const Comparison::Maker khal = {
      [&](const Case &one, const Comparison::Buffers &buffers) {
        const Kernel &kernel = kernels.at(one.name);
        return harness.program(read(folder / ("kernels." + one.name + ".ptx")), kernel.entry,
                               buffers, kernel.groupSize, Harness::Passing::Block);
      },
      [](const Case &one) { return one.khal; }};
  const Comparison::Maker nvcc = {[&](const Case &one, const Comparison::Buffers &buffers) {
                                    return harness.program(peers, one.name, buffers,
                                                           kernels.at(one.name).groupSize,
                                                           Harness::Passing::Singly);
                                  },
                                  [](const Case &one) { return one.peer; }};
  std::printf("%s, %s, %u interleaved runs\n", harness.deviceName().c_str(),
              fast ? "--fp=fast and -use_fast_math" : "default floats", options.runs);
  Comparison(harness, options, khal, nvcc).run(bench::allCases(false), "nvcc");
}

} // namespace

int main(int argc, char **argv) {
  bench::Options options;
  std::filesystem::path modules = std::filesystem::path(argv[0]).parent_path();
  bool fast = false;
  CLI::App app(
      "Times khalc's PTX against CUDA C++ of the same algorithms compiled by nvcc -O3: device "
      "time, medians of interleaved runs, after both sides' results were found to agree");
  app.add_option("--runs", options.runs, "Runs of each side")->capture_default_str();
  app.add_option("--modules", modules, "Folder that holds default/ and fast/");
  app.add_flag("--fast", fast, "Compare --fp=fast with -use_fast_math");
  app.add_option("kernels", options.names, "Which kernels; all when left out");
  CLI11_PARSE(app, argc, argv);
  try {
    run(modules, options, fast);
  } catch (const std::exception &error) {
    std::cerr << "cuda_bench: " << error.what() << '\n';
    return 1;
  }
}

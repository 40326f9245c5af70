//===- main.cpp - what the runtime costs ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Figures.h"

#include <khal/khal.hpp>

#include <CLI/CLI.hpp>

#include <iostream>

int main(int argc, char **argv) {
  bench::Options options;
  bool strict = false;
  CLI::App app("Times launches, graphs and copies of the runtime on every device, next to the same "
               "work by hand-written calls of the driver: medians of interleaved runs");
  app.add_option("--runs", options.runs, "Runs of each side")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--device", options.only, "Only devices whose id begins so: cpu, vulkan, cuda:1");
  app.add_flag("--strict", strict, "Exit with 1 when a figure is over its limit");
  app.add_option("figures", options.names, "Parts of the names of figures; all when left out");
  CLI11_PARSE(app, argc, argv);
  try {
    for (const khal::Device &device : khal::Device::all())
      std::cout << device.info().id << ": " << device.info().name << ", " << device.info().driver
                << (device.info().validated ? ", VALIDATED: figures mean nothing" : "") << '\n';
    bench::Figures figures(options);
    bench::benchCore(figures);
    bench::benchVulkan(figures);
    bench::benchCuda(figures);
    return strict && !figures.allWithin() ? 1 : 0;
  } catch (const std::exception &error) {
    std::cerr << "runtime_bench: " << error.what() << '\n';
    return 2;
  }
}

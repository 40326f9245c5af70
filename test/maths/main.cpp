//===- main.cpp - maths_sweep: measures the errors of maths functions -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every function on devices for every STEP-th float there is, and for as many random doubles and
// pairs, and prints a row of docs/maths.md for each: the worst error in units in the last place. Fails
// when a function is off by more than sweep.def allows. What is exact is computed once for all columns.
//
//===-------------------------------------------------------------------------------------------===//
#include "Sweep.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <thread>

namespace {

const std::map<std::string, Mode> modeNames{
    {"default", Mode::byDefault}, {"strict", Mode::strict}, {"fast", Mode::fast}};

struct Options {
  std::uint32_t step = 1021;
  bool all = false;
  std::uint64_t random = 0; ///< 0: as many as floats, but no more than 20 million
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::string> devices, functions;
  std::vector<Mode> modes{::modes.begin(), ::modes.end()};
};

std::string title(const char *type, const Column &column) {
  std::string text = std::string(type) + ", " + column.device.info().id;
  if (column.mode == Mode::strict)
    text += ", strict";
  else if (column.mode == Mode::fast)
    text += ", fast";
  return text;
}

std::string shown(double error) {
  if (std::isinf(error))
    return "∞";
  char text[32];
  std::snprintf(text, sizeof text, error < 1000 ? "%.2f" : "%.0e", error);
  return text;
}

/// Prints a cell for each column; false if one is beyond its limit.
template <class T>
bool report(const char *name, const char *type, const std::vector<Column> &columns,
            const std::vector<Worst<T>> &worst) {
  bool isGood = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::printf(" %s |", shown(worst[i].error).c_str());
    if (worst[i].excess <= 1)
      continue;
    isGood = false;
    std::fprintf(stderr, "%s (%s) is off by %g of what is allowed at %.17g (%a), %.17g\n", name,
                 title(type, columns[i]).c_str(), worst[i].excess, static_cast<double>(worst[i].x),
                 static_cast<double>(worst[i].x), static_cast<double>(worst[i].y));
  }
  return isGood;
}

/// Every device in every mode. What double is computed by doesn't depend on --fp=fast.
std::vector<Column> columnsOf(const Options &options, bool isDouble) {
  std::vector<khal::Device> devices;
  for (const std::string &id : options.devices)
    devices.push_back(khal::open(id));
  if (devices.empty())
    devices.emplace_back();
  std::vector<Column> columns;
  for (const khal::Device &device : devices)
    for (const Mode mode : options.modes)
      if (!isDouble || mode != Mode::fast)
        columns.push_back({device, mode});
  return columns;
}

void printHead(const std::vector<Column> &ofFloat, const std::vector<Column> &ofDouble) {
  std::string head = "| function |", line = "|---|";
  for (const Column &column : ofFloat)
    head += " " + title("float", column) + " |", line += "---|";
  for (const Column &column : ofDouble)
    head += " " + title("double", column) + " |", line += "---|";
  std::printf("%s\n%s\n", head.c_str(), line.c_str());
}

bool isChosen(const Options &options, const std::string &name) {
  return options.functions.empty() || std::ranges::count(options.functions, name) != 0;
}

bool run(const Options &options) {
  const auto ofFloat = columnsOf(options, false), ofDouble = columnsOf(options, true);
  const Sweep floats(ofFloat, options.threads), doubles(ofDouble, options.threads);
  const std::uint64_t count = (std::uint64_t{1} << 32) / options.step;
  const std::uint64_t random =
      options.random ? options.random : std::min<std::uint64_t>(count, 20'000'000);
  printHead(ofFloat, ofDouble);
  bool isGood = true;
  for (const Function &function : functions()) {
    if (!isChosen(options, function.name))
      continue;
    std::printf("| `%s` |", function.name);
    isGood &= report(function.name, "float", ofFloat,
                     function.takesTwo ? floats.random(function.ofFloat, random)
                                       : floats.everyFloat(function.ofFloat, options.step));
    isGood &= report(function.name, "double", ofDouble, doubles.random(function.ofDouble, random));
    std::printf("\n");
    std::fflush(stdout);
  }
  return isGood;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Measures the errors of maths functions; see docs/maths.md.");
  app.add_option("step", options.step, "every so many-th float")->check(CLI::Range(1u, ~0u));
  app.add_flag("--all", options.all, "all 2^32 floats");
  app.add_option("--random", options.random, "how many random doubles, and pairs")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "threads that compare")
      ->check(CLI::Range(1u, 1024u));
  app.add_option("--device", options.devices, "devices; by default KHAL_DEVICE's")->delimiter(',');
  app.add_option("--function", options.functions, "functions; by default all")
      ->delimiter(',')
      ->check([](const std::string &name) {
        return std::ranges::count(functions(), name, &Function::name) != 0 ? ""
                                                                           : "no such function";
      });
  app.add_option("--fp", options.modes, "how kernels are compiled: default, strict, fast")
      ->delimiter(',')
      ->transform(CLI::CheckedTransformer(modeNames));
  CLI11_PARSE(app, argc, argv);
  if (options.all)
    options.step = 1;
  try {
    return run(options) ? 0 : 1;
  } catch (const khal::Error &error) {
    std::fprintf(stderr, "maths_sweep: %s\n", error.what());
    return 1;
  }
}

//===- KernelFuzz.cpp - random kernels must do the same however they are compiled -------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each program is compiled by khalc for the CPU at -O0 and -O3 and for Vulkan, and, unless it has
// barriers, by the host's compiler; all must leave the same bytes. A program that doesn't is made
// smaller and written out with the command that repeats it.
//
//===------------------------------------------------------------------------------------------===//
#include "Check.h"
#include "Generate.h"
#include "Shrink.h"

#include "CLI/CLI.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <unistd.h>

using namespace khal::fuzz;

namespace {

struct Options {
  std::uint64_t seed = 1;
  unsigned count = 100, batch = 10, tries = 400;
  unsigned minutes = 0;
  bool print = false;
  std::string output = ".";
  std::vector<std::string> files;
};

/// A folder for what is built, gone at the end.
class Workplace {
public:
  Workplace()
      : path(std::filesystem::temp_directory_path() / ("khal-fuzz-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  const std::filesystem::path path;
};

void report(const Settings &settings, const Options &options, const Program &program,
            const Finding &finding) {
  std::cout << "seed " << program.seed << ": " << finding.kind << " " << finding.details
            << std::endl;
  const std::filesystem::path path =
      std::filesystem::path(options.output) / ("seed-" + std::to_string(program.seed) + ".cpp");
  const auto write = [&](const Program &failing) {
    std::ofstream file(path);
    file << "// " << finding.kind << "\n// khal-kernel-fuzz --seed=" << program.seed
         << " --count=1\n// khal-kernel-fuzz " << path.filename().string() << "\n"
         << kernelFile({&failing, 1});
  };
  // Each smaller one, so that there is something when this takes longer than one likes.
  const auto stillFails = [&](const Program &candidate) {
    const bool fails = check(settings, {&candidate, 1}, finding.ways).front().kind == finding.kind;
    if (fails)
      write(candidate);
    return fails;
  };
  write(program);
  write(shrink(program, stillFails, options.tries));
  std::cout << "  made smaller in " << path.string() << std::endl;
}

/// Programs of one form together; returns how many fail.
unsigned tryBatch(const Settings &settings, const Options &options,
                  const std::vector<Program> &programs) {
  if (programs.empty())
    return 0;
  unsigned failures = 0;
  const std::vector<Finding> findings = check(settings, programs);
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (findings[i].kind.empty())
      continue;
    ++failures;
    report(settings, options, programs[i], findings[i]);
  }
  return failures;
}

unsigned tryPrograms(const Settings &settings, const Options &options) {
  const auto start = std::chrono::steady_clock::now();
  unsigned failures = 0, done = 0;
  while (done < options.count) {
    std::vector<Program> forms[2];
    for (unsigned i = 0; i < options.batch && done < options.count; ++i, ++done) {
      Program program = generate(options.seed + done);
      forms[unsigned(program.form)].push_back(std::move(program));
    }
    for (const std::vector<Program> &programs : forms)
      failures += tryBatch(settings, options, programs);
    if (options.minutes > 0 &&
        std::chrono::steady_clock::now() - start > std::chrono::minutes(options.minutes))
      break;
  }
  std::cout << done << " programs from seed " << options.seed << ", " << failures << " failed\n";
  return failures;
}

/// Kernel files with one kernel each, as report() writes them.
unsigned tryFiles(const Settings &settings, const Options &options) {
  unsigned failures = 0;
  for (const std::string &path : options.files) {
    std::ifstream file(path);
    if (!file) {
      std::cout << path << ": can't be read\n";
      ++failures;
      continue;
    }
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string copy = settings.folder + "/programs.cpp";
    std::ofstream(copy) << text;
    const bool hasHostForm = text.find("sizes_0") != std::string::npos;
    const std::vector<std::string> ways =
        hasHostForm ? std::vector<std::string>{}
                    : std::vector<std::string>{"cpu-O0", "cpu-O3", "vulkan-O2"};
    const Finding finding = checkFile(settings, copy, 1, ways).front();
    if (finding.kind.empty())
      continue;
    std::cout << path << ": " << finding.kind << " " << finding.details << "\n";
    ++failures;
  }
  std::cout << options.files.size() << " files, " << failures << " failed\n";
  return failures;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Random kernels must do the same however they are compiled.");
  Options options;
  app.add_option("FILE", options.files, "kernel files that this program wrote; none: random ones");
  app.add_option("--seed", options.seed, "seed of the first program")->capture_default_str();
  app.add_option("--count", options.count, "how many programs")->capture_default_str();
  app.add_option("--minutes", options.minutes, "stop after so long, when not 0");
  app.add_option("--batch", options.batch, "programs in one file")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_option("--tries", options.tries, "most programs to try when making one smaller")
      ->capture_default_str();
  app.add_option("--output", options.output, "folder for what fails")
      ->check(CLI::ExistingDirectory);
  app.add_flag("--print", options.print, "only print the program of the seed");
  CLI11_PARSE(app, argc, argv);

  if (options.print) {
    const Program program = generate(options.seed);
    std::cout << kernelFile({&program, 1});
    return 0;
  }
  const Workplace workplace;
  const Settings settings{
      KHAL_FUZZ_KHALC, KHAL_FUZZ_COMPILER, {KHAL_FUZZ_SOURCE, KHAL_FUZZ_INCLUDE}, workplace.path};
  const unsigned failures =
      options.files.empty() ? tryPrograms(settings, options) : tryFiles(settings, options);
  return failures == 0 ? 0 : 1;
}

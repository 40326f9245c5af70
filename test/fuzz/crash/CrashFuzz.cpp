//===- CrashFuzz.cpp - khalc takes or refuses any file, and never fails itself ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "../Command.h"
#include "Mutate.h"

#include "CLI/CLI.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include <unistd.h>

using namespace khal::fuzz;

namespace {

constexpr unsigned secondsToCompile = 120;

struct Options {
  std::uint64_t seed = 1;
  unsigned count = 100;
  std::string output = ".";
  std::vector<std::string> files;
};

std::string contents(const std::filesystem::path &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Fuzzer {
public:
  Fuzzer(const Options &options, std::filesystem::path folder)
      : options(options), folder(std::move(folder)) {}

  bool tryOne(std::uint64_t seed) {
    Random random(seed);
    const std::string &file = options.files[random.below(unsigned(options.files.size()))];
    static constexpr const char *targets[] = {"cpu",  "spirv", "ptx",  "msl",
                                              "hlsl", "glsl",  "wgsl", "all"};
    static constexpr const char *levels[] = {"-O0", "-O1", "-O2", "-O3"};
    static constexpr const char *floats[] = {"strict", "default", "fast"};
    target = std::string("--target=") + targets[random.below(std::size(targets))];
    level = levels[random.below(std::size(levels))];
    arithmetic = std::string("--fp=") + floats[random.below(std::size(floats))];
    debug = random.below(4) == 0;
    besides = std::filesystem::path(file).parent_path();
    std::vector<Token> tokens = tokenise(contents(file));
    for (unsigned left = 1 + random.below(4); left > 0; --left)
      mutate(tokens, random);
    const std::string fault = faultOf(tokens);
    if (fault.empty())
      return true;
    std::cout << "seed " << seed << " (" << std::filesystem::path(file).filename().string()
              << "): " << fault << std::endl;
    shrink(tokens, fault);
    const std::filesystem::path path =
        std::filesystem::path(options.output) / ("crash-" + std::to_string(seed) + ".cpp");
    std::ofstream(path) << "// khalc " << target << " " << level << " " << arithmetic
                        << (debug ? " -g: " : ": ") << fault << "\n"
                        << join(tokens);
    std::cout << "  made smaller in " << path.string() << std::endl;
    return false;
  }

private:
  /// What khalc did that it must not do; empty when it took or refused the file properly.
  std::string faultOf(const std::vector<Token> &tokens) {
    const std::string source = folder / "mutant.cpp", log = folder / "log.txt";
    std::ofstream(source) << join(tokens);
    std::vector<std::string> command = {
        KHAL_FUZZ_KHALC,        target, level,  arithmetic,
        "--cpu-arch=x86-64-v3", "-o",   folder, std::string("-I") + KHAL_FUZZ_INCLUDE,
        "-I" + besides};
    if (debug)
      command.push_back("-g");
    command.push_back(source);
    const int code = runCommand(command, log, secondsToCompile);
    const std::string said = contents(log);
    const std::size_t error = said.find("error: ");
    if (code == 0 || (code == 1 && error != std::string::npos))
      return "";
    std::string fault = "ends with " + std::to_string(code);
    if (code == 1)
      return fault + " without an error";
    // Of an internal error, what is said of it; places differ from file to file.
    const std::size_t internal = said.rfind("khalc: error: ");
    const std::size_t from = internal != std::string::npos ? internal : error;
    if (from != std::string::npos)
      fault += ": " + said.substr(from, said.find('\n', from) - from);
    return fault;
  }

  /// Drops runs of tokens while the fault stays, from long ones to short ones.
  void shrink(std::vector<Token> &tokens, const std::string &fault) {
    unsigned tries = 150;
    for (std::size_t run = tokens.size() / 2; run > 0; run /= 2)
      for (std::size_t at = 0; at + run <= tokens.size() && tries > 0;) {
        std::vector<Token> fewer = tokens;
        fewer.erase(fewer.begin() + long(at), fewer.begin() + long(at + run));
        --tries;
        if (faultOf(fewer) == fault)
          tokens = std::move(fewer);
        else
          at += run;
      }
  }

  const Options &options;
  const std::filesystem::path folder;
  std::string target, level, arithmetic;
  bool debug = false;
  std::string besides; // the folder of what the file includes
};

} // namespace

int main(int argc, char **argv) {
  CLI::App app("khalc takes or refuses any file, and never fails itself.");
  Options options;
  app.add_option("FILE", options.files, "kernel files to change")->required();
  app.add_option("--seed", options.seed, "seed of the first change")->capture_default_str();
  app.add_option("--count", options.count, "how many changes")->capture_default_str();
  app.add_option("--output", options.output, "folder for what fails")
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("khal-crash-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  unsigned failures = 0;
  Fuzzer fuzzer(options, folder);
  for (unsigned i = 0; i < options.count; ++i)
    failures += !fuzzer.tryOne(options.seed + i);
  std::filesystem::remove_all(folder);
  std::cout << options.count << " changed files from seed " << options.seed << ", " << failures
            << " failed\n";
  return failures == 0 ? 0 : 1;
}

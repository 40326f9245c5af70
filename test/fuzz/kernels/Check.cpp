//===- Check.cpp - compiles programs in several ways and compares what they do ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Check.h"

#include "../Command.h"
#include "Run.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace khal::fuzz {

namespace {

constexpr unsigned secondsToCompile = 120;

/// One build of a file, and where it runs.
struct Build {
  const char *name;
  std::vector<const char *> options; ///< of khalc; empty for the host's compiler
  std::vector<const char *> devices;
};

const std::vector<Build> &builds() {
  static const std::vector<Build> all = {
      {"O0", {"-O0", "--target=cpu", "--cpu-arch=x86-64-v2"}, {"cpu"}},
      {"O3", {"-O3", "--target=cpu", "--cpu-arch=x86-64-v3"}, {"cpu"}},
      // Groups of one: see Generator::inStep.
      {"O2", {"-O2", "--target=spirv", "-DKHAL_FUZZ_GROUP=1"}, {"vulkan"}},
      {"host", {}, {"host"}},
  };
  return all;
}

std::string wayOf(const Build &build, const char *device) {
  return build.options.empty() ? "host" : std::string(device) + "-" + build.name;
}

bool wanted(const std::vector<std::string> &ways, const std::string &way) {
  return ways.empty() || std::find(ways.begin(), ways.end(), way) != ways.end();
}

std::string contents(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first line of a compiler's output that names an error, without the place.
std::string firstError(const std::string &output) {
  const std::size_t at = output.find("error: ");
  return at == std::string::npos ? "" : output.substr(at, output.find('\n', at) - at);
}

/// Compiles to a shared library; returns what failed.
Finding compile(const Settings &settings, const Build &build, const std::string &source,
                const std::string &library) {
  const std::string log = settings.folder + "/log.txt";
  std::vector<std::string> command;
  const bool isHost = build.options.empty();
  if (isHost) {
    command = {settings.hostCompiler,
               "-std=c++20",
               "-O1",
               "-ffp-contract=off",
               "-w",
               "-fPIC",
               "-shared",
               "-o",
               library,
               source};
  } else {
    command = {settings.khalc, "--emit=object", "--fp=strict", "-o", settings.folder, source};
    command.insert(command.end(), build.options.begin(), build.options.end());
  }
  for (const std::string &include : settings.includes)
    command.push_back("-I" + include);
  const std::string name = isHost ? "the host's compiler" : "khalc " + std::string(build.name);
  if (const int code = runCommand(command, log, secondsToCompile)) {
    const std::string output = contents(log);
    return {name + " ends with " + std::to_string(code) + ": " + firstError(output),
            output,
            {wayOf(build, build.devices.front())}};
  }
  if (isHost)
    return {};
  const std::string object = source.substr(0, source.rfind('.')) + ".khal.o";
  if (runCommand({settings.hostCompiler, "-shared", "-o", library, object}, log, secondsToCompile))
    return {"the object of " + name + " can't be linked", contents(log), {}};
  return {};
}

struct Way {
  std::string name;
  std::vector<Outcome> outcomes;
};

std::string firstDifference(const std::string &a, const std::string &b) {
  const std::size_t outBytes = sizes::items * sizeof(std::uint32_t);
  if (a.size() != b.size())
    return "sizes differ";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i])
      continue;
    if (i >= outBytes)
      return "work differs at byte " + std::to_string(i - outBytes) + " of " +
             std::to_string(a.size() - outBytes) + ", which is " +
             std::to_string(static_cast<unsigned char>(a[i])) + " and " +
             std::to_string(static_cast<unsigned char>(b[i]));
    std::uint32_t values[2];
    const std::size_t start = i / 4 * 4;
    std::memcpy(&values[0], a.data() + start, 4);
    std::memcpy(&values[1], b.data() + start, 4);
    return "out[" + std::to_string(start / 4) + "] is " + std::to_string(values[0]) + " and " +
           std::to_string(values[1]);
  }
  return "";
}

Finding compare(const std::vector<Way> &ways, std::size_t program) {
  for (const Way &way : ways)
    if (!way.outcomes[program].failure.empty())
      return {way.name + ": " + way.outcomes[program].failure, "", {way.name}};
  // The one that stands alone is looked for first.
  for (const Way &odd : ways) {
    std::size_t same = 0;
    const Way *other = nullptr;
    for (const Way &way : ways) {
      if (way.outcomes[program].bytes == odd.outcomes[program].bytes)
        ++same;
      else if (!other)
        other = &way;
    }
    if (!other || 2 * same > ways.size())
      continue;
    // The same words whichever of the two is wrong: with two ways alone that can't be told.
    const std::string first = std::min(odd.name, other->name),
                      last = std::max(odd.name, other->name);
    return {first + " and " + last + " differ",
            "(" + odd.name + " against " + other->name + "): " +
                firstDifference(odd.outcomes[program].bytes, other->outcomes[program].bytes),
            {odd.name, other->name}};
  }
  return {};
}

bool concernsVulkan(const Finding &finding) {
  return finding.kind.ends_with("differ") &&
         std::any_of(finding.ways.begin(), finding.ways.end(),
                     [](const std::string &way) { return way.starts_with("vulkan"); });
}

} // namespace

std::vector<Finding> checkFile(const Settings &settings, const std::string &file, unsigned count,
                               const std::vector<std::string> &wantedWays) {
  std::vector<Way> ways;
  for (const Build &build : builds()) {
    std::vector<const char *> devices;
    for (const char *device : build.devices)
      if (wanted(wantedWays, wayOf(build, device)))
        devices.push_back(device);
    if (devices.empty())
      continue;
    const std::string library = settings.folder + "/" + build.name + ".so";
    const Finding broken = compile(settings, build, file, library);
    if (!broken.kind.empty())
      return std::vector<Finding>(count, broken);
    for (const char *device : devices)
      ways.push_back({wayOf(build, device), runLibrary(library, count, device)});
  }
  std::vector<Finding> findings;
  for (unsigned i = 0; i < count; ++i)
    findings.push_back(compare(ways, i));
  return findings;
}

std::vector<Finding> check(const Settings &settings, std::span<const Program> programs,
                           const std::vector<std::string> &ways) {
  const std::string source = settings.folder + "/programs.cpp";
  std::ofstream(source) << kernelFile(programs);
  std::vector<std::string> possible = ways;
  // A program for a group has barriers, which the host's compiler has no meaning for.
  if (ways.empty() && programs.front().form == Form::Group)
    possible = {"cpu-O0", "cpu-O3", "vulkan-O2"};
  std::vector<Finding> findings = checkFile(settings, source, unsigned(programs.size()), possible);
  // Mesa's llvmpipe loses values that were loaded in such a loop; other Vulkan devices don't.
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (programs[i].entersLoops && ways.empty() && concernsVulkan(findings[i]) &&
        vulkanIsLlvmpipe())
      findings[i] = check(settings, programs.subspan(i, 1), {"cpu-O0", "cpu-O3"}).front();
  const bool unclear = std::any_of(findings.begin(), findings.end(), [](const Finding &finding) {
    return finding.kind.find("ends with") != std::string::npos ||
           finding.kind.find("not run") != std::string::npos;
  });
  if (!unclear || programs.size() == 1)
    return findings;
  // Something failed for all of them: ask each.
  for (std::size_t i = 0; i < programs.size(); ++i)
    findings[i] = check(settings, programs.subspan(i, 1), ways).front();
  return findings;
}

} // namespace khal::fuzz

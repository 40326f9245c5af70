//===- Kernel.cpp - a kernel's machine code ---------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Kernel.h"

#include "core/Artifact.h"
#include "core/Text.h"

#include <cstdlib>
#include <span>

namespace khal::detail::cpu {

namespace {

struct Level {
  std::string_view name;
  bool there;

  /// As KHAL_CPU_LEVEL has it: "v3".
  std::string_view short_name() const {
    constexpr std::string_view architecture = "x86-64-";
    return name.starts_with(architecture) ? name.substr(architecture.size()) : name;
  }
};

/// Lowest first. __builtin_cpu_supports also asks whether the system saves the wider registers.
std::span<const Level> levels() {
#if defined(__x86_64__)
  static const Level known[] = {
      {"x86-64", true},
      {"x86-64-v2", __builtin_cpu_supports("x86-64-v2") != 0},
      {"x86-64-v3", __builtin_cpu_supports("x86-64-v3") != 0},
      {"x86-64-v4", __builtin_cpu_supports("x86-64-v4") != 0},
  };
  return known;
#else
  return {};
#endif
}

std::string_view wanted_level() {
  const char *wanted = std::getenv("KHAL_CPU_LEVEL");
  return wanted ? wanted : std::string_view();
}

/// The levels of this processor up to KHAL_CPU_LEVEL.
std::span<const Level> usable_levels() {
  const std::string_view wanted = wanted_level();
  std::size_t count = 0;
  for (const Level &level : levels()) {
    if (!level.there)
      break;
    ++count;
    if (level.short_name() == wanted)
      break;
  }
  return levels().first(count);
}

} // namespace

void check_wanted_level() {
  const std::string_view wanted = wanted_level();
  if (wanted.empty())
    return;
  std::string there;
  for (const Level &level : levels()) {
    // The lowest one has no number, and nothing is compiled for it alone.
    if (!level.there || level.short_name() == level.name)
      continue;
    if (level.short_name() == wanted)
      return;
    there += (there.empty() ? "" : ", ") + std::string(level.short_name());
  }
  throw Error(ErrorCode::bad_argument,
              text("the environment variable KHAL_CPU_LEVEL is \"", wanted,
                   "\": this processor has ", there.empty() ? "no levels" : there));
}

std::optional<int> rank_level(std::string_view level) {
  // Compiled for the machine that it was compiled on: whoever asks for that vouches for it.
  if (level == "native")
    return static_cast<int>(levels().size());
  const std::span<const Level> usable = usable_levels();
  for (std::size_t i = 0; i < usable.size(); ++i)
    if (usable[i].name == level)
      return static_cast<int>(i);
  return std::nullopt;
}

std::string highest_level() {
  const std::span<const Level> usable = usable_levels();
  return usable.empty() ? std::string() : std::string(usable.back().name);
}

std::unique_ptr<Kernel> load(const abi::Kernel &kernel, const DeviceInfo &device) {
  const abi::Artifact &artifact = choose_artifact(kernel, abi::Target::cpu, device, rank_level);
  return std::make_unique<Kernel>(Kernel{artifact.function, artifact.scratch_bytes});
}

} // namespace khal::detail::cpu

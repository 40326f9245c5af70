//===- Kernel.cpp - a kernel's machine code ---------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Kernel.h"

#include "core/Artifact.h"

#include <span>

namespace khal::detail::cpu {

namespace {

struct Level {
  const char *name;
  bool there;
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

} // namespace

std::optional<int> rank_level(std::string_view level) {
  // Compiled for the machine that it was compiled on: whoever asks for that vouches for it.
  if (level == "native")
    return static_cast<int>(levels().size());
  for (std::size_t i = 0; i < levels().size(); ++i)
    if (levels()[i].name == level && levels()[i].there)
      return static_cast<int>(i);
  return std::nullopt;
}

std::string highest_level() {
  std::string highest;
  for (const Level &level : levels())
    if (level.there)
      highest = level.name;
  return highest;
}

std::unique_ptr<Kernel> load(const abi::Kernel &kernel, const DeviceInfo &device) {
  const abi::Artifact &artifact = choose_artifact(kernel, abi::Target::cpu, device, rank_level);
  return std::make_unique<Kernel>(Kernel{artifact.function, artifact.scratch_bytes});
}

} // namespace khal::detail::cpu

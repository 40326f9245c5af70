//===- Record.cpp - every launch of a program, recorded -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked into a program with --wrap for khal::detail::launch, so that the program's launches come here.
// Records into the folder that KHAL_RECORD names, on the CPU device, whose memory can be read; without
// it the program runs as ever.
//
//===---------------------------------------------------------------------------------------------===//
#include "Launch.h"

#include "core/Backend.h"

#include "khal/khal.hpp"

#include <cstdlib>

namespace text_test {

using namespace khal;
using Arguments = std::span<const detail::BufferArgument>;
using Block = std::span<const std::byte>;

// What --wrap makes of the launch's symbol, which CMake gives.
void real_launch(Stream &stream, const abi::Kernel &kernel, const Grid &grid, Arguments buffers,
                 Block block) __asm__("__real_" KHAL_LAUNCH_SYMBOL);
void recorded_launch(Stream &stream, const abi::Kernel &kernel, const Grid &grid, Arguments buffers,
                     Block block) __asm__("__wrap_" KHAL_LAUNCH_SYMBOL);

namespace {

nlohmann::json record_artifacts(const abi::Kernel &kernel, const std::filesystem::path &folder) {
  nlohmann::json artifacts = nlohmann::json::object();
  for (std::uint32_t i = 0; i < kernel.artifact_count; ++i) {
    const abi::Artifact &artifact = kernel.artifacts[i];
    if (artifact.target == abi::Target::cpu || artifact.target == abi::Target::ptx)
      continue;
    const std::string name = abi::name_of(artifact.target);
    if (artifact.unavailable) {
      artifacts[name] = {{"unavailable", artifact.unavailable}};
      continue;
    }
    artifacts[name] = {
        {"entry", artifact.entry}, {"variant", artifact.variant}, {"features", artifact.features}};
    write_file(folder / ("kernel." + name), artifact.code, artifact.code_size);
  }
  return artifacts;
}

std::array<std::uint64_t, 3> groups_of(const Grid &grid, const abi::Kernel &kernel) {
  std::array<std::uint64_t, 3> groups = grid.extent();
  if (grid.unit() == Grid::Unit::threads)
    for (std::size_t i = 0; i < groups.size(); ++i)
      groups[i] = (groups[i] + kernel.group_size[i] - 1) / kernel.group_size[i];
  return groups;
}

/// Work that other streams or uploads have in flight is waited for.
const std::byte *bytes_of(const detail::BufferArgument &argument) {
  argument.memory->wait_for_uses();
  const std::byte *start = argument.memory->mapped();
  if (!start)
    throw std::runtime_error(
        "recording needs a device whose memory the host sees: KHAL_DEVICE=cpu");
  return start + argument.offset;
}

} // namespace

void recorded_launch(Stream &stream, const abi::Kernel &kernel, const Grid &grid, Arguments buffers,
                     Block block) {
  const char *root = std::getenv("KHAL_RECORD");
  if (!root)
    return real_launch(stream, kernel, grid, buffers, block);
  static unsigned count = 0;
  const std::filesystem::path folder = std::filesystem::path(root) / std::to_string(count++);
  std::filesystem::create_directories(folder);
  stream.wait();
  nlohmann::json launch = {{"kernel", kernel.name},
                           {"groups", groups_of(grid, kernel)},
                           {"group_size", std::to_array(kernel.group_size)},
                           {"artifacts", record_artifacts(kernel, folder)}};
  std::vector<std::uint32_t> words(block.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), block.data(), words.size() * sizeof(std::uint32_t));
  launch["block"] = words;
  launch["buffers"] = nlohmann::json::array();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::size_t size = buffers[i].count * buffers[i].element_size;
    launch["buffers"].push_back(
        {{"bytes", size}, {"read_only", (kernel.buffers[i].flags & abi::buffer_read_only) != 0}});
    write_file(folder / (std::to_string(i) + ".before"), bytes_of(buffers[i]), size);
  }
  real_launch(stream, kernel, grid, buffers, block);
  stream.wait();
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (!(kernel.buffers[i].flags & abi::buffer_read_only))
      write_file(folder / (std::to_string(i) + ".after"), bytes_of(buffers[i]),
                 buffers[i].count * buffers[i].element_size);
  const std::string json = launch.dump(1);
  write_file(folder / "launch.json", json.data(), json.size());
}

} // namespace text_test

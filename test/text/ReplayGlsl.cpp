//===- ReplayGlsl.cpp - recorded launches from their GLSL, on Vulkan ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   replay_glsl RECORDING    compiles each launch's GLSL with glslangValidator and runs it on the
//                            device that KHAL_DEVICE names, a Vulkan one
//
//===---------------------------------------------------------------------------------------------===//
#include "Launch.h"

#include "khal/khal.hpp"

#include <cstdlib>
#include <map>
#include <memory>

namespace {

using namespace khal;
using namespace text_test;

/// The runtime passes a block beyond this size in a uniform buffer, as GLSL always wants it.
constexpr std::uint32_t least_uniform_bytes = 2 * abi::max_push_constant_bytes;

std::uint32_t block_bytes(const nlohmann::json &launch) {
  return std::max(static_cast<std::uint32_t>(launch["block"].size() * sizeof(std::uint32_t)),
                  least_uniform_bytes);
}

/// A kernel as the runtime takes it. It is kept to the program's end: the runtime knows kernels by
/// their addresses.
struct Prepared {
  Bytes words;
  std::string name, entry;
  std::vector<abi::BufferInfo> buffers;
  abi::Artifact artifact{};
  abi::Kernel kernel{};
};

Bytes compile(const std::filesystem::path &folder) {
  const std::filesystem::path source = folder / "kernel.glsl", binary = folder / "kernel.glsl.spv";
  const std::string command = "glslangValidator --quiet -S comp -V --target-env vulkan1.1 -o '" +
                              binary.string() + "' '" + source.string() + "'";
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("glslangValidator doesn't take " + source.string());
  return read_file(binary);
}

std::unique_ptr<Prepared> prepare(const std::filesystem::path &folder,
                                  const nlohmann::json &launch) {
  auto made = std::make_unique<Prepared>();
  const nlohmann::json &glsl = launch["artifacts"]["glsl"];
  made->words = compile(folder);
  made->name = launch["kernel"];
  made->entry = glsl["entry"];
  for (const nlohmann::json &buffer : launch["buffers"])
    made->buffers.push_back({"", 1, buffer["read_only"] ? abi::buffer_read_only : 0u});
  made->artifact = {
      abi::Target::spirv, 0,      glsl["features"], "1.1", made->entry.c_str(), made->words.data(),
      made->words.size(), nullptr};
  abi::Kernel &kernel = made->kernel;
  kernel.abi_version = abi::version;
  kernel.flags = abi::kernel_may_alias;
  kernel.name = made->name.c_str();
  kernel.file = "replay";
  for (std::size_t i = 0; i < 3; ++i)
    kernel.group_size[i] = launch["group_size"][i];
  kernel.buffer_count = static_cast<std::uint32_t>(made->buffers.size());
  kernel.block_size = block_bytes(launch);
  kernel.buffers = made->buffers.data();
  kernel.artifact_count = 1;
  kernel.artifacts = &made->artifact;
  return made;
}

/// What is wrong with a launch; empty when it computes the same.
std::string replay(const std::filesystem::path &folder, const nlohmann::json &launch) {
  static std::map<std::string, std::unique_ptr<Prepared>> known;
  const Bytes code = read_file(folder / "kernel.glsl");
  std::unique_ptr<Prepared> &prepared = known[std::string(code.begin(), code.end())];
  if (!prepared)
    prepared = prepare(folder, launch);
  static Device device;
  Stream stream(device);
  std::vector<Buffer<std::uint8_t>> buffers;
  for (std::size_t i = 0; i < launch["buffers"].size(); ++i) {
    const Bytes before = read_file(folder / (std::to_string(i) + ".before"));
    buffers.push_back(device.upload(std::vector<std::uint8_t>(before.begin(), before.end())));
  }
  std::vector<detail::BufferArgument> arguments;
  for (const Buffer<std::uint8_t> &buffer : buffers)
    arguments.push_back(Arg<const std::uint8_t>(buffer));
  std::vector<std::uint32_t> block = launch["block"];
  block.resize(prepared->kernel.block_size / sizeof(std::uint32_t));
  const nlohmann::json &count = launch["groups"];
  detail::launch(stream, prepared->kernel, groups(count[0], count[1], count[2]), arguments,
                 std::as_bytes(std::span(block)));
  stream.wait();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (launch["buffers"][i]["read_only"])
      continue;
    const std::vector<std::uint8_t> got = buffers[i].download();
    const std::string difference = first_difference(
        Bytes(got.begin(), got.end()), read_file(folder / (std::to_string(i) + ".after")));
    if (!difference.empty())
      return "buffer " + std::to_string(i) + ": " + difference;
  }
  return "";
}

} // namespace

int main(int argc, char **argv) {
  return replay_all(argc, argv, "glsl", replay);
}

//===- Launch.h - a recorded launch on disk -------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text targets have no backend in the runtime yet, so their kernels are tested by replay: a program is
// run on the CPU with every launch recorded (Record.cpp), and each launch is then run again from its
// text by the language's real consumer, whose buffers must end up the same. A recording is a folder
// with one folder a launch, numbered from 0:
//
//   launch.json    {"kernel", "groups": [x, y, z], "group_size": [x, y, z], "block": [words…],
//                   "buffers": [{"bytes", "read_only"}…],
//                   "artifacts": {"glsl": {"entry", "variant", "features"} or {"unavailable"}…}}
//   kernel.glsl …  each text target's code
//   0.before …     each buffer's bytes before the launch, as far as the argument shows them
//   0.after …      and after, for those that the kernel writes
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_TEXT_LAUNCH_H
#define KHAL_TEST_TEXT_LAUNCH_H

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace text_test {

using Bytes = std::vector<char>;

inline Bytes read_file(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("can't read " + path.string());
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

inline void write_file(const std::filesystem::path &path, const void *data, std::size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char *>(data), static_cast<std::streamsize>(size));
  file.close();
  if (!file)
    throw std::runtime_error("can't write " + path.string());
}

/// Where two buffers first differ, as a sentence; empty when they agree.
inline std::string first_difference(const Bytes &got, const Bytes &expected) {
  if (got.size() != expected.size())
    return std::to_string(got.size()) + " bytes in place of " + std::to_string(expected.size());
  for (std::size_t i = 0; i < got.size(); ++i)
    if (got[i] != expected[i])
      return "byte " + std::to_string(i) + " is " +
             std::to_string(static_cast<unsigned char>(got[i])) + " and should be " +
             std::to_string(static_cast<unsigned char>(expected[i]));
  return "";
}

/// A program's main: replays each launch of the recording that the one argument names, but those of
/// kernels that `target` can't express, which it lists. `replay` says
/// what is wrong with a launch, or nothing when it computes the same; it may throw.
template <class Replay> int replay_all(int argc, char **argv, const char *target, Replay replay) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s RECORDING\n", argv[0]);
    return 2;
  }
  unsigned ran = 0, failed = 0, unavailable = 0;
  for (;; ++ran) {
    const std::filesystem::path folder = std::filesystem::path(argv[1]) / std::to_string(ran);
    if (!std::filesystem::exists(folder / "launch.json"))
      break;
    std::string fault;
    nlohmann::json launch;
    try {
      const Bytes text = read_file(folder / "launch.json");
      launch = nlohmann::json::parse(text.begin(), text.end());
      const nlohmann::json &artifact = launch["artifacts"][target];
      if (artifact.contains("unavailable")) {
        std::printf("%s: %s\n", launch.value("kernel", "?").c_str(),
                    artifact.value("unavailable", "").c_str());
        ++unavailable;
        continue;
      }
      fault = replay(folder, launch);
    } catch (const std::exception &error) {
      fault = error.what();
    }
    if (fault.empty())
      continue;
    ++failed;
    std::fprintf(stderr, "%s (launch %u): %s\n", launch.value("kernel", "?").c_str(), ran,
                 fault.c_str());
  }
  std::printf("%u launches, %u failed, %u of kernels that %s can't express\n", ran, failed,
              unavailable, target);
  return ran > unavailable && failed == 0 ? 0 : 1;
}

} // namespace text_test

#endif // KHAL_TEST_TEXT_LAUNCH_H

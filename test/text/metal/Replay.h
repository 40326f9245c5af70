//===- Replay.h - recorded launches on fibers: the program's main ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
// Included last by the source that replay_msl.py writes, which defines run_of().

std::string replay(const std::filesystem::path &folder, const nlohmann::json &launch) {
  using namespace text_test;
  std::vector<Bytes> memory;
  for (std::size_t b = 0; b < launch["buffers"].size(); ++b)
    memory.push_back(read_file(folder / (std::to_string(b) + ".before")));
  std::vector<uint> block = launch["block"];
  block.resize(block.size() + memory.size());
  std::vector<void *> buffers;
  for (Bytes &bytes : memory)
    buffers.push_back(bytes.data());
  buffers.push_back(block.data());
  const auto vector = [&](const char *name) {
    return uint3{launch[name][0], launch[name][1], launch[name][2]};
  };
  const uint3 groups = vector("groups"), size = vector("group_size");
  const Run run = run_of(std::stoi(folder.filename()));
  const std::size_t items = std::size_t(size.x) * size.y * size.z;
  // A switch of fibers costs more than what most work-items do.
  const Bytes code = read_file(folder / "kernel.msl");
  const bool waits = std::string_view(code.data(), code.size()).find("threadgroup_barrier(") !=
                     std::string_view::npos;
  uint3 group{};
  const auto run_item = [&](std::size_t item) {
    const uint n = uint(item);
    run(buffers.data(), group, {n % size.x, n / size.x % size.y, n / size.x / size.y}, groups);
  };
  for (group.z = 0; group.z < groups.z; ++group.z)
    for (group.y = 0; group.y < groups.y; ++group.y)
      for (group.x = 0; group.x < groups.x; ++group.x) {
        if (waits)
          fibers::run_group(items, run_item);
        else
          for (std::size_t item = 0; item < items; ++item)
            run_item(item);
      }
  for (std::size_t b = 0; b < memory.size(); ++b) {
    if (launch["buffers"][b]["read_only"])
      continue;
    const std::string difference =
        first_difference(memory[b], read_file(folder / (std::to_string(b) + ".after")));
    if (!difference.empty())
      return "buffer " + std::to_string(b) + ": " + difference;
  }
  return "";
}

int main(int argc, char **argv) {
  return text_test::replay_all(argc, argv, "msl", replay);
}

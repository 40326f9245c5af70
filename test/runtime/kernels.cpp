//===- kernels.cpp - kernels that need no khalc, with stubs as khalc writes them --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "kernels.h"

#include "ptx.h"   // made of kernels/*.ptx by embed.cmake
#include "spirv.h" // made of kernels/*.comp by glslangValidator

#include <cstring>

namespace test {

using khal::abi::Artifact;
using khal::abi::BufferInfo;
using khal::abi::CpuLaunch;
using khal::abi::Kernel;
using khal::abi::Target;

namespace {

/// Calls `item(x, y, z)` for the work-items of a range of groups.
template <class Item>
void for_each_item(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end,
                   const std::uint32_t (&size)[3], const Item &item) {
  for (std::uint64_t group = first; group < end; ++group) {
    const std::uint64_t row = group / launch->num_groups[0];
    const u32 origin[3] = {static_cast<u32>(group % launch->num_groups[0]) * size[0],
                           static_cast<u32>(row % launch->num_groups[1]) * size[1],
                           static_cast<u32>(row / launch->num_groups[1]) * size[2]};
    for (u32 z = 0; z < size[2]; ++z)
      for (u32 y = 0; y < size[1]; ++y)
        for (u32 x = 0; x < size[0]; ++x)
          item(origin[0] + x, origin[1] + y, origin[2] + z);
  }
}

template <class T> T block_value(const CpuLaunch *launch, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const std::byte *>(launch->block) + offset, sizeof(T));
  return value;
}

template <class T> T *buffer(const CpuLaunch *launch, std::size_t index) {
  return static_cast<T *>(launch->buffers[index]);
}

void add_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  const u32 count = std::min(block_value<u32>(launch, 0), block_value<u32>(launch, 4));
  for_each_item(launch, first, end, {64, 1, 1}, [&](u32 i, u32, u32) {
    if (i < count)
      buffer<float>(launch, 0)[i] += buffer<const float>(launch, 1)[i];
  });
}

void step_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  for_each_item(launch, first, end, {32, 1, 1}, [&](u32 i, u32, u32) {
    u32 *x = buffer<u32>(launch, 0);
    if (i < block_value<u32>(launch, 4))
      x[i] = x[i] * 3 + block_value<u32>(launch, 0);
  });
}

void shift_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  const u32 count = std::min(block_value<u32>(launch, 0), block_value<u32>(launch, 4));
  for_each_item(launch, first, end, {32, 1, 1}, [&](u32 i, u32, u32) {
    if (i < count)
      buffer<u32>(launch, 0)[i] = buffer<const u32>(launch, 1)[i] + 1;
  });
}

void bytes_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  for_each_item(launch, first, end, {64, 1, 1}, [&](u32 i, u32, u32) {
    if (i < block_value<u32>(launch, 0))
      ++buffer<std::uint8_t>(launch, 0)[i];
  });
}

void wide_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  for_each_item(launch, first, end, {64, 1, 1}, [&](u32 i, u32, u32) {
    if (i < block_value<u32>(launch, 160))
      buffer<float>(launch, 0)[i] = block_value<float>(launch, i % 40 * 4);
  });
}

void where_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  const u32 width = launch->num_groups[0] * 4;
  const u32 height = launch->num_groups[1] * 2;
  for_each_item(launch, first, end, {4, 2, 2}, [&](u32 x, u32 y, u32 z) {
    buffer<u32>(launch, 0)[(z * height + y) * width + x] =
        x | y << 8 | z << 16 | launch->num_groups[0] << 24;
  });
}

/// Also uses its scratch memory, as code with barriers does.
void scale_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *scratch) {
  auto *products = static_cast<float *>(scratch);
  const u32 count = block_value<u32>(launch, 0);
  float *x = buffer<float>(launch, 0);
  for (std::uint64_t group = first; group < end; ++group) {
    for (u32 i = 0; i < 64; ++i)
      if (group * 64 + i < count)
        products[i] = x[group * 64 + i] * *buffer<const float>(launch, 1);
    for (u32 i = 0; i < 64; ++i)
      if (group * 64 + i < count)
        x[group * 64 + i] = products[i];
  }
}

void spin_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  for_each_item(launch, first, end, {32, 1, 1}, [&](u32 i, u32, u32) {
    if (i < block_value<u32>(launch, 4))
      buffer<u32>(launch, 0)[i] = spun(buffer<u32>(launch, 0)[i], block_value<u32>(launch, 0));
  });
}

void sum20_cpu(const CpuLaunch *launch, std::uint64_t first, std::uint64_t end, void *) {
  for_each_item(launch, first, end, {32, 1, 1}, [&](u32 i, u32, u32) {
    u32 sum = 0;
    for (unsigned k = 1; k < 20; ++k)
      sum += buffer<const u32>(launch, k)[i];
    buffer<u32>(launch, 0)[i] = sum;
  });
}

void empty_cpu(const CpuLaunch *, std::uint64_t, std::uint64_t, void *) {}

constexpr std::uint32_t read_only = khal::abi::buffer_read_only;
constexpr std::uint32_t has_length = khal::abi::buffer_has_length;

constexpr BufferInfo add_buffers[] = {{"a", 4, has_length}, {"b", 4, has_length | read_only}};
constexpr BufferInfo x_u32[] = {{"x", 4, has_length}};
constexpr BufferInfo shift_buffers[] = {{"to", 4, has_length}, {"from", 4, has_length | read_only}};
constexpr BufferInfo bytes_buffers[] = {{"x", 1, has_length}};
constexpr BufferInfo wide_buffers[] = {{"y", 4, has_length}};
constexpr BufferInfo where_buffers[] = {{"out", 4, 0}};
constexpr BufferInfo scale_buffers[] = {{"x", 4, has_length}, {"factor", 4, read_only}};
constexpr std::array<BufferInfo, 20> sum20_buffers = [] {
  std::array<BufferInfo, 20> buffers{};
  for (std::size_t i = 0; i < buffers.size(); ++i)
    buffers[i] = {"", 4, i == 0 ? 0 : read_only};
  return buffers;
}();

constexpr std::uint64_t bytes_features = khal::abi::feature_int8 | khal::abi::feature_storage8;

/// The three forms of a kernel called NAME.
#define KHAL_TEST_ARTIFACTS(NAME, FEATURES, SCRATCH)                                               \
  const Artifact NAME##_artifacts[] = {                                                            \
      {Target::cpu, SCRATCH, 0, "x86-64", nullptr, nullptr, 0, NAME##_cpu},                        \
      {Target::ptx, 0, 0, "sm_75", #NAME, ptx::NAME, sizeof(ptx::NAME) - 1, nullptr},              \
      {Target::spirv, 0, FEATURES, "1.1", "main", spirv::NAME, sizeof(spirv::NAME), nullptr}};

KHAL_TEST_ARTIFACTS(add, 0, 0)
KHAL_TEST_ARTIFACTS(step, 0, 0)
KHAL_TEST_ARTIFACTS(shift, 0, 0)
KHAL_TEST_ARTIFACTS(bytes, bytes_features, 0)
KHAL_TEST_ARTIFACTS(wide, 0, 0)
KHAL_TEST_ARTIFACTS(where, 0, 0)
KHAL_TEST_ARTIFACTS(scale, 0, 64 * sizeof(float))
KHAL_TEST_ARTIFACTS(spin, 0, 0)
KHAL_TEST_ARTIFACTS(sum20, 0, 0)
KHAL_TEST_ARTIFACTS(empty, 0, 0)

const Artifact crash_artifacts[] = {
    {Target::ptx, 0, 0, "sm_75", "crash", ptx::crash, sizeof(ptx::crash) - 1, nullptr}};

template <std::size_t Buffers, std::size_t Artifacts>
constexpr Kernel describe(const char *name, std::uint32_t line, std::array<std::uint32_t, 3> group,
                          const BufferInfo *const buffers, const Artifact (&artifacts)[Artifacts],
                          std::uint32_t block_size, std::uint32_t flags = 0) {
  return {khal::abi::version,
          flags,
          name,
          "kernels.cpp",
          line,
          {group[0], group[1], group[2]},
          Buffers,
          block_size,
          buffers,
          Artifacts,
          0,
          artifacts};
}

} // namespace

const Kernel add_kernel = describe<2>("add", 10, {64, 1, 1}, add_buffers, add_artifacts, 8);
const Kernel step_kernel = describe<1>("step", 20, {32, 1, 1}, x_u32, step_artifacts, 8);
const Kernel shift_kernel = describe<2>("shift", 30, {32, 1, 1}, shift_buffers, shift_artifacts, 8,
                                        khal::abi::kernel_may_alias);
const Kernel bytes_kernel = describe<1>("bytes", 40, {64, 1, 1}, bytes_buffers, bytes_artifacts, 4);
const Kernel wide_kernel = describe<1>("wide", 50, {64, 1, 1}, wide_buffers, wide_artifacts, 164);
const Kernel where_kernel = describe<1>("where", 60, {4, 2, 2}, where_buffers, where_artifacts, 0);
const Kernel scale_kernel = describe<2>("scale", 70, {64, 1, 1}, scale_buffers, scale_artifacts, 4);
const Kernel spin_kernel = describe<1>("spin", 80, {32, 1, 1}, x_u32, spin_artifacts, 8);
const Kernel sum20_kernel =
    describe<20>("sum20", 90, {32, 1, 1}, sum20_buffers.data(), sum20_artifacts, 0);
const Kernel empty_kernel = describe<0>("empty", 95, {32, 1, 1}, nullptr, empty_artifacts, 0);
const Kernel crash_kernel = describe<0>("crash", 100, {1, 1, 1}, nullptr, crash_artifacts, 0);

using khal::detail::Block;
using khal::detail::BufferArgument;

void add(Stream &stream, Grid grid, Arg<float> a, Arg<const float> b) {
  Block<8> block;
  block.put(0, a.length());
  block.put(4, b.length());
  const BufferArgument buffers[] = {a, b};
  khal::detail::launch(stream, add_kernel, grid, buffers, block.bytes());
}

void step(Stream &stream, Grid grid, Arg<u32> x, u32 value) {
  Block<8> block;
  block.put(0, value);
  block.put(4, x.length());
  const BufferArgument buffers[] = {x};
  khal::detail::launch(stream, step_kernel, grid, buffers, block.bytes());
}

void shift(Stream &stream, Grid grid, Arg<u32> to, Arg<const u32> from) {
  Block<8> block;
  block.put(0, to.length());
  block.put(4, from.length());
  const BufferArgument buffers[] = {to, from};
  khal::detail::launch(stream, shift_kernel, grid, buffers, block.bytes());
}

void bytes(Stream &stream, Grid grid, Arg<std::uint8_t> x) {
  Block<4> block;
  block.put(0, x.length());
  const BufferArgument buffers[] = {x};
  khal::detail::launch(stream, bytes_kernel, grid, buffers, block.bytes());
}

void wide(Stream &stream, Grid grid, Arg<float> y, const Coefficients &c) {
  Block<164> block;
  block.put(0, c);
  block.put(160, y.length());
  const BufferArgument buffers[] = {y};
  khal::detail::launch(stream, wide_kernel, grid, buffers, block.bytes());
}

void where(Stream &stream, Grid grid, Arg<u32> out) {
  const Block<0> block;
  const BufferArgument buffers[] = {out};
  khal::detail::launch(stream, where_kernel, grid, buffers, block.bytes());
}

void scale(Stream &stream, Grid grid, Arg<float> x, Ref<const float> factor) {
  Block<4> block;
  block.put(0, x.length());
  const BufferArgument buffers[] = {x, factor};
  khal::detail::launch(stream, scale_kernel, grid, buffers, block.bytes());
}

void spin(Stream &stream, Grid grid, Arg<u32> x, u32 rounds) {
  Block<8> block;
  block.put(0, rounds);
  block.put(4, x.length());
  const BufferArgument buffers[] = {x};
  khal::detail::launch(stream, spin_kernel, grid, buffers, block.bytes());
}

void empty(Stream &stream, Grid grid) {
  khal::detail::launch(stream, empty_kernel, grid, {}, {});
}

u32 spun(u32 value, u32 rounds) {
  for (u32 round = 0; round < rounds; ++round)
    value = value * 1664525u + 1013904223u;
  return value;
}

} // namespace test

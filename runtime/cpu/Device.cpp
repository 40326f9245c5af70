//===- Device.cpp - the host's processor as a device ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Device.h"

#include "core/Text.h"
#include "cpu/Graph.h"
#include "cpu/Memory.h"
#include "cpu/Stream.h"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <unistd.h>

namespace khal::detail::cpu {

namespace {

constexpr unsigned max_threads = 4096;

/// What the system lets this process use, which may be fewer than the machine has.
unsigned available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return static_cast<unsigned>(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

unsigned thread_count() {
  const char *wanted = std::getenv("KHAL_CPU_THREADS");
  if (!wanted || !*wanted)
    return available_processors();
  const std::string_view digits(wanted);
  unsigned count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size() || count < 1 ||
      count > max_threads)
    throw Error(ErrorCode::bad_argument,
                text("the environment variable KHAL_CPU_THREADS is \"", wanted,
                     "\": it must be a number from 1 to ", max_threads));
  return count;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "CPU";
}

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? std::uint64_t(pages) * std::uint64_t(page) : 0;
}

DeviceInfo describe_processor() {
  check_wanted_level();
  DeviceInfo info;
  info.id = "cpu";
  info.backend = Backend::cpu;
  info.name = processor_name();
  info.driver = "khal thread pool";
  if (const std::string level = highest_level(); !level.empty())
    info.driver += ", " + level;
  info.memory_bytes = physical_memory();
  info.shares_host_memory = true;
  info.units = thread_count();
  info.subgroup_size = 1;
  // khalc's CPU code brings everything along that the processor lacks.
  info.features = abi::feature_int8 | abi::feature_int16 | abi::feature_int64 |
                  abi::feature_float16 | abi::feature_float64 | abi::feature_storage8 |
                  abi::feature_storage16 | abi::feature_atomic_int64 | abi::feature_atomic_float32 |
                  abi::feature_subgroups | abi::feature_uniform8 | abi::feature_uniform16 |
                  abi::feature_shared_atomic_int64 | abi::feature_special_float16 |
                  abi::feature_special_float32 | abi::feature_special_float64 |
                  abi::feature_subnormal16 | abi::feature_subnormal32 | abi::feature_subnormal64 |
                  abi::feature_subgroup_int64 | abi::feature_dot_product;
  info.limits.max_group_size = {abi::max_group_items, abi::max_group_items, abi::max_group_items};
  info.limits.max_group_items = abi::max_group_items;
  // Their product fits the 64-bit linear index that work is shared out by.
  info.limits.max_groups = {0xffffffff, 0xffff, 0xffff};
  info.limits.max_shared_bytes = 64u << 20; // ordinary memory, one for each thread
  info.limits.max_buffer_bytes = info.memory_bytes;
  return info;
}

} // namespace

void CpuDevice::open() {
  pool_ = std::make_unique<Pool>(info().units);
}

Kernel &CpuDevice::kernel(const abi::Kernel &kernel) {
  return kernels_.get(kernel, [&] { return load(kernel, info()); });
}

std::shared_ptr<Memory> CpuDevice::make_memory(std::uint64_t bytes, Place) {
  return std::make_shared<CpuMemory>(shared_from_this(), bytes);
}

std::shared_ptr<StreamImpl> CpuDevice::make_stream() {
  return std::make_shared<CpuStream>(std::static_pointer_cast<CpuDevice>(shared_from_this()));
}

std::unique_ptr<GraphImpl> CpuDevice::make_graph() {
  return std::make_unique<CpuGraph>();
}

void CpuDevice::build(const abi::Kernel &kernel) {
  this->kernel(kernel);
}

ProbeResult probe() {
  ProbeResult result;
  result.devices.push_back(std::make_shared<CpuDevice>(describe_processor(), Preference::cpu));
  return result;
}

} // namespace khal::detail::cpu

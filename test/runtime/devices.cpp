//===- devices.cpp - tests of finding and naming devices --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include "core/Artifact.h"
#include "core/Registry.h"
#include "core/Text.h"

#include <cstdlib>
#include <set>
#include <thread>

namespace test {
namespace {

using khal::Device;
using khal::ErrorCode;
using khal::abi::Artifact;

/// An environment variable set, or unset, for a while.
class Setting {
public:
  Setting(const char *name, const char *value) : name_(name) {
    if (const char *old = std::getenv(name)) {
      old_ = old;
      was_set_ = true;
    }
    if (value)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  ~Setting() {
    if (was_set_)
      setenv(name_, old_.c_str(), 1);
    else
      unsetenv(name_);
  }

private:
  const char *name_;
  std::string old_;
  bool was_set_ = false;
};

TEST(Devices, TheCpuIsAlwaysThere) {
  EXPECT_FALSE(Device::all().empty());
  const Device cpu = khal::open("cpu");
  EXPECT_EQ(cpu.info().backend, khal::Backend::cpu);
  EXPECT_EQ(cpu, khal::open("cpu:0"));
  EXPECT_GT(cpu.info().units, 0u);
  EXPECT_TRUE(cpu.info().shares_host_memory);
}

TEST(Devices, TellWhatTheyCanDo) {
  std::set<std::string> ids;
  for (const Device &device : Device::all()) {
    const khal::DeviceInfo &info = device.info();
    EXPECT_TRUE(ids.insert(info.id).second) << info.id;
    EXPECT_EQ(khal::open(info.id), device);
    EXPECT_EQ(info.id.find(to_string(info.backend)), 0u) << info.id;
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.driver.empty());
    EXPECT_GT(info.memory_bytes, 0u);
    EXPECT_GE(info.limits.max_group_items, 128u); // what Vulkan promises
    EXPECT_GE(info.limits.max_groups[0], 65535u);
    EXPECT_GE(info.limits.max_shared_bytes, 16384u);
    EXPECT_GE(info.limits.max_buffer_bytes, std::uint64_t{1} << 27);
  }
}

TEST(Devices, EachBackendIsThereOrSaysWhyNot) {
  for (const khal::Backend backend :
       {khal::Backend::cpu, khal::Backend::vulkan, khal::Backend::cuda}) {
    int found = 0;
    for (const Device &device : Device::all())
      found += device.info().backend == backend;
    int reasons = 0;
    for (const khal::MissingBackend &missing : Device::missing())
      if (missing.backend == backend) {
        ++reasons;
        EXPECT_FALSE(missing.reason.empty());
        EXPECT_EQ(missing.reason.find('\n'), std::string::npos);
      }
    EXPECT_EQ(found == 0, reasons == 1) << to_string(backend);
  }
}

TEST(Devices, UnknownOnesAreErrorsThatListTheKnown) {
  for (const char *id : {"gpu", "cuda:99", "vulkan:-1", "", ":", "cpu:1", "CPU"})
    expect_error(ErrorCode::no_device, {std::string("\"") + id + "\"", "cpu"},
                 [&] { (void)khal::open(id); });
}

TEST(Devices, TheEnvironmentNamesTheDefault) {
  for (const std::string &id : device_ids()) {
    const Setting setting("KHAL_DEVICE", id.c_str());
    EXPECT_EQ(Device().info().id, id);
  }
  {
    const Setting setting("KHAL_DEVICE", nullptr);
    EXPECT_EQ(Device(), Device::all().front());
  }
  {
    const Setting setting("KHAL_DEVICE", "");
    EXPECT_EQ(Device(), Device::all().front());
  }
  const Setting setting("KHAL_DEVICE", "toaster:3");
  expect_error(ErrorCode::no_device, {"KHAL_DEVICE", "toaster:3", "there are:"},
               [] { (void)Device(); });
}

TEST(Devices, ThreadsOfTheCpuAreCountedByTheEnvironment) {
  {
    const Setting setting("KHAL_CPU_THREADS", "3");
    khal::detail::release_devices();
    const Device cpu = khal::open("cpu");
    EXPECT_EQ(cpu.info().units, 3u);
    khal::Buffer<u32> x = cpu.zeros<u32>(10000);
    khal::Stream stream(cpu);
    step(stream, khal::threads(10000), x, 1);
    EXPECT_EQ(x.download(), std::vector<u32>(10000, 1));
  }
  for (const char *wrong : {"0", "-1", "two", "3x", "99999", "1e3"}) {
    const Setting setting("KHAL_CPU_THREADS", wrong);
    khal::detail::release_devices();
    expect_error(ErrorCode::bad_argument, {"KHAL_CPU_THREADS", wrong}, [] { (void)Device(); });
  }
  khal::detail::release_devices();
  EXPECT_NO_THROW(Device());
}

#if defined(__x86_64__)
TEST(Devices, TheLevelOfTheCpuIsCappedByTheEnvironment) {
  {
    const Setting setting("KHAL_CPU_LEVEL", "v2");
    khal::detail::release_devices();
    const Device cpu = khal::open("cpu");
    EXPECT_TRUE(cpu.info().driver.ends_with("x86-64-v2")) << cpu.info().driver;
    khal::Buffer<u32> x = cpu.zeros<u32>(10000);
    khal::Stream stream(cpu);
    step(stream, khal::threads(10000), x, 1);
    EXPECT_EQ(x.download(), std::vector<u32>(10000, 1));
  }
  for (const char *wrong : {"v1", "v9", "3", "x86-64-v3", "V2", "v2 "}) {
    const Setting setting("KHAL_CPU_LEVEL", wrong);
    khal::detail::release_devices();
    expect_error(ErrorCode::bad_argument, {"KHAL_CPU_LEVEL", wrong, "v2"}, [] { (void)Device(); });
  }
  khal::detail::release_devices();
}
#endif

TEST(Devices, EndWithTheirLastUser) {
  khal::detail::release_devices();
  for (const std::string &id : device_ids()) {
    khal::Buffer<u32> survivor;
    {
      const Device device = khal::open(id);
      khal::Stream stream(device);
      survivor = device.zeros<u32>(100);
      step(stream, khal::threads(100), survivor, 9);
    }
    khal::detail::release_devices();
    EXPECT_EQ(survivor.download(), std::vector<u32>(100, 9)) << id;
    // The device that is found anew isn't the one that lives on in the buffer.
    EXPECT_NE(survivor.device(), khal::open(id));
  }
}

TEST(Devices, AreFoundByManyThreadsAtATime) {
  khal::detail::release_devices();
  std::vector<std::thread> threads;
  std::atomic<int> same = 0;
  const auto look = [&] { same += Device::all().size() == device_ids().size(); };
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(look);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(same, 8);
}

TEST(FeatureNames, AreThoseOfTheBits) {
  using namespace khal::abi;
  EXPECT_EQ(khal::feature_names(0), std::vector<std::string>());
  EXPECT_EQ(khal::feature_names(feature_float64 | feature_int8),
            (std::vector<std::string>{"int8", "float64"}));
  EXPECT_EQ(khal::feature_names(std::uint64_t{1} << 40), std::vector<std::string>{"feature40"});
}

TEST(Text, DescribesBytes) {
  EXPECT_EQ(khal::detail::describe_bytes(0), "0 bytes");
  EXPECT_EQ(khal::detail::describe_bytes(1023), "1023 bytes");
  EXPECT_EQ(khal::detail::describe_bytes(1536), "1.5 KiB");
  EXPECT_EQ(khal::detail::describe_bytes(128u << 20), "128 MiB");
  EXPECT_EQ(khal::detail::describe_bytes(1023u << 20), "1023 MiB");
  EXPECT_EQ(khal::detail::describe_bytes(std::uint64_t{141} << 30), "141 GiB");
}

TEST(ChooseArtifact, TakesTheHighestRankThatTheDeviceHas) {
  Artifact artifacts[4] = {};
  const char *variants[] = {"1", "3", "2", "4"};
  for (int i = 0; i < 4; ++i) {
    artifacts[i].target = khal::abi::Target::cpu;
    artifacts[i].variant = variants[i];
  }
  artifacts[3].features = khal::abi::feature_float64;
  khal::abi::Kernel kernel{};
  kernel.name = "k";
  kernel.file = "k.cpp";
  kernel.artifacts = artifacts;
  kernel.artifact_count = 4;
  khal::DeviceInfo device;
  const auto rank = [](std::string_view variant) { return std::optional(variant[0] - '0'); };
  const auto choose = [&] {
    return khal::detail::choose_artifact(kernel, khal::abi::Target::cpu, device, rank).variant;
  };
  EXPECT_STREQ(choose(), "3");
  device.features = khal::abi::feature_float64;
  EXPECT_STREQ(choose(), "4");
}

} // namespace
} // namespace test

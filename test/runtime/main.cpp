//===- main.cpp - runs the runtime's tests on every device there is ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vulkan is watched by its validation layer, and what that says fails the test that it was said in.
//
//===------------------------------------------------------------------------------------------===//
#include "core/Registry.h"

#include <khal/khal.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace {

/// Lets the devices go after the last test, while Vulkan's objects can still be missed.
class Devices : public testing::Environment {
  void TearDown() override {
    testing::internal::CaptureStderr();
    khal::detail::release_devices();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("validation layer"), std::string::npos) << said;
  }
};

void list_devices() {
  for (const khal::Device &device : khal::Device::all()) {
    const khal::DeviceInfo &info = device.info();
    std::cout << "device " << info.id << ": " << info.name << ", " << info.driver;
    if (info.backend == khal::Backend::vulkan)
      std::cout << (info.validated ? ", validated" : ", NOT validated: no validation layer here");
    std::cout << '\n';
  }
  for (const khal::MissingBackend &missing : khal::Device::missing())
    std::cout << "no " << to_string(missing.backend) << " device: " << missing.reason << '\n';
}

/// A folder for built kernels, so that tests neither see nor leave any in the user's.
class CacheFolder {
public:
  CacheFolder() : path_(std::filesystem::temp_directory_path() / "khal-tests-XXXXXX") {
    std::string name = path_;
    if (!mkdtemp(name.data()))
      throw khal::Error(khal::ErrorCode::backend, "there is no place for temporary files");
    path_ = name;
    setenv("KHAL_CACHE", (path_ / "kernels").c_str(), 1);
  }
  ~CacheFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

private:
  std::filesystem::path path_;
};

} // namespace

int main(int argc, char **argv) {
  setenv("KHAL_VULKAN_VALIDATION", "1", 0);
  try {
    const CacheFolder cache;
    testing::InitGoogleTest(&argc, argv);
    testing::AddGlobalTestEnvironment(new Devices); // gtest deletes it
    if (!testing::GTEST_FLAG(list_tests))
      list_devices();
    return RUN_ALL_TESTS();
  } catch (const khal::Error &error) {
    std::cerr << "the devices can't be listed: " << error.what() << '\n';
    return 1;
  }
}

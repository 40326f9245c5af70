//===- fixture.h - what the runtime's tests share ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_RUNTIME_FIXTURE_H
#define KHAL_TEST_RUNTIME_FIXTURE_H

#include "kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace test {

/// A test that runs on every device. The parameter is the device's id.
class OnDevice : public testing::TestWithParam<std::string> {
protected:
  const khal::Device device = khal::open(GetParam());
};

/// "vulkan_0" for "vulkan:0", as test names want it.
inline std::string test_name(const testing::TestParamInfo<std::string> &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
}

inline std::vector<std::string> device_ids() {
  std::vector<std::string> ids;
  for (const khal::Device &device : khal::Device::all())
    ids.push_back(device.info().id);
  return ids;
}

#define KHAL_ON_EVERY_DEVICE(SUITE)                                                                \
  INSTANTIATE_TEST_SUITE_P(Device, SUITE, testing::ValuesIn(::test::device_ids()),                 \
                           ::test::test_name)

/// Values that tell their place.
template <class T> std::vector<T> counted(std::size_t count, T first = T{}) {
  std::vector<T> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

/// Runs `action`, which must throw a khal::Error with `code` whose text has all of `words` in it.
template <class Action>
void expect_error(khal::ErrorCode code, const std::vector<std::string> &words,
                  const Action &action) {
  try {
    action();
  } catch (const khal::Error &error) {
    EXPECT_EQ(to_string(error.code()), to_string(code)) << error.what();
    for (const std::string &word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos)
          << "no \"" << word << "\" in: " << error.what();
    return;
  }
  ADD_FAILURE() << "no error, but " << to_string(code) << " was due";
}

} // namespace test

#endif // KHAL_TEST_RUNTIME_FIXTURE_H

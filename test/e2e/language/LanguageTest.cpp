//===- LanguageTest.cpp - every construct computes on a device what it does on the host -------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the device that KHAL_DEVICE names. The reference is the same function compiled by the
// host's own compiler.
//
//===------------------------------------------------------------------------------------------===//
#include "classes.khal.hpp"
#include "control.khal.hpp"
#include "groups.khal.hpp"
#include "library.khal.hpp"
#include "pointers.khal.hpp"
#include "scalars.khal.hpp"

#include "classes.hpp"
#include "control.hpp"
#include "groups.hpp"
#include "library.hpp"
#include "pointers.hpp"
#include "scalars.hpp"

#include "gtest/gtest.h"

namespace {

class Language : public testing::Test {
protected:
  static constexpr std::uint32_t items = 1024; ///< whole groups

  template <class Launch, class Reference> void compare(Launch launch, Reference reference) {
    std::vector<std::uint32_t> in(64);
    std::uint32_t state = 12345;
    for (std::uint32_t &value : in) {
      state = state * 1664525 + 1013904223;
      value = (state >> 16) % 999 + 1;
    }
    in[63] = 0;
    const khal::Buffer<std::uint32_t> deviceIn = device.upload(in);
    khal::Buffer<std::uint32_t> out = device.zeros<std::uint32_t>(items);
    launch(deviceIn, out);
    stream.wait();
    const std::vector<std::uint32_t> got = out.download();
    const language::Input host(in.data(), static_cast<khal::u32>(in.size()));
    for (std::uint32_t i = 0; i < items; ++i)
      ASSERT_EQ(got[i], reference(i, host)) << "at work-item " << i;
  }

  khal::Device device;
  khal::Stream stream{device};
};

#define KHAL_CONSTRUCT(name)                                                                       \
  TEST_F(Language, name) {                                                                         \
    compare([&](const auto &in,                                                                    \
                auto &out) { kernels::table::name(stream, khal::threads(items), in, out); },       \
            language::name);                                                                       \
  }
#include "constructs.def"

#define KHAL_GROUP_CONSTRUCT(name)                                                                 \
  TEST_F(Language, group_##name) {                                                                 \
    compare([&](const auto &in,                                                                    \
                auto &out) { kernels::group_table::name(stream, khal::threads(items), in, out); }, \
            [](khal::u32 x, language::Input in) {                                                  \
              return language::groups::name##_expected(x, x % language::groups::group, in);        \
            });                                                                                    \
  }
#include "groups.def"

} // namespace

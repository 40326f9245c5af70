//===- smoke_test.h - whether devices work ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TOOLS_KHAL_INFO_SMOKE_TEST_H
#define KHAL_TOOLS_KHAL_INFO_SMOKE_TEST_H

#include <khal/khal.hpp>

#include <string>

struct SmokeTest {
  bool works = false;
  bool ran_kernel = false; ///< false when khal-info was built without khalc
  khal::Timing timing;     ///< of a small launch; only when one was run
  std::string failure;     ///< one sentence, when it doesn't work
};

/// Moves data to the device and back, fills and copies there, runs a kernel twice by itself and twice
/// in a graph, and compares everything. What fails is told, not thrown.
SmokeTest smoke_test(const khal::Device &device);

#endif // KHAL_TOOLS_KHAL_INFO_SMOKE_TEST_H

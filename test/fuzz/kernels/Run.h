//===- Run.h - runs compiled programs ---------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_KERNELS_RUN_H
#define KHAL_TEST_FUZZ_KERNELS_RUN_H

#include <string>
#include <vector>

namespace khal::fuzz {

/// What a program left behind, or why it didn't.
struct Outcome {
  std::string failure; ///< empty: it ran
  std::string bytes;   ///< of `out`, then of `work`
};

/// Runs the kernels `kernel_0` … of a shared library that khalc or the host's compiler made, in a
/// process of its own, on a device as khal::open() takes it, or as plain functions for "host".
std::vector<Outcome> runLibrary(const std::string &library, unsigned count,
                                const std::string &device);

/// Whether Vulkan here is Mesa's llvmpipe. Asked once, in a process of its own: drivers don't outlive
/// a fork.
bool vulkanIsLlvmpipe();

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_KERNELS_RUN_H

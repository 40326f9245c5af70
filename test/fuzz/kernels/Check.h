//===- Check.h - compiles programs in several ways and compares what they do ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_KERNELS_CHECK_H
#define KHAL_TEST_FUZZ_KERNELS_CHECK_H

#include "Program.h"

#include <string>
#include <vector>

namespace khal::fuzz {

struct Settings {
  std::string khalc, hostCompiler;
  std::vector<std::string> includes;
  std::string folder; ///< for what is built
};

/// What is wrong with a program.
struct Finding {
  /// The same for the same fault: which ways differ, or how a compiler failed. Empty: all is well.
  std::string kind;
  std::string details;
  std::vector<std::string> ways; ///< the names of those that show it
};

/// Compiles the programs, in one file if that works, runs them in all ways or only in those named,
/// and compares. One finding for each.
std::vector<Finding> check(const Settings &settings, std::span<const Program> programs,
                           const std::vector<std::string> &ways = {});

/// The same for a kernel file whose kernels are `kernel_0` … as kernelFile() writes them.
std::vector<Finding> checkFile(const Settings &settings, const std::string &file, unsigned count,
                               const std::vector<std::string> &ways = {});

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_KERNELS_CHECK_H

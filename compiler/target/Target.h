//===- Target.h - what every target takes and gives ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_TARGET_H
#define KHALC_TARGET_TARGET_H

#include "kernel/FloatMode.h"
#include "kernel/KernelInfo.h"
#include "kernel/Sanitizers.h"

#include "khal/abi.h"

#include <functional>
#include <string>
#include <vector>

namespace khalc {

struct TargetOptions {
  unsigned optimisationLevel = 2; ///< 0 to 3, as in Clang
  bool debugInfo = false;         ///< -g
  FloatMode floatMode = FloatMode::Default;
  Sanitizers sanitizers; ///< of the CPU's code
  std::vector<std::string> ptxArchs = {
      "sm_75"}; ///< code for each; a device takes the highest it has
  std::vector<std::string> cpuLevels = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
  /// Called after each stage with its name and text, when --dump-dir is given; may be empty.
  std::function<void(const std::string &stage, const std::string &text)> dump;
};

/// One kernel compiled for one target and variant; mirrors khal::abi::Artifact.
struct CompiledKernel {
  std::string kernelSymbol; ///< KernelInfo::symbol
  khal::abi::Target target = khal::abi::Target::cpu;
  std::string variant;
  std::string entry;
  std::string code;        ///< text, or SPIR-V words as bytes; empty for cpu
  std::string cpuFunction; ///< cpu: symbol of the CpuFunction in the host module
  uint64_t features = 0;
  uint32_t scratchBytes = 0;
  uint32_t sharedBytes = 0;
  std::string unavailable = {}; ///< why the target can't express the kernel; empty when it can
  uint64_t maxBufferBytes = 0;  ///< the largest buffer that it can address; 0: any
};

/// A target that a command asks for.
struct WantedTarget {
  khal::abi::Target target = khal::abi::Target::cpu;
  /// It came with `all`: a kernel that it can't express is warned of and marked unavailable.
  bool isOptional = false;
};

} // namespace khalc

#endif // KHALC_TARGET_TARGET_H

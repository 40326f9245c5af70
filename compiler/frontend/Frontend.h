//===- Frontend.h - from a C++ kernel file to kernels and LLVM IR -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frontend's door. It parses a file once for each device ABI with Clang, collects the kernels,
// runs the AST checks and gives LLVM IR, unoptimised, with line tables always on.
//
// What the IR promises, on every ABI:
//   - for each kernel a function named KernelInfo::bodyFunction (see there), external linkage, all
//     other definitions internal; only what the bodies reach is there; no optimisation has run
//     (-O1-style IR: lifetime markers and TBAA are there, no `optnone`);
//   - functions have no "target-cpu", "target-features" or "tune-cpu": the targets choose;
//   - [[khal::shared]] variables are internal globals in section "khal.shared", poison-initialised;
//   - device builtins are calls to the `__khal_*` functions listed in ir/Builtins.def;
//   - `std::__throw_…` functions are declarations; whatever else is undefined was reported;
//   - atomics are LLVM atomic instructions with syncscope "workgroup", "device" or system on every
//     ABI; narrower scopes count as "workgroup". Maths are LLVM intrinsics (no errno);
//   - every function is `convergent` unless the optimiser proves otherwise.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_FRONTEND_H
#define KHALC_FRONTEND_FRONTEND_H

#include "kernel/FloatMode.h"
#include "kernel/KernelInfo.h"
#include "kernel/Sanitizers.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace khalc {

namespace diag {
class Engine;
}

struct FrontendOptions {
  std::string input;                  ///< path of the kernel file
  std::vector<std::string> clangArgs; ///< -D -I -isystem -std= -include -W… as given
  std::string khalIncludeDir;         ///< folder that holds khal/kernel.hpp
  std::string clangResourceDir;       ///< folder that holds Clang's include/stddef.h
  unsigned optimisationLevel = 2;
  bool debugInfo = false;
  FloatMode floatMode = FloatMode::Default;
  Sanitizers sanitizers; ///< of the host's ABI
  std::vector<DeviceAbi> abis; ///< which IR is wanted; Host is always parsed
};

struct FrontendResult {
  KernelFile file;
  /// By DeviceAbi; null where not asked for.
  std::array<std::unique_ptr<llvm::Module>, numDeviceAbis> modules;
  std::vector<std::string> dependencies; ///< every file read, for -MD
};

/// Compiles one kernel file to IR. Says every fault through `diagnostics` and gives nothing if
/// there was an error. Not thread-safe for one Engine; `context` must outlive the result.
std::optional<FrontendResult> runFrontend(const FrontendOptions &options,
                                          llvm::LLVMContext &context, diag::Engine &diagnostics);

} // namespace khalc

#endif // KHALC_FRONTEND_FRONTEND_H

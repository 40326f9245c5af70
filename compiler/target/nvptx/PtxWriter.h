//===- PtxWriter.h - from optimised IR to PTX text --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_PTXWRITER_H
#define KHALC_TARGET_NVPTX_PTXWRITER_H

#include "target/Target.h"

#include <memory>
#include <optional>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace khalc {
class AsmPlaces;
namespace diag {
class Engine;
}
} // namespace khalc

namespace khalc::nvptx {

/// LLVM's NVPTX backend for an architecture, "sm_75", with the lowest PTX version that knows it. Null,
/// and said so, if there is no such architecture or it is older than what kernels need.
std::unique_ptr<llvm::TargetMachine> createMachine(const std::string &architecture,
                                                   const TargetOptions &options,
                                                   diag::Engine &diagnostics);

/// The PTX of a module that has been optimised. Empty, and said so, if the backend fails or doesn't
/// take the module's inline assembly.
std::optional<std::string> writePtx(llvm::Module &module, llvm::TargetMachine &machine,
                                    const std::string &kernelName, const AsmPlaces &asmPlaces,
                                    diag::Engine &diagnostics);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_PTXWRITER_H

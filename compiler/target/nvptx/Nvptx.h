//===- Nvptx.h - the PTX target's door -----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_NVPTX_H
#define KHALC_TARGET_NVPTX_NVPTX_H

#include "target/Target.h"

#include <memory>
#include <optional>

namespace llvm {
class Module;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::nvptx {

/// Compiles the Nvptx ABI's module to PTX, a self-contained text for each kernel. Empty after an
/// error, which `diagnostics` then has.
std::optional<std::vector<CompiledKernel>> compile(std::unique_ptr<llvm::Module> module,
                                                   const KernelFile &file,
                                                   const TargetOptions &options,
                                                   diag::Engine &diagnostics);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_NVPTX_H

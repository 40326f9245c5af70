//===- Shader.h - the shader targets' door -------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_SHADER_H
#define KHALC_TARGET_SHADER_SHADER_H

#include "target/Target.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>

namespace llvm {
class Module;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// Compiles the Shader ABI's module to SPIR-V and to shading languages, one module or text for each
/// kernel and target (any but cpu and ptx). A kernel that an optional target can't express is warned
/// of and gives an unavailable artifact; for the other targets that is an error. Empty after an
/// error, which `diagnostics` then has.
std::optional<std::vector<CompiledKernel>> compile(std::unique_ptr<llvm::Module> module,
                                                   const KernelFile &file,
                                                   llvm::ArrayRef<WantedTarget> targets,
                                                   const TargetOptions &options,
                                                   diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_SHADER_H

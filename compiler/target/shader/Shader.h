//===- Shader.h - the shader targets' door -------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_SHADER_H
#define KHALC_TARGET_SHADER_SHADER_H

#include "target/Target.h"

#include <memory>
#include <optional>

namespace llvm {
class Module;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// Compiles the Shader ABI's module to SPIR-V, one validated module for each kernel. Empty after an
/// error, which `diagnostics` then has.
std::optional<std::vector<CompiledKernel>> compileToSpirv(std::unique_ptr<llvm::Module> module,
                                                          const KernelFile &file,
                                                          const TargetOptions &options,
                                                          diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_SHADER_H

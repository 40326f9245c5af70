//===- Print.h - a lowered kernel in a shader target's form ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_PRINT_H
#define KHALC_TARGET_SHADER_PRINT_H

#include "shader/Lowered.h"
#include "shader/Structured.h"
#include "target/Target.h"

#include <optional>

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// Prints a kernel for one shader target. `kernel` is lowered as the target's Capabilities ask for.
/// Empty after an error, which `diagnostics` then has.
std::optional<CompiledKernel> print(const LoweredKernel &kernel, const StructuredFunction &program,
                                    FloatControls controls, khal::abi::Target target,
                                    const TargetOptions &options, diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_PRINT_H

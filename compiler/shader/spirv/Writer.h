//===- Writer.h - SPIR-V from a structured kernel ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_WRITER_H
#define KHALC_SHADER_SPIRV_WRITER_H

#include "shader/Lowered.h"
#include "shader/Structured.h"
#include "shader/spirv/Builder.h"
#include "shader/spirv/Form.h"

#include <optional>

namespace khalc::diag {
class Engine;
}

namespace khalc::spirv {

struct Module {
  Words words;
  uint64_t features = 0; ///< khal::abi::Feature bits that a device must have
  std::string vulkanVersion = "1.1";
};

/// Prints a kernel as a SPIR-V module for Vulkan with one entry point, named `entryName`. What has
/// no SPIR-V form is reported at its source line and gives nothing. The words aren't validated.
/// With `debugInfo` a GPU debugger can show the source, see DebugInfo.h.
std::optional<Module> write(const shader::LoweredKernel &kernel,
                            const shader::StructuredFunction &program,
                            shader::FloatControls controls, llvm::StringRef entryName,
                            const Form &form, diag::Engine &diagnostics);

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_WRITER_H

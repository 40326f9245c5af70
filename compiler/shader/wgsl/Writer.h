//===- Writer.h - WGSL from a structured kernel ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_WGSL_WRITER_H
#define KHALC_SHADER_WGSL_WRITER_H

#include "shader/Lowered.h"
#include "shader/Structured.h"

#include <optional>
#include <string>

namespace khalc::diag {
class Engine;
}

namespace khalc::wgsl {

struct Text {
  std::string code;
  std::string entry; ///< the entry point's name: the kernel's own, where WGSL takes it
  bool usesSubgroups = false;
};

/// Prints a kernel as a WGSL module with the binding slots of abi.h. The kernel's integers are 1 and
/// 32 bits wide and its buffers have one view each (see target/shader/Capabilities.h). What has no
/// WGSL form is reported at its source line and gives nothing. `divergentSubgroups`: not all work-items
/// come by at some subgroup operation.
std::optional<Text> write(const shader::LoweredKernel &kernel,
                          const shader::StructuredFunction &program,
                          bool divergentSubgroups, diag::Engine &diagnostics);

} // namespace khalc::wgsl

#endif // KHALC_SHADER_WGSL_WRITER_H

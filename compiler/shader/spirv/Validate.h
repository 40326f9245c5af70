//===- Validate.h - SPIR-V checked by SPIRV-Tools ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_VALIDATE_H
#define KHALC_SHADER_SPIRV_VALIDATE_H

#include "shader/spirv/Builder.h"

#include <optional>
#include <string>

namespace khalc::spirv {

/// What spirv-val finds wrong with a module under Vulkan 1.1's rules; empty when it is valid.
std::optional<std::string> findFault(const Words &module);

/// The module as assembly text.
std::string disassemble(const Words &module);

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_VALIDATE_H

//===- Cross.h - shading languages from SPIR-V by SPIRV-Cross -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_CROSS_CROSS_H
#define KHALC_SHADER_CROSS_CROSS_H

#include "kernel/KernelInfo.h"
#include "shader/spirv/Form.h"

#include "khal/abi.h"

#include <optional>
#include <string>
#include <vector>

namespace khalc::cross {

/// A kernel in a shading language.
struct Text {
  std::string code;    ///< ends with a newline
  std::string entry;   ///< name of the entry point
  std::string version; ///< of the language, as abi.h says
};

/// The form of SPIR-V that GLSL, HLSL or MSL is made of.
spirv::Form formFor(khal::abi::Target target);

/// Writes valid SPIR-V of that form as GLSL, HLSL or MSL, with the binding slots of abi.h. Where
/// SPIRV-Cross throws, gives nothing and what it said as `fault`: callers have refused before what
/// the language can't say.
std::optional<Text> write(const std::vector<uint32_t> &words, khal::abi::Target target,
                          const KernelInfo &kernel, std::string &fault);

} // namespace khalc::cross

#endif // KHALC_SHADER_CROSS_CROSS_H

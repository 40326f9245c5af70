//===- Names.h - names that GLSL, HLSL and MSL take --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_CROSS_NAMES_H
#define KHALC_SHADER_CROSS_NAMES_H

#include <string_view>

namespace spirv_cross {
class Compiler;
}

namespace khalc::cross {

/// Whether one of the languages keeps the word to itself.
bool isReserved(std::string_view word);

/// Gives what is called like a reserved word an underscore more. SPIRV-Cross does so for variables
/// and types alone, but not for the values in between.
void avoidReserved(spirv_cross::Compiler &compiler);

/// The same for what is called like the entry point, which is a name like any other in HLSL and MSL.
void avoidEntry(spirv_cross::Compiler &compiler, std::string_view entry);

} // namespace khalc::cross

#endif // KHALC_SHADER_CROSS_NAMES_H

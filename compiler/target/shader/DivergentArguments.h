//===- DivergentArguments.h - arguments that work-items index apart --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_DIVERGENTARGUMENTS_H
#define KHALC_TARGET_SHADER_DIVERGENTARGUMENTS_H

#include "shader/Lowered.h"

namespace llvm {
class Instruction;
}

namespace khalc::shader {

/// Whether the instruction loads a word of the argument block.
bool isArgumentLoad(const llvm::Instruction &instruction, const LoweredKernel &kernel);

/// Whether some load reads different words of the argument block for work-items of one group. Arrays
/// in push constants may only be indexed by dynamically uniform values (GL_KHR_vulkan_glsl, on
/// push_constant blocks), and Mesa's llvmpipe gives all lanes one lane's word otherwise.
///
///   args.table[x % 4]   with x = global_id().x
bool indexesArgumentsApart(llvm::Function &function, const LoweredKernel &kernel);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_DIVERGENTARGUMENTS_H

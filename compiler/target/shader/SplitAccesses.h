//===- SplitAccesses.h - only accesses of the widths that memory has --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_SPLITACCESSES_H
#define KHALC_TARGET_SHADER_SPLITACCESSES_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Makes loads and stores of integers of other than 1, 2, 4 or 8 bytes several of at most 4. The
/// optimiser makes such integers of neighbouring bit-fields and members.
///
///   %v = load i24, align 1   =>   load i8 at 0, at 1 and at 2, put together in an i24
///   store i40 %v, align 8    =>   store i32 at 0, i8 at 4
void splitAccesses(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_SPLITACCESSES_H

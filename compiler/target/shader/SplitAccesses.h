//===- SplitAccesses.h - loads and stores of integers of odd sizes ----------------------------===//
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

/// Makes loads and stores of integers of 3, 5, 6, 7 or more than 8 bytes, as which the optimiser copies
/// parts of structs, into ones of 1, 2, 4 and 8 bytes:
///
///   %x = load i24, ptr %p   =>   %low = load i16, ptr %p
///                                %high = load i8, ptr getelementptr (%p, 2)
///                                %x = %low | %high << 16
///
/// Each is as aligned as is known.
void splitAccesses(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_SPLITACCESSES_H

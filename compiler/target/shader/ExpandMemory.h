//===- ExpandMemory.h - memcpy, memmove and memset as loads and stores ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_EXPANDMEMORY_H
#define KHALC_TARGET_SHADER_EXPANDMEMORY_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace khalc::shader {

/// Replaces every memory intrinsic by element-wise loads and stores of the widest integers (up to
/// 4 bytes) that alignment and size allow: straight-line code when short, a loop when long.
///
///   memcpy(align 4 %d, align 4 %s, 12)  =>  3 x (load i32, store i32), marked isUntypedAccess()
void expandMemory(llvm::Function &function);

/// A load or store that copies bytes and would do with any element type of its size.
void markUntyped(llvm::Instruction &access);
bool isUntypedAccess(const llvm::Instruction &instruction);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_EXPANDMEMORY_H

//===- Entry.h - a kernel's entry, its buffers as roots ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_ENTRY_H
#define KHALC_TARGET_SHADER_ENTRY_H

#include "kernel/KernelInfo.h"

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace khalc::shader {

/// Builds `void @khal.entry.<symbol>()`, which puts the parameters together and calls the kernel's
/// body. Buffers and block are external globals, so that LLVM's alias analysis knows them apart:
///
///   @khal.buffer.0 = external global [0 x i8]           ; constant when only read
///   @khal.block    = external constant [N x i8], align 16
///   @khal.shared.0 = external global [0 x i8]           ; a shared span
///
/// With [[khal::may_alias]] a buffer's address is instead `call ptr @khal.buffer.address(i32 0)`,
/// of which alias analysis knows nothing.
llvm::Function *buildEntry(llvm::Module &module, const KernelInfo &kernel);

/// The buffer that a value is the address of (as made by buildEntry), or -1.
int bufferIndex(const llvm::Value *value);
/// The shared span that a value is the address of, or -1.
int sharedSpanIndex(const llvm::Value *value);
/// True for the argument block's global.
bool isArgumentBlock(const llvm::Value *value);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_ENTRY_H

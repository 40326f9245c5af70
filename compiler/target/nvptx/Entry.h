//===- Entry.h - the PTX entry point of a kernel ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_ENTRY_H
#define KHALC_TARGET_NVPTX_ENTRY_H

#include "kernel/KernelInfo.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace khalc::nvptx {

/// Adds to `module` the entry point named KernelInfo::symbol, which takes the flattened arguments
/// as abi.h has them for PTX and calls the kernel's body:
///
///   .entry k(.param .u64 a, .param .u64 b, .param .align 16 .b8 block[16])
///
/// Null if the module has no body function for it.
llvm::Function *buildEntry(llvm::Module &module, const KernelInfo &kernel);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_ENTRY_H

//===- DebugLines.h - what PTX keeps of debug information ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_DEBUGLINES_H
#define KHALC_TARGET_NVPTX_DEBUGLINES_H

namespace llvm {
class Module;
}

namespace khalc::nvptx {

/// Leaves `.file` and `.loc` lines, as profilers and source views want them, if `keepLines`, and
/// nothing otherwise. The line tables that the compiler keeps for its own messages have done their
/// service when this is called.
void reduceDebugInfo(llvm::Module &module, bool keepLines);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_DEBUGLINES_H

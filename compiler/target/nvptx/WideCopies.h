//===- WideCopies.h - copies of structs by the widest loads and stores ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_WIDECOPIES_H
#define KHALC_TARGET_NVPTX_WIDECOPIES_H

#include "llvm/IR/PassManager.h"

namespace khalc::nvptx {

/// Replaces short copies between memories that aren't the work-item's own by loads and stores of 16
/// bytes, or what the alignment allows. The backend's own expansion stops at 8 bytes.
///
///   memcpy(align 16 %d, align 16 %s, 16)   =>   store <4 x i32> (load <4 x i32> %s), %d
struct WideCopies : llvm::PassInfoMixin<WideCopies> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_WIDECOPIES_H

//===- UnrollShortLoops.h - small loops with a known trip count, unrolled further -------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_UNROLLSHORTLOOPS_H
#define KHALC_TARGET_NVPTX_UNROLLSHORTLOOPS_H

#include "llvm/IR/PassManager.h"

namespace khalc::nvptx {

/// Asks for innermost loops of few instructions and a known trip count to be unrolled eight times,
/// or what divides the trip count: the backend's own limit of two leaves the loop's counter and
/// branch a tenth of an n-body step on an H100's or H200's cores. Loops that the source says
/// something of are left alone.
///
///   for (k < 256) { 20 instructions }   =>   the same with llvm.loop.unroll.count 8
struct UnrollShortLoops : llvm::PassInfoMixin<UnrollShortLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_UNROLLSHORTLOOPS_H

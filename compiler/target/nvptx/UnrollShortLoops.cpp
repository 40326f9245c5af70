//===- UnrollShortLoops.cpp - small loops with a known trip count, unrolled further -----------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/nvptx/UnrollShortLoops.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

constexpr unsigned mostCopies = 8;
/// Instructions of the unrolled body; more only fill the instruction cache.
constexpr unsigned largestBody = 384;

unsigned countInstructions(const Loop &loop) {
  unsigned count = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      count += !isa<PHINode, DbgInfoIntrinsic>(instruction);
  return count;
}

/// How often to unroll; 1 for a loop to leave alone.
unsigned copiesFor(const Loop &loop, ScalarEvolution &evolution) {
  if (!loop.isInnermost() || loop.getNumBlocks() > 1 ||
      hasUnrollTransformation(&loop) != TM_Unspecified)
    return 1;
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  unsigned body = countInstructions(loop);
  unsigned copies = mostCopies;
  while (copies > 1 && (trips % copies != 0 || body * copies > largestBody))
    copies /= 2;
  return trips > copies ? copies : 1; // as many as trips: the full unroller's business
}

} // namespace

PreservedAnalyses UnrollShortLoops::run(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (unsigned copies = copiesFor(*loop, evolution); copies > 1)
      addStringMetadataToLoop(loop, "llvm.loop.unroll.count", copies);
  return PreservedAnalyses::all();
}

} // namespace khalc::nvptx

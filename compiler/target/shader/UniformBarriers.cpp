//===- UniformBarriers.cpp - barriers that WGSL's analysis would refuse ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is reached or not by the branches of its iterated post-dominance frontier; see
// check/DivergentCalls.cpp.
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/UniformBarriers.h"

#include "ir/Builtins.h"
#include "ir/Passes.h"
#include "ir/Uniformity.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

namespace {

const Instruction *barrierIn(const BasicBlock &block) {
  for (const Instruction &instruction : block) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    if (call && builtinCalled(*call) == Builtin::Barrier)
      return call;
  }
  return nullptr;
}

} // namespace

const Instruction *firstDivergentBarrier(Function &function) {
  SmallVector<std::pair<BasicBlock *, const Instruction *>> barriers;
  for (BasicBlock &block : function)
    if (const Instruction *barrier = barrierIn(block))
      barriers.emplace_back(&block, barrier);
  if (barriers.empty())
    return nullptr;
  Passes passes;
  const Uniformity uniformity(function, passes.functions, Unknown::AsInWgsl);
  auto &postDominators = passes.functions.getResult<PostDominatorTreeAnalysis>(function);
  for (const auto &[block, barrier] : barriers) {
    ReverseIDFCalculator frontier(postDominators);
    SmallPtrSet<BasicBlock *, 1> from{block};
    frontier.setDefiningBlocks(from);
    SmallVector<BasicBlock *, 16> branches;
    frontier.calculate(branches);
    if (any_of(branches,
               [&](const BasicBlock *branch) { return !uniformity.leavesUniformly(*branch); }))
      return barrier;
  }
  return nullptr;
}

} // namespace khalc::shader

//===- UniformBarriers.cpp - calls that WGSL's analysis would refuse ------------------------===//
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

using Wanted = function_ref<bool(Builtin)>;

const Instruction *firstIn(const BasicBlock &block, Wanted isWanted) {
  for (const Instruction &instruction : block) {
    const auto *call = dyn_cast<CallBase>(&instruction);
    const std::optional<Builtin> builtin = call ? builtinCalled(*call) : std::nullopt;
    if (builtin && isWanted(*builtin))
      return call;
  }
  return nullptr;
}

/// The first wanted call that some work-items can miss.
const Instruction *firstDivergent(Function &function, Wanted isWanted) {
  SmallVector<std::pair<BasicBlock *, const Instruction *>> calls;
  for (BasicBlock &block : function)
    if (const Instruction *call = firstIn(block, isWanted))
      calls.emplace_back(&block, call);
  if (calls.empty())
    return nullptr;
  Passes passes;
  const Uniformity uniformity(function, passes.functions, Unknown::AsInWgsl);
  auto &postDominators = passes.functions.getResult<PostDominatorTreeAnalysis>(function);
  for (const auto &[block, call] : calls) {
    ReverseIDFCalculator frontier(postDominators);
    SmallPtrSet<BasicBlock *, 1> from{block};
    frontier.setDefiningBlocks(from);
    SmallVector<BasicBlock *, 16> branches;
    frontier.calculate(branches);
    if (any_of(branches,
               [&](const BasicBlock *branch) { return !uniformity.leavesUniformly(*branch); }))
      return call;
  }
  return nullptr;
}

} // namespace

const Instruction *firstDivergentBarrier(Function &function) {
  return firstDivergent(function, [](Builtin builtin) { return builtin == Builtin::Barrier; });
}

const Instruction *firstDivergentSubgroupOperation(Function &function) {
  return firstDivergent(function, isSubgroupOperation);
}

} // namespace khalc::shader

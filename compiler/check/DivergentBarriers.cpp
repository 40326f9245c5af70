//===- DivergentBarriers.cpp - barriers that a part of the work-group can miss ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is reached or not by the branches it is control dependent on, and by those that these
// are control dependent on: its iterated post-dominance frontier (Ferrante, Ottenstein and Warren,
// "The Program Dependence Graph and Its Use in Optimization", TOPLAS 1987).
//
//===------------------------------------------------------------------------------------------===//
#include "check/DivergentBarriers.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "ir/Passes.h"
#include "ir/Prepare.h"
#include "ir/Uniformity.h"
#include "kernel/KernelInfo.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

#include <set>
#include <tuple>

using namespace llvm;

namespace khalc::check {

namespace {

bool isBarrier(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && builtinCalled(*call) == Builtin::Barrier;
}

/// Every function that calls a barrier, directly or through others.
SmallPtrSet<const Function *, 16> functionsWithBarriers(const Module &module) {
  SmallPtrSet<const Function *, 16> found;
  SmallVector<const Function *, 16> work;
  for (const Function &function : module)
    if (builtinFor(function) == Builtin::Barrier)
      work.push_back(&function);
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users())
      if (const auto *call = dyn_cast<CallBase>(user))
        if (found.insert(call->getFunction()).second)
          work.push_back(call->getFunction());
  return found;
}

/// A work-item that ends the program at a failed assertion needs no barrier any more: the blocks that
/// only lead there become empty and unreachable, for simplification to take them out.
void removeProgramEnds(Function &function) {
  SmallPtrSet<BasicBlock *, 8> dead;
  SmallVector<BasicBlock *, 8> work;
  for (BasicBlock &block : function)
    if (isa<UnreachableInst>(block.getTerminator()))
      work.push_back(&block);
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (!dead.insert(block).second)
      continue;
    for (BasicBlock *before : predecessors(block))
      if (all_of(successors(before), [&](BasicBlock *next) { return dead.contains(next); }))
        work.push_back(before);
  }
  for (BasicBlock *block : dead)
    changeToUnreachable(&*block->getFirstNonPHIIt());
  removeUnreachableBlocks(function);
}

/// File, line and column.
using Places = std::set<std::tuple<std::string, unsigned, unsigned>>;

class KernelCheck {
public:
  KernelCheck(Function &body, diag::Engine &diagnostics)
      : body(body), diagnostics(diagnostics), uniformity(body, passes.functions, Unknown::Uniform),
        dominators(passes.functions.getResult<DominatorTreeAnalysis>(body)),
        postDominators(passes.functions.getResult<PostDominatorTreeAnalysis>(body)) {}

  /// `said` has the places that were warned of, over all kernels of a file.
  void run(Places &said) {
    for (BasicBlock &block : body) {
      if (!any_of(block, isBarrier))
        continue;
      const BasicBlock *divergent = divergentBranchBefore(block);
      if (!divergent)
        continue;
      for (const Instruction &instruction : block)
        if (isBarrier(instruction) && isNew(instruction, said))
          warn(instruction, *divergent->getTerminator());
    }
  }

private:
  bool isNew(const Instruction &barrier, Places &said) const {
    const SourcePosition place = diagnostics.placeOf(barrier);
    return said.insert({place.file, place.line, place.column}).second;
  }

  /// The nearest block above `block` that sends some work-items to it and others past it; where
  /// there is none above, any such block.
  const BasicBlock *divergentBranchBefore(BasicBlock &block) {
    ReverseIDFCalculator frontier(postDominators);
    SmallPtrSet<BasicBlock *, 1> from{&block};
    frontier.setDefiningBlocks(from);
    SmallVector<BasicBlock *, 16> branches;
    frontier.calculate(branches);
    erase_if(branches, [&](BasicBlock *branch) { return uniformity.leavesUniformly(*branch); });
    if (branches.empty())
      return nullptr;
    for (const DomTreeNode *node = dominators.getNode(&block)->getIDom(); node;
         node = node->getIDom())
      if (is_contained(branches, node->getBlock()))
        return node->getBlock();
    return branches.front();
  }

  void warn(const Instruction &barrier, const Instruction &branch) {
    diagnostics.report(diag::Id::divergent_barrier, barrier);
    // A branch made by an optimisation has no place of its own; its condition has.
    const auto *condition =
        branch.getNumOperands() ? dyn_cast<Instruction>(branch.getOperand(0)) : nullptr;
    const bool useCondition = condition && condition->getDebugLoc() && !branch.getDebugLoc();
    diagnostics.report(diag::Id::divergent_condition, useCondition ? *condition : branch,
                       {causeOf(branch)});
  }

  /// What the user knows that makes the branch's condition differ among work-items.
  std::string causeOf(const Instruction &branch) {
    SmallPtrSet<const Value *, 32> seen;
    SmallVector<const Value *, 32> work{branch.getOperand(0)};
    bool dependsOnAtomic = false;
    while (!work.empty()) {
      const auto *value = dyn_cast<Instruction>(work.pop_back_val());
      if (!value || uniformity.isUniform(*value) || !seen.insert(value).second)
        continue;
      if (const auto *call = dyn_cast<CallBase>(value))
        if (builtinCalled(*call) == Builtin::LocalId)
          return "the work-item's id";
      dependsOnAtomic |= isa<AtomicRMWInst, AtomicCmpXchgInst>(value);
      append_range(work, value->operands());
    }
    return dependsOnAtomic ? "what an atomic operation gives to each work-item"
                           : "which way a work-item came here";
  }

  Function &body;
  diag::Engine &diagnostics;
  Passes passes;
  Uniformity uniformity;
  DominatorTree &dominators;
  PostDominatorTree &postDominators;
};

} // namespace

void warnOfDivergentBarriers(const Module &module, const KernelFile &file,
                             diag::Engine &diagnostics) {
  const SmallPtrSet<const Function *, 16> withBarriers = functionsWithBarriers(module);
  if (withBarriers.empty() || !diagnostics.isEnabled(diag::Id::divergent_barrier))
    return;
  const std::unique_ptr<Module> copy = CloneModule(module);
  annotateBuiltins(*copy);
  raw_null_ostream nowhere;
  diag::Engine silent(/*colour=*/false, nowhere);
  Places said;
  for (const KernelInfo &kernel : file.kernels) {
    const Function *original = module.getFunction(kernel.bodyFunction);
    if (!original || !withBarriers.contains(original))
      continue;
    Function &body = *copy->getFunction(kernel.bodyFunction);
    if (!inlineEverything(body, silent))
      continue;
    specialiseForGroupSize(body, kernel.groupSize);
    removeProgramEnds(body);
    Passes passes;
    Passes::simplification().run(body, passes.functions); // what the group's size decides
    KernelCheck(body, diagnostics).run(said);
  }
}

} // namespace khalc::check

//===- DivergentCalls.cpp - barriers and shuffles that some work-items can miss ---------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block is reached or not by the branches it is control dependent on, and by those that these
// are control dependent on: its iterated post-dominance frontier (Ferrante, Ottenstein and Warren,
// "The Program Dependence Graph and Its Use in Optimization", TOPLAS 1987).
//
//===------------------------------------------------------------------------------------------===//
#include "check/DivergentCalls.h"

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

bool calls(const Instruction &instruction, Builtin builtin) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && builtinCalled(*call) == builtin;
}

/// Every function that calls a barrier or shuffle, directly or through others.
SmallPtrSet<const Function *, 16> functionsToCheck(const Module &module) {
  SmallPtrSet<const Function *, 16> found;
  SmallVector<const Function *, 16> work;
  for (const Function &function : module) {
    const std::optional<Builtin> builtin = builtinFor(function);
    if (builtin == Builtin::Barrier || builtin == Builtin::SubgroupShuffle)
      work.push_back(&function);
  }
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

/// True if a value is made of what a call of that builtin gives.
bool comesFrom(const Value *made, Builtin builtin) {
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> work{made};
  while (!work.empty()) {
    const auto *value = dyn_cast<Instruction>(work.pop_back_val());
    if (!value || !seen.insert(value).second)
      continue;
    if (calls(*value, builtin))
      return true;
    append_range(work, value->operands());
  }
  return false;
}

/// True where the lane that a shuffle reads from comes from a ballot, which knows the active ones.
bool readsAnActiveLane(const Instruction &shuffle) {
  return comesFrom(cast<CallBase>(shuffle).getArgOperand(2), Builtin::SubgroupBallot);
}

/// The calls of one kind that are made by some of those that should make them together.
class KernelCheck {
public:
  KernelCheck(Function &body, Among among, diag::Engine &diagnostics)
      : body(body), among(among), diagnostics(diagnostics),
        uniformity(body, passes.functions, Unknown::Uniform, among),
        dominators(passes.functions.getResult<DominatorTreeAnalysis>(body)),
        postDominators(passes.functions.getResult<PostDominatorTreeAnalysis>(body)) {}

  /// `said` has the places that were warned of, over all kernels of a file.
  void run(Places &said) {
    for (BasicBlock &block : body) {
      const BasicBlock *divergent = nullptr;
      for (const Instruction &instruction : block) {
        if (!isChecked(instruction))
          continue;
        if (!divergent)
          divergent = divergentBranchBefore(block);
        if (!divergent)
          break;
        if (isNew(instruction, said))
          warn(instruction, *divergent->getTerminator());
      }
    }
  }

private:
  bool isChecked(const Instruction &instruction) const {
    if (among == Among::Group)
      return calls(instruction, Builtin::Barrier);
    return calls(instruction, Builtin::SubgroupShuffle) && isUsersOwn(instruction) &&
           !readsAnActiveLane(instruction);
  }

  /// The library makes other operations of shuffles, and sees to it itself that lanes are active.
  bool isUsersOwn(const Instruction &shuffle) const {
    const std::string callee = diagnostics.calleeAt(shuffle);
    const StringRef name = callee;
    return name.empty() || name.starts_with("subgroup_shuffle") ||
           name.starts_with("subgroup_broadcast");
  }

  bool isNew(const Instruction &call, Places &said) const {
    const SourcePosition place = diagnostics.placeOf(call);
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
    erase_if(branches, [&](BasicBlock *branch) { return !partsProvably(*branch); });
    if (branches.empty())
      return nullptr;
    for (const DomTreeNode *node = dominators.getNode(&block)->getIDom(); node;
         node = node->getIDom())
      if (is_contained(branches, node->getBlock()))
        return node->getBlock();
    return branches.front();
  }

  /// What went through a shuffle may be the same in all lanes, and is where the library makes a sum
  /// of them so.
  bool partsProvably(const BasicBlock &branch) const {
    if (uniformity.leavesUniformly(branch))
      return false;
    return among == Among::Group ||
           !comesFrom(branch.getTerminator()->getOperand(0), Builtin::SubgroupShuffle);
  }

  void warn(const Instruction &call, const Instruction &branch) {
    diagnostics.report(
        among == Among::Group ? diag::Id::divergent_barrier : diag::Id::divergent_shuffle, call);
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
      if (calls(*value, Builtin::LocalId))
        return "the work-item's id";
      if (calls(*value, Builtin::SubgroupLane))
        return "the lane in the subgroup";
      dependsOnAtomic |= isa<AtomicRMWInst, AtomicCmpXchgInst>(value);
      append_range(work, value->operands());
    }
    return dependsOnAtomic ? "what an atomic operation gives to each work-item"
                           : "which way a work-item came here";
  }

  Function &body;
  const Among among;
  diag::Engine &diagnostics;
  Passes passes;
  Uniformity uniformity;
  DominatorTree &dominators;
  PostDominatorTree &postDominators;
};

} // namespace

void warnOfDivergentCalls(const Module &module, const KernelFile &file, diag::Engine &diagnostics) {
  const SmallPtrSet<const Function *, 16> toCheck = functionsToCheck(module);
  const bool warnsOfBarriers = diagnostics.isEnabled(diag::Id::divergent_barrier);
  const bool warnsOfShuffles = diagnostics.isEnabled(diag::Id::divergent_shuffle);
  if (toCheck.empty() || !(warnsOfBarriers || warnsOfShuffles))
    return;
  const std::unique_ptr<Module> copy = CloneModule(module);
  annotateBuiltins(*copy);
  raw_null_ostream nowhere;
  diag::Engine silent(/*colour=*/false, nowhere);
  Places said;
  for (const KernelInfo &kernel : file.kernels) {
    const Function *original = module.getFunction(kernel.bodyFunction);
    if (!original || !toCheck.contains(original))
      continue;
    Function &body = *copy->getFunction(kernel.bodyFunction);
    if (!inlineEverything(body, silent))
      continue;
    specialiseForGroupSize(body, kernel.groupSize);
    removeProgramEnds(body);
    Passes passes;
    Passes::simplification().run(body, passes.functions); // what the group's size decides
    if (warnsOfBarriers)
      KernelCheck(body, Among::Group, diagnostics).run(said);
    if (warnsOfShuffles)
      KernelCheck(body, Among::Subgroup, diagnostics).run(said);
  }
}

} // namespace khalc::check

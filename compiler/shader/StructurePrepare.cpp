//===- StructurePrepare.cpp - reducible control flow without idle blocks ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureTree.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace khalc::shader {

bool isPlainReturn(const BasicBlock &block) {
  return !hasCode(block) && isa<ReturnInst>(block.getTerminator());
}

bool hasCode(const BasicBlock &block) {
  return any_of(block, [](const Instruction &instruction) {
    return !instruction.isTerminator() && !isa<DbgInfoIntrinsic>(instruction);
  });
}

namespace {

/// Branches on a bool are Ifs; a switch on one is not what any target has.
void branchOnBool(SwitchInst &choice) {
  IRBuilder<> builder(&choice);
  BasicBlock *ifTrue = choice.findCaseValue(builder.getTrue())->getCaseSuccessor();
  BasicBlock *ifFalse = choice.findCaseValue(builder.getFalse())->getCaseSuccessor();
  BasicBlock *block = choice.getParent();
  // The switch has any number of edges to each target, the branch has one.
  SmallVector<BasicBlock *, 4> dropped(successors(&choice));
  dropped.erase(find(dropped, ifTrue));
  if (ifFalse != ifTrue)
    dropped.erase(find(dropped, ifFalse));
  for (BasicBlock *successor : dropped)
    successor->removePredecessor(block);
  if (ifTrue == ifFalse)
    builder.CreateBr(ifTrue);
  else
    builder.CreateCondBr(choice.getCondition(), ifTrue, ifFalse);
  choice.eraseFromParent();
}

/// Folds what is decided, merges straight lines and removes blocks that only go on.
void tidy(Function &function) {
  bool changed = true;
  while (changed) {
    changed = removeUnreachableBlocks(function);
    for (BasicBlock &block : function) {
      if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
          choice && choice->getCondition()->getType()->isIntegerTy(1)) {
        branchOnBool(*choice);
        changed = true;
      }
      changed |= ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    }
    changed |= removeUnreachableBlocks(function);
    for (BasicBlock &block : make_early_inc_range(function)) {
      // What leaves a loop by a single edge may not need a variable; see passThroughPhis.
      if (block.getUniquePredecessor())
        changed |= FoldSingleEntryPHINodes(&block);
      if (MergeBlockIntoPredecessor(&block)) {
        changed = true;
        continue;
      }
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      if (branch && branch->isUnconditional() && !block.isEntryBlock() &&
          &*block.getFirstNonPHIOrDbg() == branch)
        changed |= TryToSimplifyUncondBranchFromEmptyBlock(&block);
    }
  }
}

/// In a reducible function a backward edge goes to a block that dominates its source.
bool isReducible(Function &function) {
  DominatorTree dominators(function);
  ReversePostOrderTraversal<Function *> order(&function);
  DenseMap<const BasicBlock *, unsigned> position;
  for (BasicBlock *block : order)
    position.try_emplace(block, position.size());
  return all_of(order, [&](BasicBlock *block) {
    return all_of(successors(block), [&](BasicBlock *successor) {
      return position[successor] > position[block] || dominators.dominates(successor, block);
    });
  });
}

/// A comparison-and-exchange gives a pair, which no variable can hold: take it apart at once.
void extractAtOnce(Function &function) {
  for (BasicBlock &block : function)
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *extract = dyn_cast<ExtractValueInst>(&instruction);
      auto *aggregate = extract ? dyn_cast<Instruction>(extract->getAggregateOperand()) : nullptr;
      if (!aggregate || aggregate->getParent() == &block)
        continue;
      if (std::optional<BasicBlock::iterator> place = aggregate->getInsertionPointAfterDef())
        extract->moveBefore(*place);
    }
}

} // namespace

void prepare(Function &function) {
  tidy(function);
  if (!isReducible(function)) {
    makeReducible(function);
    tidy(function);
    if (!isReducible(function))
      report_fatal_error("structure: control flow stayed irreducible in " + function.getName());
  }
  extractAtOnce(function);
}

} // namespace khalc::shader

//===- StructureDuplicate.cpp - copies of tiny blocks -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace khalc::shader {
namespace {

constexpr unsigned mostInstructions = 6;

/// True when an instruction's value is used in its block and by the phis of the edges from there.
bool isUsedNearby(const Instruction &instruction) {
  return all_of(instruction.uses(), [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    return (phi ? phi->getIncomingBlock(use) : user->getParent()) == instruction.getParent();
  });
}

bool canBeCopied(const Instruction &instruction) {
  if (instruction.getType()->isTokenTy() || isa<AllocaInst>(instruction))
    return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  return !call || !(call->isConvergent() || call->cannotDuplicate() || call->isInlineAsm());
}

/// Makes the edge from `predecessor` go to a copy of `block` of its own.
void copyFor(BasicBlock *predecessor, BasicBlock *block) {
  ValueToValueMapTy values;
  BasicBlock *copy = CloneBasicBlock(block, values, ".copy", block->getParent());
  copy->moveAfter(predecessor);
  for (PHINode &phi : block->phis()) {
    auto *copied = cast<PHINode>(values[&phi]);
    values[&phi] = phi.getIncomingValueForBlock(predecessor);
    copied->eraseFromParent();
  }
  const RemapFlags flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  for (Instruction &instruction : *copy) {
    RemapInstruction(&instruction, values, flags);
    RemapDbgRecordRange(block->getModule(), instruction.getDbgRecordRange(), values, flags);
  }
  for (BasicBlock *successor : successors(copy))
    for (PHINode &phi : successor->phis()) {
      Value *value = phi.getIncomingValueForBlock(block);
      if (auto mapped = values.find(value); mapped != values.end())
        value = mapped->second;
      phi.addIncoming(value, copy);
    }
  for (BasicBlock *successor : successors(predecessor))
    if (successor == block)
      block->removePredecessor(predecessor, /*KeepOneInputPHIs=*/true);
  predecessor->getTerminator()->replaceSuccessorWith(block, copy);
}

} // namespace

std::optional<unsigned> duplicationCost(const BasicBlock &block) {
  unsigned count = 1;
  for (const Instruction &instruction : block) {
    if (instruction.isTerminator() || isa<DbgInfoIntrinsic>(instruction))
      continue;
    if (!canBeCopied(instruction) || !isUsedNearby(instruction))
      return std::nullopt;
    count += !isa<PHINode>(instruction);
  }
  if (count > mostInstructions + 1 || is_contained(successors(&block), &block))
    return std::nullopt;
  return count;
}

bool duplicate(const std::vector<DuplicationWish> &wishes, unsigned &budget) {
  bool changed = false;
  for (const DuplicationWish &wish : wishes)
    for (const BasicBlock *from : wish.predecessors) {
      // Earlier copies may have changed the block's uses and edges.
      std::optional<unsigned> cost = duplicationCost(*wish.block);
      if (!cost || *cost > budget || !is_contained(predecessors(wish.block), from) ||
          wish.block->hasNPredecessors(1))
        continue;
      budget -= *cost;
      changed = true;
      copyFor(const_cast<BasicBlock *>(from), const_cast<BasicBlock *>(wish.block));
    }
  return changed;
}

} // namespace khalc::shader

//===- Recompute.cpp - cheap values computed again where they are used -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/Recompute.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

/// How much is computed again rather than loaded: about what a load and a store cost.
constexpr unsigned maxInstructions = 12;

class Recomputation {
public:
  explicit Recomputation(Function &item) : item(item) {}

  void run(ArrayRef<Instruction *> values) {
    for (Instruction *value : values)
      if (isCheap(*value) || isPlainAddress(value))
        replaceUses(*value);
    for (Instruction *value : values)
      if (isInstructionTriviallyDead(value))
        unused.push_back(value);
    RecursivelyDeleteTriviallyDeadInstructions(unused);
  }

private:
  bool isCheap(Value &value) {
    std::optional<unsigned> cost = costOf(value);
    return cost && *cost <= maxInstructions;
  }

  /// A step, or several, from an argument or a variable.
  static bool isPlainAddress(Value *value) {
    if (!isa<GetElementPtrInst>(value) || !value->getType()->isPointerTy())
      return false;
    while (auto *step = dyn_cast<GetElementPtrInst>(value))
      value = step->getPointerOperand();
    auto *variable = dyn_cast<AllocaInst>(value);
    return isa<Argument>(value) || (variable && variable->isStaticAlloca());
  }

  /// Instructions to compute `value` from what is at hand everywhere; none if it can't be.
  std::optional<unsigned> costOf(Value &value) {
    if (isa<Constant, Argument>(value))
      return 0;
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction)
      return std::nullopt;
    if (auto *variable = dyn_cast<AllocaInst>(instruction))
      return variable->isStaticAlloca() ? std::optional<unsigned>(0) : std::nullopt;
    auto [known, isNew] = costs.try_emplace(instruction, std::nullopt);
    if (!isNew)
      return known->second;
    std::optional<unsigned> cost = costOfInstruction(*instruction);
    costs[instruction] = cost;
    return cost;
  }

  std::optional<unsigned> costOfInstruction(Instruction &instruction) {
    if (!isRepeatable(instruction))
      return std::nullopt;
    unsigned sum = 1;
    for (Value *operand : instruction.operands()) {
      std::optional<unsigned> cost = costOf(*operand);
      if (!cost)
        return std::nullopt;
      sum += *cost;
      if (sum > maxInstructions)
        return std::nullopt;
    }
    return sum;
  }

  bool isRepeatable(Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return load->isSimple() && readsArgumentBlock(*load);
    if (isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction))
      return false;
    // A frozen value must stay the same; the others give the same whenever they are asked.
    return !isa<PHINode, FreezeInst, AllocaInst>(instruction) && !instruction.isTerminator() &&
           !instruction.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&instruction);
  }

  /// The block is never written while a kernel runs; its argument says so.
  bool readsArgumentBlock(LoadInst &load) {
    auto *argument = dyn_cast<Argument>(getUnderlyingObject(load.getPointerOperand()));
    return argument && argument->onlyReadsMemory() &&
           argument->hasAttribute(Attribute::Dereferenceable);
  }

  void replaceUses(Instruction &value) {
    for (Use &use : make_early_inc_range(value.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      auto *phi = dyn_cast<PHINode>(user);
      BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block != value.getParent())
        use.set(valueIn(*block, value));
    }
  }

  /// `value` as computed at the start of `block`; what is neither cheap nor an address stays as it is,
  /// and then is what is kept.
  Value *valueIn(BasicBlock &block, Value &value) {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || isa<AllocaInst>(instruction) ||
        !(isCheap(*instruction) || isPlainAddress(instruction)))
      return &value;
    if (Value *known = copies.lookup({&block, instruction}))
      return known;
    Instruction *copy = instruction->clone();
    for (Use &operand : copy->operands())
      operand.set(valueIn(block, *operand));
    copy->setName(instruction->getName() + ".again");
    copy->insertInto(&block, insertionPoint(block));
    copies[{&block, instruction}] = copy;
    return copy;
  }

  /// Behind the static allocas of the entry block, and behind earlier copies in this block, so
  /// that operands come before what uses them.
  BasicBlock::iterator insertionPoint(BasicBlock &block) {
    auto [point, isNew] = points.try_emplace(&block, nullptr);
    if (isNew) {
      BasicBlock::iterator at = block.getFirstInsertionPt();
      if (&block == &item.getEntryBlock())
        at = block.getFirstNonPHIOrDbgOrAlloca();
      point->second = &*at;
    }
    return point->second->getIterator();
  }

  Function &item;
  DenseMap<Instruction *, std::optional<unsigned>> costs;
  DenseMap<std::pair<BasicBlock *, Instruction *>, Value *> copies;
  DenseMap<BasicBlock *, Instruction *> points; ///< the first instruction behind the copies
  SmallVector<WeakTrackingVH> unused;
};

} // namespace

void recomputeInsteadOfKeeping(Function &item, ArrayRef<Instruction *> values) {
  Recomputation(item).run(values);
}

} // namespace khalc::cpu

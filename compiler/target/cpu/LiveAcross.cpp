//===- LiveAcross.cpp - what lives across barriers -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/LiveAcross.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

/// The blocks at whose start `value` is needed later on.
void markLiveIn(Instruction &value, SmallPtrSetImpl<BasicBlock *> &liveIn) {
  SmallVector<BasicBlock *> pending;
  for (Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *phi = dyn_cast<PHINode>(user)) {
      // Needed at the end of the incoming block.
      BasicBlock *incoming = phi->getIncomingBlock(use);
      if (incoming != value.getParent())
        pending.push_back(incoming);
    } else if (user->getParent() != value.getParent()) {
      pending.push_back(user->getParent());
    }
  }
  while (!pending.empty()) {
    BasicBlock *block = pending.pop_back_val();
    if (block == value.getParent() || !liveIn.insert(block).second)
      continue;
    append_range(pending, predecessors(block));
  }
}

/// The instructions that reach into one variable, by block and in order.
class VariableUses {
public:
  enum class Kind { Access, Start, End };

  explicit VariableUses(AllocaInst &variable) {
    collect(variable);
    if (escaped)
      return;
    for (BasicBlock &block : *variable.getFunction())
      for (Instruction &instruction : block)
        if (auto found = kinds.find(&instruction); found != kinds.end())
          events[&block].push_back(found->second);
  }

  bool getsOutOfSight() const { return escaped; }
  ArrayRef<Kind> in(BasicBlock *block) const {
    auto found = events.find(block);
    return found == events.end() ? ArrayRef<Kind>() : ArrayRef<Kind>(found->second);
  }

private:
  void collect(AllocaInst &variable) {
    SmallVector<Value *> pending{&variable};
    SmallPtrSet<Value *, 16> seen;
    while (!pending.empty()) {
      Value *address = pending.pop_back_val();
      if (!seen.insert(address).second)
        continue;
      for (Use &use : address->uses()) {
        auto *user = cast<Instruction>(use.getUser());
        switch (user->getOpcode()) {
        case Instruction::GetElementPtr:
        case Instruction::PHI:
        case Instruction::Select:
        case Instruction::Freeze:
        case Instruction::BitCast:
        case Instruction::AddrSpaceCast:
          pending.push_back(user);
          break;
        case Instruction::Load:
        case Instruction::ICmp:
          kinds[user] = Kind::Access;
          break;
        case Instruction::Store:
        case Instruction::AtomicRMW:
        case Instruction::AtomicCmpXchg:
          // The address itself may be what is stored.
          escaped |= use.getOperandNo() != pointerOperand(*user);
          kinds[user] = Kind::Access;
          break;
        case Instruction::Call:
          addCall(cast<CallInst>(*user), use, address == &variable);
          break;
        default:
          escaped = true;
        }
      }
    }
  }

  static unsigned pointerOperand(const Instruction &instruction) {
    return isa<StoreInst>(instruction) ? StoreInst::getPointerOperandIndex() : 0;
  }

  void addCall(CallInst &call, const Use &use, bool whole) {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
    if (intrinsic && intrinsic->isLifetimeStartOrEnd()) {
      // A marker on a piece of the variable says nothing of the rest.
      if (whole)
        kinds[&call] =
            intrinsic->getIntrinsicID() == Intrinsic::lifetime_start ? Kind::Start : Kind::End;
      return;
    }
    if (intrinsic && intrinsic->isAssumeLikeIntrinsic())
      return;
    kinds[&call] = Kind::Access;
    // A pointer that comes back could be this one; a maths function's out-parameter is no escape.
    escaped |= call.getType()->isPointerTy() || !call.isArgOperand(&use);
  }

  DenseMap<Instruction *, Kind> kinds;
  DenseMap<BasicBlock *, SmallVector<Kind>> events;
  bool escaped = false;
};

/// A fact that events switch on and off, at the start (backward) or end (forward) of each block.
template <typename Step, typename Neighbours>
SmallPtrSet<BasicBlock *, 16> spread(Function &function, Step step, Neighbours neighbours) {
  SmallPtrSet<BasicBlock *, 16> holds;
  bool changed = true;
  while (changed) {
    changed = false;
    for (BasicBlock &block : function) {
      bool incoming = any_of(neighbours(&block), [&](BasicBlock *b) { return holds.contains(b); });
      if (step(&block, incoming))
        changed |= holds.insert(&block).second;
    }
  }
  return holds;
}

} // namespace

SmallVector<Instruction *> valuesLiveAcross(Function &function,
                                            ArrayRef<BasicBlock *> barrierBlocks) {
  SmallVector<Instruction *> values;
  for (Instruction &instruction : instructions(function)) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (instruction.use_empty() || (variable && variable->isStaticAlloca()))
      continue;
    SmallPtrSet<BasicBlock *, 16> liveIn;
    markLiveIn(instruction, liveIn);
    if (any_of(barrierBlocks, [&](BasicBlock *block) { return liveIn.contains(block); }))
      values.push_back(&instruction);
  }
  return values;
}

bool contentsLiveAcross(AllocaInst &variable, ArrayRef<BasicBlock *> barrierBlocks) {
  using Kind = VariableUses::Kind;
  VariableUses uses(variable);
  if (uses.getsOutOfSight())
    return !barrierBlocks.empty();
  Function &function = *variable.getFunction();
  // Read or written later, before its lifetime starts anew.
  SmallPtrSet<BasicBlock *, 16> needed = spread(
      function,
      [&](BasicBlock *block, bool later) {
        for (Kind kind : reverse(uses.in(block)))
          later = kind == Kind::Access;
        return later;
      },
      [](BasicBlock *block) { return successors(block); });
  // Holds something that was stored earlier in this lifetime.
  SmallPtrSet<BasicBlock *, 16> filled = spread(
      function,
      [&](BasicBlock *block, bool earlier) {
        for (Kind kind : uses.in(block))
          earlier = kind == Kind::Access;
        return earlier;
      },
      [](BasicBlock *block) { return predecessors(block); });
  return any_of(barrierBlocks, [&](BasicBlock *block) {
    return needed.contains(block) && filled.contains(block);
  });
}

} // namespace khalc::cpu

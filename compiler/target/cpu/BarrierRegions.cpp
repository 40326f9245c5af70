//===- BarrierRegions.cpp - a kernel cut at its barriers -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/BarrierRegions.h"

#include "ir/Builtins.h"
#include "ir/Passes.h"
#include "ir/Uniformity.h"
#include "target/cpu/LiveAcross.h"
#include "target/cpu/Recompute.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace khalc::cpu {

static bool ordersOtherAccesses(const Instruction &instruction) {
  if (isa<FenceInst>(instruction))
    return true;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return isStrongerThanMonotonic(load->getOrdering());
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return isStrongerThanMonotonic(store->getOrdering());
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return isStrongerThanMonotonic(update->getOrdering());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return isStrongerThanMonotonic(exchange->getMergedOrdering());
  return false;
}

bool itemsAreIndependent(const Region &region) {
  return none_of(region.blocks,
                 [](const BasicBlock *block) { return any_of(*block, ordersOtherAccesses); });
}

bool BarrierRegions::isBarrierBlock(const BasicBlock *block) const {
  return is_contained(barrierBlocks, block);
}

unsigned BarrierRegions::regionAfter(const BasicBlock *barrierBlock) const {
  return static_cast<unsigned>(find(barrierBlocks, barrierBlock) - barrierBlocks.begin()) + 1;
}

namespace {

/// Static variables come first in the entry block, so that no barrier there can part them.
void gatherVariables(Function &item) {
  BasicBlock &entry = item.getEntryBlock();
  BasicBlock::iterator first = entry.getFirstInsertionPt();
  for (Instruction &instruction : make_early_inc_range(entry))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (variable->isStaticAlloca() && first != variable->getIterator())
        variable->moveBefore(first);
}

/// Gives every barrier a block of its own. What follows it starts a block that is entered from
/// there alone, so that a region's entry has no phis.
SmallVector<BasicBlock *> isolateBarriers(Function &item) {
  SmallVector<CallInst *> barriers;
  for (Instruction &instruction : instructions(item))
    if (auto *call = dyn_cast<CallInst>(&instruction))
      if (builtinCalled(*call) == Builtin::Barrier)
        barriers.push_back(call);
  SmallVector<BasicBlock *> blocks;
  for (CallInst *barrier : barriers) {
    BasicBlock *before = barrier->getParent();
    BasicBlock *own = before->splitBasicBlock(barrier->getIterator(), "barrier");
    own->splitBasicBlock(std::next(barrier->getIterator()), "after.barrier");
    blocks.push_back(own);
  }
  return blocks;
}

/// What inlined restrict parameters promise holds within one work-item's call of a function. In a
/// loop over work-items, with barriers in between, it would be taken as a promise for all of them.
void dropScopedAliasing(Function &item) {
  for (Instruction &instruction : make_early_inc_range(instructions(item))) {
    if (isa<NoAliasScopeDeclInst>(instruction)) {
      instruction.eraseFromParent();
      continue;
    }
    instruction.setMetadata(LLVMContext::MD_alias_scope, nullptr);
    instruction.setMetadata(LLVMContext::MD_noalias, nullptr);
  }
}

/// The end of what comes before a use: where a value must be ready.
Instruction *pointOfUse(Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return phi->getIncomingBlock(use)->getTerminator();
  return user;
}

/// Keeps `value` in memory: stored where it is computed, loaded where another block uses it.
AllocaInst *demote(Instruction &value) {
  Function &function = *value.getFunction();
  IRBuilder<> atStart(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *slot = atStart.CreateAlloca(value.getType(), nullptr, value.getName() + ".across");

  SmallVector<Use *> elsewhere;
  for (Use &use : value.uses())
    if (pointOfUse(use)->getParent() != value.getParent())
      elsewhere.push_back(&use);
  // One phi may name an incoming block more than once, and must get the same value each time.
  DenseMap<std::pair<PHINode *, BasicBlock *>, Value *> loaded;
  for (Use *use : elsewhere) {
    Instruction *point = pointOfUse(*use);
    Value *load = nullptr;
    if (auto *phi = dyn_cast<PHINode>(use->getUser())) {
      Value *&known = loaded[{phi, point->getParent()}];
      if (!known)
        known = IRBuilder<>(point).CreateLoad(value.getType(), slot, value.getName() + ".again");
      load = known;
    } else {
      load = IRBuilder<>(point).CreateLoad(value.getType(), slot, value.getName() + ".again");
    }
    use->set(load);
  }

  Instruction *after =
      isa<PHINode>(value) ? &*value.getParent()->getFirstInsertionPt() : value.getNextNode();
  IRBuilder<>(after).CreateStore(&value, slot);
  return slot;
}

class RegionBuilder {
public:
  explicit RegionBuilder(BarrierRegions &result) : result(result) {}

  void build(Function &item) {
    addRegion(item.getEntryBlock());
    for (BasicBlock *barrier : result.barrierBlocks)
      addRegion(*barrier->getSingleSuccessor());
    findLiveSlots();
  }

private:
  void addRegion(BasicBlock &entry) {
    Region region;
    region.entry = &entry;
    SmallPtrSet<BasicBlock *, 32> seen;
    for (BasicBlock *barrier : result.barrierBlocks)
      seen.insert(barrier);
    for (BasicBlock *block : post_order_ext(&entry, seen))
      region.blocks.push_back(block);
    std::reverse(region.blocks.begin(), region.blocks.end());
    for (BasicBlock *block : region.blocks) {
      region.mayEnd |= isa<ReturnInst>(block->getTerminator());
      for (BasicBlock *successor : successors(block))
        if (result.isBarrierBlock(successor))
          region.next.insert(result.regionAfter(successor));
      for (Instruction &instruction : *block)
        if (auto *store = dyn_cast<StoreInst>(&instruction))
          if (auto *slot = dyn_cast<AllocaInst>(store->getPointerOperand());
              slot && result.slots.contains(slot))
            region.written.insert(slot);
    }
    result.regions.push_back(std::move(region));
  }

  /// Which slots each region needs at its start: those read there before they are written, on some
  /// path that may go through further regions.
  void findLiveSlots() {
    for (AllocaInst *slot : result.slots) {
      SmallPtrSet<BasicBlock *, 32> liveIn;
      SmallVector<BasicBlock *> pending;
      for (User *user : slot->users())
        if (auto *load = dyn_cast<LoadInst>(user); load && !isWrittenBefore(*load, *slot))
          pending.push_back(load->getParent());
      while (!pending.empty()) {
        BasicBlock *block = pending.pop_back_val();
        if (!liveIn.insert(block).second)
          continue;
        for (BasicBlock *before : predecessors(block))
          if (!writes(*before, *slot))
            pending.push_back(before);
      }
      for (Region &region : result.regions)
        if (liveIn.contains(region.entry))
          region.liveIn.insert(slot);
    }
  }

  static bool writes(BasicBlock &block, AllocaInst &slot) {
    return any_of(block, [&](Instruction &instruction) { return isStoreTo(instruction, slot); });
  }

  static bool isWrittenBefore(LoadInst &load, AllocaInst &slot) {
    for (Instruction &instruction : *load.getParent()) {
      if (&instruction == &load)
        return false;
      if (isStoreTo(instruction, slot))
        return true;
    }
    return false;
  }

  static bool isStoreTo(Instruction &instruction, AllocaInst &slot) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    return store && store->getPointerOperand() == &slot;
  }

  BarrierRegions &result;
};

/// Addresses that are kept all the same, as ones chosen between several are: the variables that they may
/// be in are kept for each work-item, and nothing is promised of what arguments point to.
void expectKeptAddresses(Function &item, BarrierRegions &result) {
  bool any = false;
  for (Instruction *value : valuesLiveAcross(item, result.barrierBlocks)) {
    if (!value->getType()->isPtrOrPtrVectorTy())
      continue;
    any = true;
    SmallVector<const Value *> objects;
    getUnderlyingObjects(value, objects);
    for (const Value *object : objects)
      if (auto *variable = dyn_cast<AllocaInst>(object); variable && variable->isStaticAlloca())
        result.arrays.insert(const_cast<AllocaInst *>(variable));
  }
  if (any)
    for (Argument &argument : item.args())
      argument.removeAttr(Attribute::NoAlias);
}

/// Gives what lives across barriers its slots.
void keepValues(Function &item, ArrayRef<const Argument *> localIds, BarrierRegions &result) {
  SmallVector<Instruction *> values = valuesLiveAcross(item, result.barrierBlocks);
  SmallPtrSet<Instruction *, 16> uniform;
  {
    Passes passes;
    Uniformity uniformity(item, passes.functions, Unknown::Divergent, Among::Group, localIds);
    for (Instruction *value : values)
      if (uniformity.isUniform(*value) &&
          all_of(value->uses(), [&](const Use &use) { return uniformity.isUniformAt(use); }))
        uniform.insert(value);
  }
  for (Instruction *value : values) {
    AllocaInst *slot = demote(*value);
    result.slots.insert(slot);
    if (uniform.contains(value))
      result.uniformSlots.insert(slot);
  }
}

} // namespace

BarrierRegions formBarrierRegions(Function &item, ArrayRef<const Argument *> localIds) {
  BarrierRegions result;
  removeUnreachableBlocks(item);
  gatherVariables(item);
  result.barrierBlocks = isolateBarriers(item);
  if (!result.barrierBlocks.empty()) {
    dropScopedAliasing(item);
    // Before values are demoted: a recomputed address spares a slot and stays an expression of the
    // work-item's number, which is what the vectoriser wants to see.
    recomputeInsteadOfKeeping(item, valuesLiveAcross(item, result.barrierBlocks));
    // Before addresses get stored in slots, where they would be out of sight.
    for (Instruction &instruction : item.getEntryBlock())
      if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        if (variable->isStaticAlloca() && contentsLiveAcross(*variable, result.barrierBlocks))
          result.arrays.insert(variable);
    expectKeptAddresses(item, result);
    keepValues(item, localIds, result);
  }
  RegionBuilder(result).build(item);
  return result;
}

} // namespace khalc::cpu

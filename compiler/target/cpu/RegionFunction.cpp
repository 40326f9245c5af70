//===- RegionFunction.cpp - a barrier region as a function of its own -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/RegionFunction.h"

#include "ir/Passes.h"
#include "target/cpu/BarrierRegions.h"
#include "target/cpu/ContextLayout.h"
#include "target/cpu/GroupSignature.h"
#include "target/cpu/HoistIndices.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

class RegionBuilder {
public:
  RegionBuilder(Function &item, const BarrierRegions &regions, unsigned number,
                const KernelInfo &kernel, const ContextLayout &layout)
      : item(item), regions(regions), region(regions.regions[number]), number(number),
        kernel(kernel), layout(layout), builder(item.getContext()) {}

  Function *build() {
    declare();
    ValueToValueMapTy map;
    for (Argument &argument : item.args())
      map[&argument] = function->getArg(argument.getArgNo());
    SmallVector<ReturnInst *> returns;
    // Its code becomes part of another function, whose source the locations must stay in: without
    // a subprogram of its own, the clone gets no new one.
    DISubprogram *source = item.getSubprogram();
    item.setSubprogram(nullptr);
    CloneFunctionInto(function, &item, map, CloneFunctionChangeType::LocalChangesOnly, returns);
    item.setSubprogram(source);
    for (AllocaInst *slot : regions.uniformSlots)
      keepUniform(*slot, *cast<AllocaInst>(map[slot]));
    for (BasicBlock *barrier : regions.barrierBlocks)
      leaveAt(barrier, map);
    for (ReturnInst *end : returns) {
      builder.SetInsertPoint(end);
      decide(endOfKernel);
    }
    enter(map);
    removeUnreachableBlocks(*function);
    Passes passes;
    Passes::simplification().run(*function, passes.functions);
    hoistIndices(*function);
    return function;
  }

private:
  void declare() {
    SmallVector<Type *> types(item.getFunctionType()->params());
    types.push_back(builder.getInt64Ty());
    types.append(1 + 2 * regions.uniformSlots.size(), builder.getPtrTy());
    function = Function::Create(FunctionType::get(builder.getVoidTy(), types, false),
                                GlobalValue::InternalLinkage,
                                kernel.symbol + ".region." + Twine(number), *item.getParent());
    RegionSignature signature(kernel);
    function->getArg(signature.item)->setName("item");
    function->getArg(signature.decision)->setName("decision");
    for (auto [index, slot] : enumerate(regions.uniformSlots)) {
      Argument *before = function->getArg(signature.uniformSlot(index));
      Argument *after = function->getArg(signature.nextOfUniformSlot(index));
      before->setName(slot->getName());
      after->setName(slot->getName() + ".next");
      for (Argument *address : {before, after})
        address->addAttr(Attribute::NoAlias);
      before->addAttr(Attribute::ReadOnly);
    }
  }

  Value *argument(unsigned number) const { return function->getArg(number); }

  /// Where the region finds what a variable holds.
  Value *addressOf(AllocaInst &variable) {
    if (regions.uniformSlots.contains(&variable))
      return argument(RegionSignature(kernel).uniformSlot(numberOf(variable)));
    return layout.address(builder, argument(GroupSignature(kernel).context()), variable,
                          argument(RegionSignature(kernel).item));
  }

  unsigned numberOf(AllocaInst &uniformSlot) const {
    return find(regions.uniformSlots, &uniformSlot) - regions.uniformSlots.begin();
  }

  /// Whoever computes such a value says so at once: another work-item that goes a different way has
  /// none to give.
  void keepUniform(AllocaInst &slot, AllocaInst &own) {
    Value *next = argument(RegionSignature(kernel).nextOfUniformSlot(numberOf(slot)));
    for (User *user : make_early_inc_range(own.users()))
      if (auto *store = dyn_cast<StoreInst>(user)) {
        builder.SetInsertPoint(store);
        builder.CreateStore(store->getValueOperand(), next);
      }
  }

  void decide(uint32_t next) {
    builder.CreateStore(builder.getInt32(next), argument(RegionSignature(kernel).decision));
  }

  /// entry: all variables; slots as they were left; on to where the region starts.
  void enter(ValueToValueMapTy &map) {
    auto *start = cast<BasicBlock>(map[region.entry]);
    BasicBlock *entry =
        BasicBlock::Create(item.getContext(), "enter", function, &function->front());
    builder.SetInsertPoint(entry);
    for (Instruction &instruction : item.getEntryBlock()) {
      auto *variable = dyn_cast<AllocaInst>(&instruction);
      if (!variable || !variable->isStaticAlloca())
        continue;
      auto *own = cast<AllocaInst>(map[variable]);
      if (regions.arrays.contains(variable)) {
        Value *kept = addressOf(*variable);
        dropMarkers(*own);
        own->replaceAllUsesWith(kept);
        own->eraseFromParent();
        continue;
      }
      own->moveBefore(*entry, entry->begin());
      if (region.liveIn.contains(variable))
        builder.CreateStore(builder.CreateLoad(variable->getAllocatedType(), addressOf(*variable)),
                            own);
    }
    builder.CreateBr(start);
    // Other ways into the start come from blocks of other regions, and go with them.
  }

  /// What lives across barriers doesn't end where its scope does.
  static void dropMarkers(AllocaInst &variable) {
    for (User *user : make_early_inc_range(variable.users()))
      if (auto *marker = dyn_cast<IntrinsicInst>(user); marker && marker->isLifetimeStartOrEnd())
        marker->eraseFromParent();
  }

  /// A barrier ends the region, with slots kept for what follows.
  void leaveAt(BasicBlock *barrier, ValueToValueMapTy &map) {
    auto *block = cast<BasicBlock>(map[barrier]);
    for (BasicBlock *successor : successors(block))
      successor->removePredecessor(block);
    while (!block->empty())
      block->back().eraseFromParent();
    unsigned next = regions.regionAfter(barrier);
    builder.SetInsertPoint(block);
    for (AllocaInst *slot : region.written)
      if (regions.regions[next].liveIn.contains(slot) && !regions.uniformSlots.contains(slot))
        builder.CreateStore(builder.CreateLoad(slot->getAllocatedType(), map[slot]),
                            addressOf(*slot));
    decide(next);
    builder.CreateRetVoid();
  }

  Function &item;
  const BarrierRegions &regions;
  const Region &region;
  unsigned number;
  const KernelInfo &kernel;
  const ContextLayout &layout;
  IRBuilder<> builder;
  Function *function = nullptr;
};

} // namespace

RegionSignature::RegionSignature(const KernelInfo &kernel)
    : item(GroupSignature(kernel).localId(2) + 1), decision(item + 1) {}

Function *buildRegionFunction(Function &item, const BarrierRegions &regions, unsigned number,
                              const KernelInfo &kernel, const ContextLayout &layout) {
  return RegionBuilder(item, regions, number, kernel, layout).build();
}

} // namespace khalc::cpu

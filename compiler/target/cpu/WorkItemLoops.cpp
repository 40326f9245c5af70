//===- WorkItemLoops.cpp - a work-group as loops over its work-items -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/WorkItemLoops.h"

#include "target/cpu/BarrierRegions.h"
#include "target/cpu/ContextLayout.h"
#include "target/cpu/DebuggerView.h"
#include "target/cpu/GroupSignature.h"
#include "target/cpu/ItemLoop.h"
#include "target/cpu/RegionFunction.h"
#include "target/cpu/simd/VectorRegions.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <utility>

using namespace llvm;

namespace khalc::cpu {

namespace {

/// Memory that each work-item has for itself, or that the language keeps work-items apart in. Not
/// so the variables that they use by turns.
bool isIndependentAddress(const Value *address) {
  SmallVector<const Value *> objects;
  getUnderlyingObjects(address, objects);
  return all_of(objects, [](const Value *object) { return isa<Argument, GlobalVariable>(object); });
}

bool isIndependentAccess(const Instruction &instruction) {
  if (const Value *address = getLoadStorePointerOperand(&instruction))
    return !instruction.isAtomic() && isIndependentAddress(address);
  if (auto *intrinsic = dyn_cast<AnyMemIntrinsic>(&instruction)) {
    auto *transfer = dyn_cast<AnyMemTransferInst>(intrinsic);
    return isIndependentAddress(intrinsic->getRawDest()) &&
           (!transfer || isIndependentAddress(transfer->getRawSource()));
  }
  return false;
}

class GroupBuilder {
public:
  GroupBuilder(Function &item, const BarrierRegions &regions, const KernelInfo &kernel,
               const simd::VectorRegions &vectors, const simd::VectorUnit &unit)
      : item(item), context(item.getContext()), regions(regions), kernel(kernel), signature(kernel),
        layout(item.getDataLayout(), kernel.groupSize, regions), vectors(vectors), unit(unit),
        builder(context) {}

  GroupFunction build(const std::string &name) {
    declare(name);
    for (AllocaInst *slot : regions.uniformSlots)
      for (const char *suffix : {"", ".next"})
        uniformSlots.push_back(entryBuilder->CreateAlloca(slot->getAllocatedType(), nullptr,
                                                          slot->getName() + suffix));
    for (size_t number = 0; number < regions.regions.size(); ++number)
      starts.push_back(BasicBlock::Create(context, "region." + Twine(number), group));
    end = BasicBlock::Create(context, "end", group);
    for (size_t number = 0; number < regions.regions.size(); ++number)
      buildRegion(number);
    entryBuilder->CreateBr(starts[0]);
    ReturnInst::Create(context, end);
    if (vectors.any())
      simd::repairDominance(*group);
    return {group, layout.size()};
  }

private:
  void declare(const std::string &name) {
    group = Function::Create(signature.groupType(context), GlobalValue::InternalLinkage, name,
                             *item.getParent());
    group->copyAttributesFrom(&item);
    group->setLinkage(GlobalValue::InternalLinkage);
    group->removeFnAttr(Attribute::Convergent);
    // Its arguments promise more than the launch function's loop could once it is inlined there.
    group->addFnAttr(Attribute::NoInline);
    group->setSubprogram(item.getSubprogram());
    AttributeList attributes = group->getAttributes();
    for (unsigned d : {0u, 1u, 2u})
      attributes = attributes.removeParamAttributes(context, signature.localId(d));
    group->setAttributes(attributes);
    for (Argument &argument : group->args())
      argument.setName(item.getArg(argument.getArgNo())->getName());
    BasicBlock *entry = BasicBlock::Create(context, "entry", group);
    entryBuilder = std::make_unique<IRBuilder<>>(entry);
    builder.SetCurrentDebugLocation(locationForGlue());
  }

  DebugLoc locationForGlue() const {
    DISubprogram *scope = group->getSubprogram();
    return scope ? DebugLoc(DILocation::get(context, scope->getLine(), 0, scope)) : DebugLoc();
  }

  /// start:  for each work-item { load slots; region's blocks; store slots }, then on to the next.
  void buildRegion(unsigned number) {
    const Region &region = regions.regions[number];
    builder.SetInsertPoint(starts[number]);
    copyUniformSlots(region, /*from=*/0, /*to=*/1);
    if (vectors.has(number))
      return goOn(region, vectors.emit(number, unit, *group, uniformSlots, builder, *entryBuilder));
    ItemLoop loop(builder, kernel.groupSize);
    ValueToValueMapTy map;
    mapArguments(map, loop);
    if (const DebuggerView debugger(*item.getParent()); debugger.isWanted())
      debugger.noteWorkItem(builder, placeOf(loop));
    SmallVector<std::pair<AllocaInst *, AllocaInst *>> locals = mapVariables(region, map, loop);
    for (auto [slot, local] : locals)
      if (region.liveIn.contains(slot))
        builder.CreateStore(loadSlot(*slot, loop), local);

    SmallVector<BasicBlock *> blocks = cloneBlocks(region, map);
    for (auto [slot, local] : locals)
      keepUniform(*slot, *local, blocks);
    builder.CreateBr(blocks.front());
    PHINode *decision = loop.beginLatch(builder);
    leaveRegion(number, map, locals, loop, decision);
    if (itemsAreIndependent(region))
      loop.declareIndependent(independentAccesses(blocks));
    loop.finish(builder);
    if (waysOn(region) == 0) {
      // Nothing comes to the latch.
      decision->eraseFromParent();
      decision = nullptr;
    }
    goOn(region, decision);
  }

  /// What a region writes goes to the second place of each slot, for the regions that follow.
  void copyUniformSlots(const Region &region, unsigned from, unsigned to) {
    for (auto [number, slot] : enumerate(regions.uniformSlots))
      if (region.written.contains(slot))
        builder.CreateStore(
            builder.CreateLoad(slot->getAllocatedType(), uniformSlots[2 * number + from]),
            uniformSlots[2 * number + to]);
  }

  /// As the work-item computes it, see RegionFunction.
  void keepUniform(AllocaInst &slot, AllocaInst &local, ArrayRef<BasicBlock *> blocks) {
    if (!regions.uniformSlots.contains(&slot))
      return;
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : make_early_inc_range(*block))
        if (auto *store = dyn_cast<StoreInst>(&instruction);
            store && store->getPointerOperand() == &local)
          new StoreInst(store->getValueOperand(), placeOfUniform(slot, 1), store->getIterator());
  }

  Value *placeOfUniform(AllocaInst &slot, unsigned place) const {
    unsigned number = find(regions.uniformSlots, &slot) - regions.uniformSlots.begin();
    return uniformSlots[2 * number + place];
  }

  void mapArguments(ValueToValueMapTy &map, const ItemLoop &loop) {
    for (unsigned index = 0; index < signature.groupArguments(); ++index)
      map[item.getArg(index)] = group->getArg(index);
    for (unsigned d : {0u, 1u, 2u})
      map[item.getArg(signature.localId(d))] = loop.localId(d);
  }

  DebuggerView::Place placeOf(const ItemLoop &loop) {
    DebuggerView::Place place;
    for (unsigned d : {0u, 1u, 2u}) {
      place[0][d] = group->getArg(signature.groupId(d));
      place[1][d] = loop.localId(d);
      place[2][d] = group->getArg(signature.numGroups(d));
      place[3][d] = builder.getInt32(kernel.groupSize[d]);
    }
    return place;
  }

  /// Slots become variables of this region alone, for registers; arrays are found in the context;
  /// what lives within a region keeps one place for all work-items, who come one after another.
  SmallVector<std::pair<AllocaInst *, AllocaInst *>>
  mapVariables(const Region &region, ValueToValueMapTy &map, const ItemLoop &loop) {
    SmallVector<std::pair<AllocaInst *, AllocaInst *>> locals;
    for (Instruction &instruction : item.getEntryBlock()) {
      auto *variable = dyn_cast<AllocaInst>(&instruction);
      if (!variable || !variable->isStaticAlloca())
        continue;
      if (regions.slots.contains(variable)) {
        if (!region.liveIn.contains(variable) && !region.written.contains(variable))
          continue;
        AllocaInst *local = cloneVariable(*variable);
        locals.push_back({variable, local});
        map[variable] = local;
      } else if (regions.arrays.contains(variable)) {
        map[variable] = layout.address(builder, contextArgument(), *variable, loop.index());
      } else {
        AllocaInst *&shared = withinRegions[variable];
        if (!shared)
          shared = cloneVariable(*variable);
        map[variable] = shared;
      }
    }
    return locals;
  }

  AllocaInst *cloneVariable(AllocaInst &variable) {
    auto *copy = cast<AllocaInst>(variable.clone());
    copy->setName(variable.getName());
    return entryBuilder->Insert(copy);
  }

  Argument *contextArgument() const { return group->getArg(signature.context()); }

  Value *loadSlot(AllocaInst &slot, const ItemLoop &loop) {
    if (regions.uniformSlots.contains(&slot))
      return builder.CreateLoad(slot.getAllocatedType(), placeOfUniform(slot, 0));
    LoadInst *load = builder.CreateLoad(
        slot.getAllocatedType(), layout.address(builder, contextArgument(), slot, loop.index()));
    slotAccesses.push_back(load);
    return load;
  }

  void storeSlot(AllocaInst &slot, Value *value, const ItemLoop &loop) {
    slotAccesses.push_back(
        builder.CreateStore(value, layout.address(builder, contextArgument(), slot, loop.index())));
  }

  SmallVector<Instruction *> independentAccesses(ArrayRef<BasicBlock *> blocks) {
    SmallVector<Instruction *> accesses = std::exchange(slotAccesses, {});
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : *block)
        if (isIndependentAccess(instruction))
          accesses.push_back(&instruction);
    return accesses;
  }

  SmallVector<BasicBlock *> cloneBlocks(const Region &region, ValueToValueMapTy &map) {
    SmallVector<BasicBlock *> copies;
    for (BasicBlock *block : region.blocks) {
      BasicBlock *copy = BasicBlock::Create(context, block->getName(), group);
      map[block] = copy;
      copies.push_back(copy);
    }
    for (auto [block, copy] : zip(region.blocks, copies))
      cloneInstructions(*block, *copy, map);
    for (BasicBlock *copy : copies)
      for (Instruction &instruction : *copy) {
        // Edges out of the region are turned later: their targets aren't in the map.
        RemapInstruction(&instruction, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
        // A variable whose value is another region's has none here.
        RemapDbgRecordRange(instruction.getModule(), instruction.getDbgRecordRange(), map,
                            RF_NoModuleLevelChanges);
      }
    return copies;
  }

  void cloneInstructions(BasicBlock &block, BasicBlock &copy, ValueToValueMapTy &map) {
    for (Instruction &instruction : block) {
      if (isVariableOrItsMarker(instruction))
        continue;
      Instruction *twin = instruction.clone();
      twin->setName(instruction.getName());
      twin->insertInto(&copy, copy.end());
      twin->cloneDebugInfoFrom(&instruction);
      map[&instruction] = twin;
      // Ways into this block that aren't in the region.
      if (auto *phi = dyn_cast<PHINode>(twin))
        phi->removeIncomingValueIf(
            [&](unsigned incoming) {
              return !map.count(cast<PHINode>(instruction).getIncomingBlock(incoming));
            },
            /*DeletePHIIfEmpty=*/false);
    }
  }

  bool isVariableOrItsMarker(Instruction &instruction) const {
    if (isa<AllocaInst>(instruction))
      return true;
    auto *marker = dyn_cast<IntrinsicInst>(&instruction);
    if (!marker || !marker->isLifetimeStartOrEnd())
      return false;
    auto *variable = dyn_cast<AllocaInst>(marker->getArgOperand(marker->arg_size() - 1));
    return variable && regions.arrays.contains(variable);
  }

  /// Turns the region's edges to barriers and its returns into the loop's latch, by way of a block
  /// that stores what the next region needs.
  void leaveRegion(unsigned number, ValueToValueMapTy &map,
                   ArrayRef<std::pair<AllocaInst *, AllocaInst *>> locals, const ItemLoop &loop,
                   PHINode *decision) {
    const Region &region = regions.regions[number];
    DenseMap<unsigned, BasicBlock *> exits;
    for (unsigned next : region.next) {
      BasicBlock *exit = BasicBlock::Create(context, "to.region." + Twine(next), group);
      exits[next] = exit;
      builder.SetInsertPoint(exit);
      for (auto [slot, local] : locals)
        if (region.written.contains(slot) && regions.regions[next].liveIn.contains(slot) &&
            !regions.uniformSlots.contains(slot))
          storeSlot(*slot, builder.CreateLoad(slot->getAllocatedType(), local), loop);
      builder.CreateBr(decision->getParent());
      decision->addIncoming(builder.getInt32(next), exit);
    }
    BasicBlock *ending = nullptr;
    if (region.mayEnd) {
      ending = BasicBlock::Create(context, "to.end", group);
      builder.SetInsertPoint(ending);
      builder.CreateBr(decision->getParent());
      decision->addIncoming(builder.getInt32(endOfKernel), ending);
    }
    for (BasicBlock *block : region.blocks) {
      auto *copy = cast<BasicBlock>(map[block]);
      Instruction *terminator = copy->getTerminator();
      if (isa<ReturnInst>(terminator)) {
        builder.SetInsertPoint(terminator);
        builder.CreateBr(ending);
        terminator->eraseFromParent();
        continue;
      }
      for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i)
        if (BasicBlock *successor = terminator->getSuccessor(i); regions.isBarrierBlock(successor))
          terminator->setSuccessor(i, exits[regions.regionAfter(successor)]);
    }
  }

  static unsigned waysOn(const Region &region) { return region.next.size() + region.mayEnd; }

  void goOn(const Region &region, Value *decision) {
    unsigned ways = waysOn(region);
    if (ways == 0) {
      // Every way ends in a trap.
      builder.CreateUnreachable();
      return;
    }
    copyUniformSlots(region, /*from=*/1, /*to=*/0);
    BasicBlock *fallback = region.mayEnd ? end : starts[region.next.back()];
    if (ways == 1) {
      builder.CreateBr(fallback);
      return;
    }
    SwitchInst *choice = builder.CreateSwitch(decision, fallback, region.next.size());
    for (unsigned next : region.next)
      if (starts[next] != fallback)
        choice->addCase(builder.getInt32(next), starts[next]);
  }

  Function &item;
  LLVMContext &context;
  const BarrierRegions &regions;
  const KernelInfo &kernel;
  GroupSignature signature;
  ContextLayout layout;
  const simd::VectorRegions &vectors;
  const simd::VectorUnit &unit;
  IRBuilder<> builder;
  std::unique_ptr<IRBuilder<>> entryBuilder; ///< for variables; its block gets its branch last
  SmallVector<Value *>
      uniformSlots; ///< of each the place that is read, and the one for what follows
  Function *group = nullptr;
  SmallVector<BasicBlock *> starts; ///< of the regions, by number
  BasicBlock *end = nullptr;
  DenseMap<AllocaInst *, AllocaInst *> withinRegions;
  SmallVector<Instruction *> slotAccesses; ///< of the region being built
};

} // namespace

GroupFunction buildWorkItemLoops(Function &item, const BarrierRegions &regions,
                                 const KernelInfo &kernel, const simd::VectorRegions &vectors,
                                 const simd::VectorUnit &unit, const std::string &name) {
  return GroupBuilder(item, regions, kernel, vectors, unit).build(name);
}

} // namespace khalc::cpu

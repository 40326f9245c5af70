//===- ExpandAtomics.cpp - atomics that shaders lack, as compare-exchange loops ------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/ExpandAtomics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace khalc::shader {

namespace {

IntegerType *integerOfSize(Type *type) {
  return IntegerType::get(type->getContext(), type->getScalarSizeInBits());
}

bool isNative(const AtomicRMWInst &operation) {
  switch (operation.getOperation()) {
  case AtomicRMWInst::Xchg:
    return operation.getType()->isIntegerTy();
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  default:
    return false;
  }
}

/// The same exchange on the integer of that size.
void exchangeAsInteger(AtomicRMWInst &exchange) {
  IRBuilder<> builder(&exchange);
  IntegerType *type = integerOfSize(exchange.getType());
  Value *bits = builder.CreateBitCast(exchange.getValOperand(), type);
  Value *old = builder.CreateAtomicRMW(AtomicRMWInst::Xchg, exchange.getPointerOperand(), bits,
                                       exchange.getAlign(), exchange.getOrdering(),
                                       exchange.getSyncScopeID());
  exchange.replaceAllUsesWith(builder.CreateBitCast(old, exchange.getType()));
  exchange.eraseFromParent();
}

void expandToLoop(AtomicRMWInst &operation) {
  Type *type = operation.getType();
  IntegerType *bits = integerOfSize(type);
  Value *address = operation.getPointerOperand();
  BasicBlock *before = operation.getParent();
  BasicBlock *after = before->splitBasicBlock(operation.getIterator(), "atomic.end");
  BasicBlock *loop =
      BasicBlock::Create(before->getContext(), "atomic.try", before->getParent(), after);
  before->getTerminator()->eraseFromParent();

  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(operation.getDebugLoc());
  LoadInst *first = builder.CreateAlignedLoad(bits, address, operation.getAlign());
  first->setAtomic(AtomicOrdering::Monotonic, operation.getSyncScopeID());
  builder.CreateBr(loop);

  builder.SetInsertPoint(loop);
  PHINode *old = builder.CreatePHI(bits, 2);
  Value *oldValue = builder.CreateBitCast(old, type);
  Value *newValue =
      buildAtomicRMWValue(operation.getOperation(), builder, oldValue, operation.getValOperand());
  AtomicCmpXchgInst *exchange = builder.CreateAtomicCmpXchg(
      address, old, builder.CreateBitCast(newValue, bits), operation.getAlign(),
      operation.getOrdering(),
      AtomicCmpXchgInst::getStrongestFailureOrdering(operation.getOrdering()),
      operation.getSyncScopeID());
  Value *seen = builder.CreateExtractValue(exchange, 0);
  builder.CreateCondBr(builder.CreateExtractValue(exchange, 1), after, loop);
  old->addIncoming(first, before);
  old->addIncoming(seen, loop);

  operation.replaceAllUsesWith(oldValue);
  operation.eraseFromParent();
}

void loadAsInteger(LoadInst &load) {
  IRBuilder<> builder(&load);
  LoadInst *bits = builder.CreateAlignedLoad(integerOfSize(load.getType()),
                                             load.getPointerOperand(), load.getAlign());
  bits->setAtomic(load.getOrdering(), load.getSyncScopeID());
  load.replaceAllUsesWith(builder.CreateBitCast(bits, load.getType()));
  load.eraseFromParent();
}

void storeAsInteger(StoreInst &store) {
  IRBuilder<> builder(&store);
  Value *value = store.getValueOperand();
  StoreInst *bits =
      builder.CreateAlignedStore(builder.CreateBitCast(value, integerOfSize(value->getType())),
                                 store.getPointerOperand(), store.getAlign());
  bits->setAtomic(store.getOrdering(), store.getSyncScopeID());
  store.eraseFromParent();
}

} // namespace

void expandAtomics(Function &function) {
  SmallVector<Instruction *> atomics;
  for (Instruction &instruction : instructions(function))
    if (instruction.isAtomic())
      atomics.push_back(&instruction);
  for (Instruction *instruction : atomics) {
    if (auto *operation = dyn_cast<AtomicRMWInst>(instruction)) {
      if (operation->getOperation() == AtomicRMWInst::Xchg && !isNative(*operation))
        exchangeAsInteger(*operation);
      else if (!isNative(*operation))
        expandToLoop(*operation);
    } else if (auto *load = dyn_cast<LoadInst>(instruction)) {
      if (!load->getType()->isIntegerTy())
        loadAsInteger(*load);
    } else if (auto *store = dyn_cast<StoreInst>(instruction)) {
      if (!store->getValueOperand()->getType()->isIntegerTy())
        storeAsInteger(*store);
    }
  }
}

} // namespace khalc::shader

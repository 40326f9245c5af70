//===- PointerNumbers.cpp - pointers that are kept in memory, as numbers -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/PointerNumbers.h"

#include "target/shader/ExpandMemory.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

namespace {

void storeAsNumber(StoreInst &store) {
  IRBuilder<> builder(&store);
  Type *number = store.getDataLayout().getIntPtrType(store.getValueOperand()->getType());
  builder
      .CreateAlignedStore(builder.CreatePtrToInt(store.getValueOperand(), number),
                          store.getPointerOperand(), store.getAlign(), store.isVolatile())
      ->setDebugLoc(store.getDebugLoc());
  store.eraseFromParent();
}

void loadAsNumber(LoadInst &load) {
  IRBuilder<> builder(&load);
  Type *number = load.getDataLayout().getIntPtrType(load.getType());
  Value *value = builder.CreateAlignedLoad(number, load.getPointerOperand(), load.getAlign(),
                                           load.isVolatile());
  load.replaceAllUsesWith(builder.CreateIntToPtr(value, load.getType(), load.getName()));
  load.eraseFromParent();
}

bool isLocal(const Value *pointer) {
  return isa<AllocaInst>(getUnderlyingObject(pointer));
}

/// An 8-byte value that is only moved, to or from a local: LLVM makes such of short copies.
bool isWideCopy(const LoadInst &load) {
  if (!load.getType()->isIntegerTy(64) || !load.isSimple() || load.getAlign() < Align(4) ||
      load.use_empty())
    return false;
  bool local = isLocal(load.getPointerOperand());
  for (const User *user : load.users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (!store || store->getValueOperand() != &load || !store->isSimple() ||
        store->getAlign() < Align(4))
      return false;
    local |= isLocal(store->getPointerOperand());
  }
  return local;
}

void splitCopy(LoadInst &load) {
  IRBuilder<> builder(&load);
  Type *half = builder.getInt32Ty();
  auto halfAt = [&](IRBuilderBase &at, Value *pointer, unsigned index) {
    return index == 0 ? pointer : at.CreateConstGEP1_32(half, pointer, index);
  };
  Value *halves[2];
  for (unsigned i : {0u, 1u}) {
    auto *part =
        builder.CreateAlignedLoad(half, halfAt(builder, load.getPointerOperand(), i), Align(4));
    markUntyped(*part);
    halves[i] = part;
  }
  for (User *user : make_early_inc_range(load.users())) {
    auto *store = cast<StoreInst>(user);
    IRBuilder<> at(store);
    for (unsigned i : {0u, 1u})
      markUntyped(
          *at.CreateAlignedStore(halves[i], halfAt(at, store->getPointerOperand(), i), Align(4)));
    store->eraseFromParent();
  }
  load.eraseFromParent();
}

/// What moves a number, or a part of one, without calculating.
bool movesBits(const Instruction &instruction) {
  return isa<LoadInst, StoreInst, PHINode, SelectInst, FreezeInst, PtrToIntInst, IntToPtrInst,
             TruncInst, ZExtInst, BitCastInst, ExtractElementInst, InsertElementInst>(
             instruction) ||
         instruction.getOpcode() == Instruction::Or ||
         instruction.getOpcode() == Instruction::Shl ||
         instruction.getOpcode() == Instruction::LShr;
}

/// True if nothing but moves leads to the number.
bool isMovedOnly(const Instruction &number) {
  SmallSetVector<const Instruction *, 8> found;
  found.insert(&number);
  for (size_t i = 0; i < found.size(); ++i) {
    const Instruction *instruction = found[i];
    if (!movesBits(*instruction))
      return false;
    if (isa<LoadInst, PtrToIntInst>(instruction))
      continue;
    for (const Value *operand : instruction->operands())
      if (auto *source = dyn_cast<Instruction>(operand);
          source && operand->getType()->isIntOrIntVectorTy())
        found.insert(source);
  }
  return true;
}

bool isMove(const User *user) {
  return movesBits(*cast<Instruction>(user));
}

/// True if a number is moved, and what it was moved to is then calculated with.
bool isCalculatedWith(const PtrToIntInst &number) {
  SmallSetVector<const Instruction *, 8> moved;
  moved.insert(&number);
  for (size_t i = 0; i < moved.size(); ++i)
    for (const User *user : moved[i]->users()) {
      auto *instruction = cast<Instruction>(user);
      if (!movesBits(*instruction)) {
        if (i > 0)
          return true;
      } else if (instruction->getType()->isIntOrIntVectorTy() && !isa<LoadInst>(instruction)) {
        moved.insert(instruction);
      }
    }
  return false;
}

} // namespace

void storePointersAsNumbers(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      if (store->getValueOperand()->getType()->isPointerTy() && !store->isAtomic())
        storeAsNumber(*store);
    } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (load->getType()->isPointerTy() && !load->isAtomic())
        loadAsNumber(*load);
    }
  }
  SmallVector<LoadInst *> copies;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && isWideCopy(*load))
      copies.push_back(load);
  for (LoadInst *load : copies)
    splitCopy(*load);
}

PointerNumbers::PointerNumbers(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    if (auto *pointer = dyn_cast<IntToPtrInst>(&instruction)) {
      isNeeded = true;
      hasArithmetic |= !isMovedOnly(*pointer);
    } else if (auto *conversion = dyn_cast<PtrToIntInst>(&instruction)) {
      if (llvm::any_of(conversion->users(), isMove)) {
        numbers.insert(conversion);
        hasArithmetic |= isCalculatedWith(*conversion);
      }
    }
  }
}

bool PointerNumbers::takesNumber(const User &user) const {
  return hasArithmetic || isMove(&user);
}

void forEachPointerIn(const Constant &constant, const DataLayout &layout,
                      const std::function<void(const Constant &, uint64_t)> &visit) {
  if (constant.getType()->isPointerTy()) {
    visit(constant, 0);
    return;
  }
  auto *aggregate = dyn_cast<ConstantAggregate>(&constant);
  if (!aggregate)
    return;
  auto *structure = dyn_cast<StructType>(constant.getType());
  for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
    const Constant &member = *aggregate->getOperand(i);
    uint64_t offset = structure
                          ? layout.getStructLayout(structure)->getElementOffset(i).getFixedValue()
                          : i * layout.getTypeAllocSize(member.getType()).getFixedValue();
    forEachPointerIn(member, layout,
                     [&](const Constant &pointer, uint64_t at) { visit(pointer, offset + at); });
  }
}

} // namespace khalc::shader

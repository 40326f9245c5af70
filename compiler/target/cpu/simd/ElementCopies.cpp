//===- ElementCopies.cpp - copies to and from private arrays, by element ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/ElementCopies.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace khalc::cpu::simd {

namespace {

/// Longer copies stay as they are.
constexpr uint64_t mostElements = 64;

/// The scalar that an array is made of; null for other variables.
Type *elementOf(const AllocaInst &variable) {
  Type *type = variable.getAllocatedType();
  if (!type->isArrayTy() || variable.isArrayAllocation())
    return nullptr;
  while (type->isArrayTy())
    type = type->getArrayElementType();
  return type->isIntegerTy(32) || type->isFloatTy() || type->isIntegerTy(64) || type->isDoubleTy()
             ? type
             : nullptr;
}

/// True for a copy of whole elements, aligned as they are on both sides.
bool isElementCopy(const MemCpyInst &copy, uint64_t bytes) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  return length && !copy.isVolatile() && length->getZExtValue() % bytes == 0 &&
         length->getZExtValue() / bytes <= mostElements &&
         copy.getDestAlign().valueOrOne() >= bytes && copy.getSourceAlign().valueOrOne() >= bytes;
}

/// The copies of a variable that nothing else but its elements' accesses uses; none for others.
SmallVector<MemCpyInst *> elementCopiesOf(AllocaInst &variable, uint64_t bytes) {
  const DataLayout &layout = variable.getDataLayout();
  SmallVector<MemCpyInst *> copies;
  SmallVector<Value *> pending{&variable};
  while (!pending.empty()) {
    Value *address = pending.pop_back_val();
    for (User *user : address->users()) {
      auto *intrinsic = dyn_cast<IntrinsicInst>(user);
      if (auto *step = dyn_cast<GetElementPtrInst>(user)) {
        pending.push_back(step);
      } else if (auto *copy = dyn_cast<MemCpyInst>(user); copy && isElementCopy(*copy, bytes)) {
        copies.push_back(copy);
      } else if (!(intrinsic && intrinsic->isLifetimeStartOrEnd()) &&
                 (getLoadStorePointerOperand(user) != address ||
                  getLoadStoreType(user)->isVectorTy() ||
                  layout.getTypeStoreSize(getLoadStoreType(user)) != bytes)) {
        return {};
      }
    }
  }
  return copies;
}

void expand(MemCpyInst &copy, Type *element, uint64_t bytes) {
  IRBuilder<> builder(&copy);
  uint64_t count = cast<ConstantInt>(copy.getLength())->getZExtValue() / bytes;
  for (uint64_t i = 0; i < count; ++i) {
    auto at = [&](Value *base) {
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, i * bytes);
    };
    Value *value = builder.CreateAlignedLoad(element, at(copy.getRawSource()), Align(bytes));
    builder.CreateAlignedStore(value, at(copy.getRawDest()), Align(bytes));
  }
  copy.eraseFromParent();
}

} // namespace

void expandElementCopies(Function &function) {
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  for (AllocaInst *variable : variables)
    if (Type *element = elementOf(*variable)) {
      uint64_t bytes = function.getDataLayout().getTypeStoreSize(element).getFixedValue();
      SmallVector<MemCpyInst *> copies = elementCopiesOf(*variable, bytes);
      // A copy within one variable is found twice.
      SmallPtrSet<MemCpyInst *, 4> all(copies.begin(), copies.end());
      for (MemCpyInst *copy : all)
        expand(*copy, element, bytes);
    }
}

} // namespace khalc::cpu::simd

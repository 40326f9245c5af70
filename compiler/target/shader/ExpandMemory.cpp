//===- ExpandMemory.cpp - memcpy, memmove and memset as loads and stores -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/ExpandMemory.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <numeric>

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr StringLiteral untypedTag = "khal.untyped";

/// Above this many elements a loop is shorter than straight-line code and just as fast.
constexpr uint64_t maxStraightLineElements = 32;
constexpr uint64_t maxTileElements = 128;
/// A local variable that is only reached by constant offsets becomes registers.
constexpr uint64_t maxPrivateElements = 256;

/// The widest element, in bytes, of which the operation is a whole number at that alignment.
uint64_t elementBytes(const MemIntrinsic &operation, Align alignment) {
  uint64_t bytes = std::min<uint64_t>(alignment.value(), 4);
  KnownBits length = computeKnownBits(operation.getLength(), operation.getDataLayout());
  unsigned zeros = std::min(length.countMinTrailingZeros(), 2u);
  return std::min<uint64_t>(bytes, 1u << zeros);
}

/// What is known of element `index`'s alignment when the first has alignment `start`.
Align alignmentAt(Align start, Value *index, uint64_t elementBytes) {
  auto *constant = dyn_cast<ConstantInt>(index);
  return commonAlignment(start, constant ? constant->getZExtValue() * elementBytes : elementBytes);
}

/// Emits `step(i)` for i in [0, count), as straight-line code or a loop before `before`.
template <class Step>
void forEachElement(Instruction *before, Value *count, bool backwards, Step step,
                    uint64_t maxStraightLine = maxStraightLineElements) {
  if (auto *constant = dyn_cast<ConstantInt>(count)) {
    if (constant->getZExtValue() <= maxStraightLine) {
      IRBuilder<> builder(before);
      for (uint64_t i = 0; i < constant->getZExtValue(); ++i) {
        uint64_t index = backwards ? constant->getZExtValue() - 1 - i : i;
        step(builder, ConstantInt::get(count->getType(), index));
      }
      return;
    }
  } else {
    IRBuilder<> builder(before);
    Value *some = builder.CreateICmpNE(count, ConstantInt::get(count->getType(), 0));
    before = SplitBlockAndInsertIfThen(some, before->getIterator(), /*Unreachable=*/false);
  }
  auto [bodyEnd, index] = SplitBlockAndInsertSimpleForLoop(count, before->getIterator());
  IRBuilder<> builder(bodyEnd);
  Value *at = index;
  if (backwards)
    at = builder.CreateSub(builder.CreateSub(count, ConstantInt::get(count->getType(), 1)), index);
  step(builder, at);
}

/// True for a local variable of which every address is a constant offset.
bool isReachedByConstants(const Value *variable) {
  return isa<AllocaInst>(variable) && all_of(variable->users(), [](const User *user) {
           auto *step = dyn_cast<GetElementPtrInst>(user);
           if (!step)
             return isa<LoadInst, StoreInst, IntrinsicInst>(user);
           return step->hasAllConstantIndices() && all_of(step->users(), [](const User *access) {
                    return isa<LoadInst, StoreInst, IntrinsicInst>(access);
                  });
         });
}

/// How many elements of `variable` are set one by one. Drivers that give an array registers once they
/// have unrolled the loops over it must not be stopped by one loop of many rounds.
uint64_t maxStraightLine(const Value &variable) {
  if (isReachedByConstants(&variable))
    return maxPrivateElements;
  return isa<AllocaInst>(variable) ? maxTileElements : maxStraightLineElements;
}

void expandSet(MemSetInst &set) {
  IRBuilder<> builder(&set);
  Align alignment = getKnownAlignment(set.getDest(), set.getDataLayout(), &set);
  alignment = std::max(alignment, set.getDestAlign().valueOrOne());
  uint64_t bytes = elementBytes(set, alignment);
  Type *elementType = builder.getIntNTy(static_cast<unsigned>(8 * bytes));
  Value *element = builder.CreateZExt(set.getValue(), elementType);
  // 0x01 in every byte: the product repeats the byte.
  element = builder.CreateMul(
      element, ConstantInt::get(elementType, APInt::getSplat(8 * bytes, APInt(8, 1))));
  Value *count =
      builder.CreateUDiv(set.getLength(), ConstantInt::get(set.getLength()->getType(), bytes));
  auto one = [&](IRBuilderBase &at, Value *index) {
    Value *address = at.CreateGEP(elementType, set.getDest(), index);
    markUntyped(*at.CreateAlignedStore(element, address, alignmentAt(alignment, index, bytes),
                                       set.isVolatile()));
  };
  forEachElement(&set, count, false, one, maxStraightLine(*set.getDest()));
}

struct Copy {
  MemTransferInst &transfer;
  Type *elementType;
  uint64_t elementBytes;
  Align alignment; ///< of both ends

  Value *load(IRBuilderBase &at, Value *index) const {
    Value *address = at.CreateGEP(elementType, transfer.getSource(), index);
    LoadInst *load = at.CreateAlignedLoad(
        elementType, address, alignmentAt(alignment, index, elementBytes), transfer.isVolatile());
    markUntyped(*load);
    return load;
  }
  void store(IRBuilderBase &at, Value *element, Value *index) const {
    Value *address = at.CreateGEP(elementType, transfer.getDest(), index);
    markUntyped(*at.CreateAlignedStore(
        element, address, alignmentAt(alignment, index, elementBytes), transfer.isVolatile()));
  }
  void one(IRBuilderBase &at, Value *index) const { store(at, load(at, index), index); }
};

bool mayOverlap(const MemTransferInst &transfer) {
  if (isa<MemCpyInst>(transfer))
    return false;
  const Value *from = getUnderlyingObject(transfer.getSource());
  const Value *to = getUnderlyingObject(transfer.getDest());
  return !(from != to && isIdentifiedObject(from) && isIdentifiedObject(to));
}

/// Overlapping and short: all loads come before the first store.
void copyThroughRegisters(const Copy &copy, uint64_t count, Type *indexType) {
  IRBuilder<> builder(&copy.transfer);
  SmallVector<Value *> elements;
  for (uint64_t i = 0; i < count; ++i)
    elements.push_back(copy.load(builder, ConstantInt::get(indexType, i)));
  for (uint64_t i = 0; i < count; ++i)
    copy.store(builder, elements[i], ConstantInt::get(indexType, i));
}

void expandTransfer(MemTransferInst &transfer) {
  const DataLayout &layout = transfer.getDataLayout();
  Align alignment = std::min(std::max(getKnownAlignment(transfer.getDest(), layout, &transfer),
                                      transfer.getDestAlign().valueOrOne()),
                             std::max(getKnownAlignment(transfer.getSource(), layout, &transfer),
                                      transfer.getSourceAlign().valueOrOne()));
  uint64_t bytes = elementBytes(transfer, alignment);
  IRBuilder<> builder(&transfer);
  Copy copy{transfer, builder.getIntNTy(static_cast<unsigned>(8 * bytes)), bytes, alignment};
  Type *indexType = transfer.getLength()->getType();
  Value *count = builder.CreateUDiv(transfer.getLength(), ConstantInt::get(indexType, bytes));

  auto one = [&](IRBuilderBase &at, Value *index) { copy.one(at, index); };
  if (!mayOverlap(transfer))
    return forEachElement(&transfer, count, false, one);
  auto *constant = dyn_cast<ConstantInt>(count);
  if (constant && constant->getZExtValue() <= maxStraightLineElements)
    return copyThroughRegisters(copy, constant->getZExtValue(), indexType);
  Value *down = builder.CreateICmpULE(transfer.getDest(), transfer.getSource());
  Instruction *forwards = nullptr;
  Instruction *backwards = nullptr;
  SplitBlockAndInsertIfThenElse(down, transfer.getIterator(), &forwards, &backwards);
  forEachElement(forwards, count, false, one);
  forEachElement(backwards, count, true, one);
}

} // namespace

void markUntyped(Instruction &access) {
  access.setMetadata(untypedTag, MDNode::get(access.getContext(), {}));
}

bool isUntypedAccess(const Instruction &instruction) {
  return instruction.getMetadata(untypedTag) != nullptr;
}

void expandMemory(Function &function) {
  SmallVector<MemIntrinsic *> operations;
  for (Instruction &instruction : instructions(function))
    if (auto *operation = dyn_cast<MemIntrinsic>(&instruction))
      operations.push_back(operation);
  for (MemIntrinsic *operation : operations) {
    if (auto *set = dyn_cast<MemSetInst>(operation))
      expandSet(*set);
    else
      expandTransfer(*cast<MemTransferInst>(operation));
    operation->eraseFromParent();
  }
}

} // namespace khalc::shader

//===- WideCopies.cpp - copies of structs by the widest loads and stores ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/nvptx/WideCopies.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

constexpr uint64_t wordBytes = 4;
constexpr uint64_t widestBytes = 16;
/// Longer copies keep too many registers alive.
constexpr uint64_t longestCopy = 64;

/// A work-item's own memory becomes registers, where wide accesses only stand in the way.
bool isPrivate(const Value *address) {
  return isa<AllocaInst>(getUnderlyingObject(address));
}

/// Bytes that both ends are aligned to and the length is a multiple of; 0 for a copy that stays.
uint64_t pieceBytes(MemTransferInst &copy) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  if (!length || length->isZero() || length->getZExtValue() > longestCopy || copy.isVolatile() ||
      isPrivate(copy.getSource()) || isPrivate(copy.getDest()))
    return 0;
  const DataLayout &layout = copy.getDataLayout();
  Align source = std::max(copy.getSourceAlign().valueOrOne(),
                          getKnownAlignment(copy.getSource(), layout, &copy));
  Align target =
      std::max(copy.getDestAlign().valueOrOne(), getKnownAlignment(copy.getDest(), layout, &copy));
  uint64_t bytes = std::min({source.value(), target.value(), widestBytes});
  while (length->getZExtValue() % bytes != 0)
    bytes /= 2;
  return bytes >= wordBytes ? bytes : 0;
}

void expand(MemTransferInst &copy, uint64_t bytes) {
  IRBuilder<> builder(&copy);
  Type *word = builder.getInt32Ty();
  Type *piece = bytes == wordBytes
                    ? word
                    : FixedVectorType::get(word, static_cast<unsigned>(bytes / wordBytes));
  uint64_t length = cast<ConstantInt>(copy.getLength())->getZExtValue();
  auto at = [&](Value *start, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), start, offset);
  };
  // All loads first: the ends of a memmove may overlap.
  SmallVector<Value *> pieces;
  for (uint64_t offset = 0; offset < length; offset += bytes)
    pieces.push_back(builder.CreateAlignedLoad(piece, at(copy.getSource(), offset), Align(bytes)));
  for (uint64_t i = 0; i < pieces.size(); ++i)
    builder.CreateAlignedStore(pieces[i], at(copy.getDest(), i * bytes), Align(bytes));
  copy.eraseFromParent();
}

} // namespace

PreservedAnalyses WideCopies::run(Function &function, FunctionAnalysisManager &) {
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *copy = dyn_cast<MemTransferInst>(&instruction))
      if (uint64_t bytes = pieceBytes(*copy)) {
        expand(*copy, bytes);
        changed = true;
      }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace khalc::nvptx

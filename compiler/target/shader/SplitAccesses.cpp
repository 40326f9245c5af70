//===- SplitAccesses.cpp - only accesses of the widths that memory has ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/SplitAccesses.h"

#include "target/shader/ExpandMemory.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr unsigned byteBits = 8;
constexpr uint64_t widestPiece = 4, widestAccess = 8;

struct Piece {
  uint64_t offset; ///< bytes
  uint64_t bytes;
  Align alignment;
};

bool isOdd(const Type *type) {
  if (!type->isIntegerTy() || type->getIntegerBitWidth() % byteBits != 0)
    return false;
  const uint64_t bytes = type->getIntegerBitWidth() / byteBits;
  return !isPowerOf2_64(bytes) || bytes > widestAccess;
}

SmallVector<Piece, 8> piecesOf(const Type *type, Align alignment) {
  SmallVector<Piece, 8> pieces;
  const uint64_t bytes = type->getIntegerBitWidth() / byteBits;
  for (uint64_t offset = 0; offset < bytes;) {
    const Align here = commonAlignment(alignment, offset);
    const uint64_t piece = std::min({bit_floor(bytes - offset), here.value(), widestPiece});
    pieces.push_back({offset, piece, here});
    offset += piece;
  }
  return pieces;
}

Value *addressOf(IRBuilderBase &builder, Value *start, const Piece &piece) {
  return piece.offset == 0 ? start
                           : builder.CreateConstInBoundsGEP1_32(
                                 builder.getInt8Ty(), start, static_cast<unsigned>(piece.offset));
}

Value *loadPiece(IRBuilderBase &builder, const LoadInst &load, const Piece &piece) {
  Type *type = builder.getIntNTy(static_cast<unsigned>(piece.bytes * byteBits));
  Value *start = const_cast<Value *>(load.getPointerOperand());
  LoadInst *part = builder.CreateAlignedLoad(type, addressOf(builder, start, piece),
                                             piece.alignment, load.isVolatile());
  markUntyped(*part);
  return part;
}

void storePiece(IRBuilderBase &builder, const StoreInst &store, Value *part, const Piece &piece) {
  Value *start = const_cast<Value *>(store.getPointerOperand());
  markUntyped(*builder.CreateAlignedStore(part, addressOf(builder, start, piece), piece.alignment,
                                          store.isVolatile()));
}

void split(LoadInst &load) {
  IRBuilder<> builder(&load);
  Type *type = load.getType();
  Value *whole = nullptr;
  for (const Piece &piece : piecesOf(type, load.getAlign())) {
    Value *part = builder.CreateZExt(loadPiece(builder, load, piece), type);
    part = builder.CreateShl(part, piece.offset * byteBits);
    whole = whole ? builder.CreateOr(whole, part) : part;
  }
  load.replaceAllUsesWith(whole);
  load.eraseFromParent();
}

void split(StoreInst &store) {
  IRBuilder<> builder(&store);
  Value *whole = store.getValueOperand();
  for (const Piece &piece : piecesOf(whole->getType(), store.getAlign())) {
    Value *part =
        builder.CreateTrunc(builder.CreateLShr(whole, piece.offset * byteBits),
                            builder.getIntNTy(static_cast<unsigned>(piece.bytes * byteBits)));
    storePiece(builder, store, part, piece);
  }
  store.eraseFromParent();
}

/// The store that is all that a load is for, right in its block with no write between them.
StoreInst *copyTo(LoadInst &load) {
  auto *store = load.hasOneUse() ? dyn_cast<StoreInst>(load.user_back()) : nullptr;
  if (!store || store->getValueOperand() != &load || store->getParent() != load.getParent())
    return nullptr;
  for (Instruction *at = load.getNextNode(); at != store; at = at->getNextNode())
    if (at->mayWriteToMemory())
      return nullptr;
  return store;
}

/// Without making one integer of the pieces, which may be wider than shaders have. All are loaded
/// before the first is stored: the two places may overlap.
void splitCopy(LoadInst &load, StoreInst &store) {
  IRBuilder<> builder(&store);
  const SmallVector<Piece, 8> pieces =
      piecesOf(load.getType(), std::min(load.getAlign(), store.getAlign()));
  SmallVector<Value *, 8> parts;
  for (const Piece &piece : pieces)
    parts.push_back(loadPiece(builder, load, piece));
  for (auto [piece, part] : zip(pieces, parts))
    storePiece(builder, store, part, piece);
  store.eraseFromParent();
  load.eraseFromParent();
}

} // namespace

void splitAccesses(Function &function) {
  SmallVector<LoadInst *> loads;
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction);
        load && !load->isAtomic() && isOdd(load->getType()))
      loads.push_back(load);
  for (LoadInst *load : loads)
    if (StoreInst *store = copyTo(*load); store && !store->isAtomic())
      splitCopy(*load, *store);
    else
      split(*load);
  SmallVector<StoreInst *> stores;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction);
        store && !store->isAtomic() && isOdd(store->getValueOperand()->getType()))
      stores.push_back(store);
  for (StoreInst *store : stores)
    split(*store);
}

} // namespace khalc::shader

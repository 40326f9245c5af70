//===- SplitAccesses.cpp - loads and stores of integers of odd sizes --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/SplitAccesses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr unsigned byteBits = 8, largestPiece = 64;

bool isOdd(const Instruction &instruction) {
  if (!isa<LoadInst, StoreInst>(instruction) || instruction.isAtomic())
    return false;
  const auto *type = dyn_cast<IntegerType>(getLoadStoreType(&instruction));
  return type && type->getBitWidth() % byteBits == 0 &&
         (type->getBitWidth() > largestPiece || !isPowerOf2_32(type->getBitWidth()));
}

/// Calls `piece(first bit, bits, address, alignment)` for the pieces of an access, the lowest first:
/// pieces are little-endian.
template <class Piece> void forEachPiece(IRBuilder<> &builder, Instruction &access, Piece piece) {
  Value *address = getLoadStorePointerOperand(&access);
  const Align alignment = getLoadStoreAlignment(&access);
  const unsigned all = getLoadStoreType(&access)->getIntegerBitWidth();
  for (unsigned at = 0, bits = 0; at < all; at += bits) {
    bits = std::min(largestPiece, llvm::bit_floor(all - at));
    Value *here = builder.CreateConstGEP1_32(builder.getInt8Ty(), address, at / byteBits);
    piece(at, bits, here, commonAlignment(alignment, at / byteBits));
  }
}

void splitLoad(LoadInst &load) {
  IRBuilder<> builder(&load);
  Type *type = load.getType();
  Value *whole = ConstantInt::get(type, 0);
  forEachPiece(builder, load, [&](unsigned at, unsigned bits, Value *address, Align alignment) {
    Value *part =
        builder.CreateAlignedLoad(builder.getIntNTy(bits), address, alignment, load.isVolatile());
    whole = builder.CreateOr(whole, builder.CreateShl(builder.CreateZExt(part, type), at));
  });
  load.replaceAllUsesWith(whole);
  load.eraseFromParent();
}

void splitStore(StoreInst &store) {
  IRBuilder<> builder(&store);
  forEachPiece(builder, store, [&](unsigned at, unsigned bits, Value *address, Align alignment) {
    Value *part = builder.CreateTrunc(builder.CreateLShr(store.getValueOperand(), at),
                                      builder.getIntNTy(bits));
    builder.CreateAlignedStore(part, address, alignment, store.isVolatile());
  });
  store.eraseFromParent();
}

} // namespace

void splitAccesses(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (!isOdd(instruction))
      continue;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      splitLoad(*load);
    else
      splitStore(cast<StoreInst>(instruction));
  }
}

} // namespace khalc::shader

//===- NarrowAbs.cpp - absolute values of narrow integers -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/nvptx/NarrowAbs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace khalc::nvptx {

void widenNarrowAbs(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() != Intrinsic::abs ||
        call->getType()->getScalarSizeInBits() >= 32)
      continue;
    IRBuilder<> builder(call);
    Type *wide = call->getType()->getWithNewBitWidth(32);
    Value *value = builder.CreateSExt(call->getArgOperand(0), wide);
    Value *size = builder.CreateBinaryIntrinsic(Intrinsic::abs, value, builder.getFalse());
    call->replaceAllUsesWith(builder.CreateTrunc(size, call->getType()));
    call->eraseFromParent();
  }
}

} // namespace khalc::nvptx

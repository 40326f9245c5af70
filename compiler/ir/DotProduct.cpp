//===- DotProduct.cpp - dot products of bytes in plain arithmetic -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "ir/DotProduct.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace khalc {

namespace {

/// Byte `index` of a word as a 32-bit number.
Value *byteOf(IRBuilderBase &builder, Value *word, unsigned index, bool isSigned) {
  if (isSigned)
    return builder.CreateAShr(builder.CreateShl(word, 24 - 8 * index), 24);
  return builder.CreateAnd(builder.CreateLShr(word, 8 * index), 0xff);
}

} // namespace

bool isDotProduct(Builtin builtin) {
  switch (builtin) {
  case Builtin::Dot4Signed:
  case Builtin::Dot4Unsigned:
  case Builtin::Dot4Mixed:
    return true;
  default:
    return false;
  }
}

Value *expandDotProduct(IRBuilderBase &builder, CallBase &call, Builtin builtin) {
  Value *sum = call.getArgOperand(2);
  for (unsigned i = 0; i < 4; ++i) {
    Value *a = byteOf(builder, call.getArgOperand(0), i, builtin == Builtin::Dot4Signed);
    Value *b = byteOf(builder, call.getArgOperand(1), i, builtin != Builtin::Dot4Unsigned);
    sum = builder.CreateAdd(sum, builder.CreateMul(a, b));
  }
  return sum;
}

} // namespace khalc

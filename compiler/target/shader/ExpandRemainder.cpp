//===- ExpandRemainder.cpp - fmod without a remainder instruction --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/ExpandRemainder.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace khalc::shader {

namespace {

/// A positive finite number other than 0 as significand * 2^exponent, the significand with its
/// leading bit at Format::mantissaBits.
struct Parts {
  Value *significand;
  Value *exponent;
};

class Remainder {
public:
  explicit Remainder(BinaryOperator &operation)
      : operation(operation), builder(&operation), floating(operation.getType()),
        width(floating->getScalarSizeInBits()), mantissaBits(floating->getFPMantissaWidth() - 1),
        integer(builder.getIntNTy(width)) {}

  void expand() {
    Value *x = builder.CreateBitCast(operation.getOperand(0), integer);
    Value *y = builder.CreateBitCast(operation.getOperand(1), integer);
    Constant *signMask = ConstantInt::get(integer, APInt::getSignMask(width));
    Value *sign = builder.CreateAnd(x, signMask);
    Value *xSize = builder.CreateAnd(x, ConstantExpr::getNot(signMask));
    Value *ySize = builder.CreateAnd(y, ConstantExpr::getNot(signMask));

    // Infinity and NaN have all exponent bits set; 0 divides nothing.
    Value *isUndefined = builder.CreateOr(builder.CreateICmpUGE(xSize, infinity()),
                                          builder.CreateICmpUGT(ySize, infinity()));
    isUndefined = builder.CreateOr(isUndefined, builder.CreateICmpEQ(ySize, number(0)));
    Value *isSmaller = builder.CreateICmpULT(xSize, ySize);
    Value *divides = builder.CreateNot(builder.CreateOr(isUndefined, isSmaller));
    BasicBlock *before = operation.getParent();
    Instruction *inside = SplitBlockAndInsertIfThen(divides, operation.getIterator(), false);
    builder.SetInsertPoint(inside);
    Value *divided = longDivision(split(xSize), split(ySize));
    divided = builder.CreateOr(divided, sign);

    builder.SetInsertPoint(operation.getParent(), operation.getParent()->begin());
    PHINode *bits = builder.CreatePHI(integer, 2);
    bits->addIncoming(x, before); // smaller than the divisor: itself
    bits->addIncoming(divided, inside->getParent());
    builder.SetInsertPoint(&operation);
    Value *result = builder.CreateSelect(isUndefined, ConstantFP::getNaN(floating),
                                         builder.CreateBitCast(bits, floating));
    operation.replaceAllUsesWith(result);
    operation.eraseFromParent();
  }

private:
  Constant *number(uint64_t value) { return ConstantInt::get(integer, value); }
  Constant *hiddenBit() { return number(uint64_t(1) << mantissaBits); }
  Constant *infinity() {
    return ConstantInt::get(integer, APFloat::getInf(floating->getFltSemantics()).bitcastToAPInt());
  }
  /// How far a significand's leading bit is below its place.
  Value *missingBits(Value *significand) {
    Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, significand, builder.getFalse());
    return builder.CreateSub(zeros, number(width - 1 - mantissaBits));
  }

  Parts split(Value *size) {
    Value *exponent = builder.CreateLShr(size, mantissaBits);
    Value *fraction = builder.CreateAnd(size, number((uint64_t(1) << mantissaBits) - 1));
    Value *isSubnormal = builder.CreateICmpEQ(exponent, number(0));
    Value *shift = missingBits(fraction);
    return {builder.CreateSelect(isSubnormal, builder.CreateShl(fraction, shift),
                                 builder.CreateOr(fraction, hiddenBit())),
            builder.CreateSelect(isSubnormal, builder.CreateSub(number(1), shift), exponent)};
  }

  Value *reduced(Value *value, Value *divisor) {
    return builder.CreateSelect(builder.CreateICmpUGE(value, divisor),
                                builder.CreateSub(value, divisor), value);
  }

  /// The remainder's bits for x >= y. Leaves the builder where control goes on.
  Value *longDivision(Parts x, Parts y) {
    BasicBlock *entry = builder.GetInsertBlock();
    BasicBlock *done = entry->splitBasicBlock(builder.GetInsertPoint(), "remainder.done");
    BasicBlock *loop =
        BasicBlock::Create(entry->getContext(), "remainder.step", entry->getParent(), done);
    entry->getTerminator()->eraseFromParent();
    Value *steps = nullptr;
    builder.SetInsertPoint(entry);
    steps = builder.CreateSub(x.exponent, y.exponent);
    builder.CreateCondBr(builder.CreateICmpEQ(steps, number(0)), done, loop);

    builder.SetInsertPoint(loop);
    PHINode *rest = builder.CreatePHI(integer, 2);
    PHINode *left = builder.CreatePHI(integer, 2);
    Value *next = builder.CreateShl(reduced(rest, y.significand), 1);
    Value *fewer = builder.CreateSub(left, number(1));
    builder.CreateCondBr(builder.CreateICmpEQ(fewer, number(0)), done, loop);
    rest->addIncoming(x.significand, entry);
    rest->addIncoming(next, loop);
    left->addIncoming(steps, entry);
    left->addIncoming(fewer, loop);

    builder.SetInsertPoint(done, done->begin());
    PHINode *last = builder.CreatePHI(integer, 2);
    last->addIncoming(x.significand, entry);
    last->addIncoming(next, loop);
    builder.SetInsertPoint(done->getTerminator());
    return join(reduced(last, y.significand), y.exponent);
  }

  /// The bits of significand * 2^exponent; the significand may be 0 or lack leading bits.
  Value *join(Value *significand, Value *exponent) {
    Value *shift = missingBits(significand);
    Value *normal = builder.CreateShl(significand, shift);
    Value *lowered = builder.CreateSub(exponent, shift);
    Value *isNormal = builder.CreateICmpSGE(lowered, number(1));
    Value *normalBits = builder.CreateOr(builder.CreateXor(normal, hiddenBit()),
                                         builder.CreateShl(lowered, mantissaBits));
    // Below the smallest exponent the significand itself is the number, at exponent 1.
    // A subnormal divisor's own exponent is below that: what the remainder has there are zeros.
    Value *up = builder.CreateSub(exponent, number(1));
    Value *subnormalBits = builder.CreateSelect(
        builder.CreateICmpSGE(up, number(0)), builder.CreateShl(significand, up),
        builder.CreateLShr(significand, builder.CreateNeg(up)));
    Value *result = builder.CreateSelect(isNormal, normalBits, subnormalBits);
    return builder.CreateSelect(builder.CreateICmpEQ(significand, number(0)), number(0), result);
  }

  BinaryOperator &operation;
  IRBuilder<> builder;
  Type *floating;
  unsigned width;
  unsigned mantissaBits;
  IntegerType *integer;
};

} // namespace

void expandRemainder(Function &function) {
  SmallVector<BinaryOperator *> operations;
  for (Instruction &instruction : instructions(function))
    if (instruction.getOpcode() == Instruction::FRem)
      operations.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator *operation : operations)
    Remainder(*operation).expand();
}

} // namespace khalc::shader

//===- ExactFloat.cpp - division and square root correctly rounded ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/ExactFloat.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr uint32_t signBit = 0x80000000;
constexpr uint32_t infinity = 0x7f800000;
constexpr uint32_t notANumber = 0x7fc00000;
constexpr uint32_t fractionBits = 23;
constexpr uint32_t hiddenBit = 1u << fractionBits;
constexpr uint32_t bias = 127;

/// Emits integer arithmetic on the bits of floats.
class Bits {
public:
  explicit Bits(Instruction &at) : builder(&at) {}

  Value *u32(uint32_t value) { return builder.getInt32(value); }
  Value *of(Value *x) { return builder.CreateBitCast(x, builder.getInt32Ty()); }
  Value *magnitude(Value *bits) { return builder.CreateAnd(bits, u32(~signBit)); }

  /// A finite value other than zero as significand * 2^(exponent - bias - 23), with the significand
  /// in [2^23, 2^24) for subnormals too.
  struct Parts {
    Value *significand, *exponent;
  };
  Parts takeApart(Value *magnitude) {
    Value *field = builder.CreateLShr(magnitude, fractionBits);
    Value *isSubnormal = builder.CreateICmpEQ(field, u32(0));
    Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, magnitude, builder.getFalse());
    Value *shift =
        builder.CreateSelect(isSubnormal, builder.CreateSub(zeros, u32(31 - fractionBits)), u32(0));
    // Zero, infinity and NaN come here too, and their result isn't used; the shift must be defined.
    shift = builder.CreateAnd(shift, 31);
    Value *fraction = builder.CreateAnd(magnitude, u32(hiddenBit - 1));
    Value *normal = builder.CreateOr(fraction, u32(hiddenBit));
    Value *significand =
        builder.CreateShl(builder.CreateSelect(isSubnormal, magnitude, normal), shift);
    Value *exponent = builder.CreateSelect(isSubnormal, builder.CreateSub(u32(1), shift), field);
    return {significand, exponent};
  }

  /// Rounds significand * 2^(exponent - bias - 26), the significand in [2^26, 2^27) and its last bit
  /// set when anything was cut off below it, to the nearest float, ties to even.
  Value *round(Value *significand, Value *exponent) {
    Value *isSubnormal = builder.CreateICmpSLE(exponent, u32(0));
    Value *distance = builder.CreateSub(u32(1), exponent);
    distance = builder.CreateSelect(builder.CreateICmpSGT(distance, u32(31)), u32(31), distance);
    distance = builder.CreateSelect(isSubnormal, distance, u32(0));
    Value *kept = builder.CreateLShr(significand, distance);
    Value *lost = builder.CreateICmpNE(builder.CreateShl(kept, distance), significand);
    kept = builder.CreateOr(kept, builder.CreateZExt(lost, builder.getInt32Ty()));

    Value *result = builder.CreateLShr(kept, 3);
    Value *tail = builder.CreateAnd(kept, u32(7));
    Value *isOdd = builder.CreateAnd(result, u32(1));
    // Above half, or half and odd: tail + odd > 4.
    Value *up = builder.CreateICmpUGT(builder.CreateAdd(tail, isOdd), u32(4));
    result = builder.CreateAdd(result, builder.CreateZExt(up, builder.getInt32Ty()));
    // The hidden bit adds one to the exponent's field.
    Value *field = builder.CreateSelect(isSubnormal, u32(0), builder.CreateSub(exponent, u32(1)));
    result = builder.CreateAdd(result, builder.CreateShl(field, fractionBits));
    Value *tooLarge = builder.CreateICmpSGE(exponent, u32(2 * bias + 1));
    return builder.CreateSelect(tooLarge, u32(infinity), result);
  }

  Value *sticky(Value *remainder) {
    return builder.CreateZExt(builder.CreateICmpNE(remainder, u32(0)), builder.getInt32Ty());
  }

  IRBuilder<> builder;
};

/// floor(number / divisor) of a signed number and a positive divisor.
Value *floorDivide(IRBuilderBase &builder, Value *number, Value *divisor) {
  Value *isNegative = builder.CreateICmpSLT(number, builder.getInt32(0));
  // For -n this is (n + divisor - 1) / divisor, rounded up.
  Value *up = builder.CreateSub(builder.CreateSub(divisor, builder.getInt32(1)), number);
  Value *quotient = builder.CreateUDiv(builder.CreateSelect(isNegative, up, number), divisor);
  return builder.CreateSelect(isNegative, builder.CreateNeg(quotient), quotient);
}

Value *divide(Instruction &at, Value *x, Value *y) {
  Bits bits(at);
  IRBuilder<> &builder = bits.builder;
  Type *floating = builder.getFloatTy();
  Value *a = bits.of(x), *b = bits.of(y);
  Value *sign = builder.CreateAnd(builder.CreateXor(a, b), bits.u32(signBit));
  a = bits.magnitude(a);
  b = bits.magnitude(b);
  auto [ma, ea] = bits.takeApart(a);
  auto [mb, eb] = bits.takeApart(b);

  // The quotient of the significands with 25 bits after the point, in [2^24, 2^26). The estimate is
  // off by a few, so that the remainder is within 32 bits and may be worked out modulo 2^32.
  constexpr uint32_t pointBits = 25;
  Value *ratio =
      builder.CreateFDiv(builder.CreateUIToFP(ma, floating), builder.CreateUIToFP(mb, floating));
  Value *estimate = builder.CreateFPToUI(
      builder.CreateFMul(ratio, ConstantFP::get(floating, 1u << pointBits)), builder.getInt32Ty());
  Value *remainder =
      builder.CreateSub(builder.CreateShl(ma, pointBits), builder.CreateMul(estimate, mb));
  Value *correction = floorDivide(builder, remainder, mb);
  Value *quotient = builder.CreateAdd(estimate, correction);
  remainder = builder.CreateSub(remainder, builder.CreateMul(correction, mb));

  Value *belowOne = builder.CreateICmpULT(quotient, bits.u32(1u << pointBits));
  Value *exponent = builder.CreateAdd(builder.CreateSub(ea, eb), bits.u32(bias));
  exponent = builder.CreateSelect(belowOne, builder.CreateSub(exponent, bits.u32(1)), exponent);
  Value *significand = builder.CreateSelect(belowOne, builder.CreateShl(quotient, 2),
                                            builder.CreateShl(quotient, 1));
  significand = builder.CreateOr(significand, bits.sticky(remainder));
  Value *result = bits.round(significand, exponent);

  Value *zero = bits.u32(0), *infinite = bits.u32(infinity);
  Value *aIsZero = builder.CreateICmpEQ(a, zero), *bIsZero = builder.CreateICmpEQ(b, zero);
  Value *aIsInfinite = builder.CreateICmpEQ(a, infinite);
  Value *bIsInfinite = builder.CreateICmpEQ(b, infinite);
  result = builder.CreateSelect(builder.CreateOr(aIsInfinite, bIsZero), infinite, result);
  result = builder.CreateSelect(builder.CreateOr(aIsZero, bIsInfinite), zero, result);
  result = builder.CreateOr(result, sign);
  Value *isNan = builder.CreateOr(builder.CreateAnd(aIsZero, bIsZero),
                                  builder.CreateAnd(aIsInfinite, bIsInfinite));
  isNan = builder.CreateOr(isNan, builder.CreateICmpUGT(a, infinite));
  isNan = builder.CreateOr(isNan, builder.CreateICmpUGT(b, infinite));
  result = builder.CreateSelect(isNan, bits.u32(notANumber), result);
  return builder.CreateBitCast(result, floating);
}

Value *squareRoot(Instruction &at, Value *x) {
  Bits bits(at);
  IRBuilder<> &builder = bits.builder;
  Type *floating = builder.getFloatTy();
  Value *all = bits.of(x);
  Value *a = bits.magnitude(all);
  auto [significand, exponent] = bits.takeApart(a);

  // x = m * 2^(2k - 23) with m in [2^23, 2^25), and the root of m * 2^25 is in [2^24, 2^25).
  constexpr uint32_t pointBits = 24;
  Value *isOdd = builder.CreateICmpEQ(builder.CreateAnd(exponent, bits.u32(1)), bits.u32(0));
  Value *m = builder.CreateSelect(isOdd, builder.CreateShl(significand, 1), significand);
  Value *unbiased = builder.CreateSub(exponent, bits.u32(bias));
  Value *half = builder.CreateAShr(unbiased, 1); // rounds down, as an odd exponent needs
  Value *scaled = builder.CreateFMul(builder.CreateUIToFP(m, floating),
                                     ConstantFP::get(floating, 1.0 / hiddenBit));
  Value *estimate =
      builder.CreateFPToUI(builder.CreateFMul(builder.CreateUnaryIntrinsic(Intrinsic::sqrt, scaled),
                                              ConstantFP::get(floating, 1u << pointBits)),
                           builder.getInt32Ty());
  // What is left of m * 2^25 is within 32 bits and may be worked out modulo 2^32.
  Value *remainder = builder.CreateSub(builder.CreateShl(m, 2 * pointBits - fractionBits),
                                       builder.CreateMul(estimate, estimate));
  Value *twice = builder.CreateShl(estimate, 1);
  Value *correction = floorDivide(builder, remainder, twice);
  Value *root = builder.CreateAdd(estimate, correction);
  remainder = builder.CreateSub(remainder, builder.CreateMul(correction, twice));
  remainder = builder.CreateSub(remainder, builder.CreateMul(correction, correction));
  // The square of the correction, which the step left out, may make it one too many.
  Value *tooLarge = builder.CreateICmpSLT(remainder, bits.u32(0));
  remainder = builder.CreateSelect(
      tooLarge,
      builder.CreateAdd(remainder, builder.CreateSub(builder.CreateShl(root, 1), bits.u32(1))),
      remainder);
  root = builder.CreateSelect(tooLarge, builder.CreateSub(root, bits.u32(1)), root);

  Value *result = bits.round(builder.CreateOr(builder.CreateShl(root, 2), bits.sticky(remainder)),
                             builder.CreateAdd(half, bits.u32(bias)));
  // Zeros and positive infinity are their own roots.
  Value *isItself = builder.CreateOr(builder.CreateICmpEQ(a, bits.u32(0)),
                                     builder.CreateICmpEQ(all, bits.u32(infinity)));
  result = builder.CreateSelect(isItself, all, result);
  Value *isNegative = builder.CreateAnd(builder.CreateICmpSLT(all, bits.u32(0)),
                                        builder.CreateICmpNE(a, bits.u32(0)));
  Value *isNan = builder.CreateOr(isNegative, builder.CreateICmpUGT(a, bits.u32(infinity)));
  result = builder.CreateSelect(isNan, bits.u32(notANumber), result);
  return builder.CreateBitCast(result, floating);
}

/// Half's results are those of float, rounded once more: a float has more than twice the bits, so
/// that this changes nothing (Figueroa, "When is double rounding innocuous?", 1995).
Value *widened(IRBuilderBase &builder, Value *x) {
  return x->getType()->isHalfTy() ? builder.CreateFPExt(x, builder.getFloatTy()) : x;
}

bool isWanted(const Instruction &instruction) {
  Type *type = instruction.getType();
  if (!type->isFloatTy() && !type->isHalfTy())
    return false;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return instruction.getOpcode() == Instruction::FDiv ||
         (call && call->getIntrinsicID() == Intrinsic::sqrt);
}

} // namespace

void expandExactFloat(Function &function) {
  SmallVector<Instruction *> wanted;
  for (Instruction &instruction : instructions(function))
    if (isWanted(instruction))
      wanted.push_back(&instruction);
  for (Instruction *instruction : wanted) {
    IRBuilder<> builder(instruction);
    Value *x = widened(builder, instruction->getOperand(0));
    Value *result = nullptr;
    if (isa<BinaryOperator>(instruction))
      result = divide(*instruction, x, widened(builder, instruction->getOperand(1)));
    else
      result = squareRoot(*instruction, x);
    if (instruction->getType()->isHalfTy())
      result = builder.CreateFPTrunc(result, instruction->getType());
    instruction->replaceAllUsesWith(result);
    instruction->eraseFromParent();
  }
}

} // namespace khalc::shader

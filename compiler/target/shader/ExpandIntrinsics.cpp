//===- ExpandIntrinsics.cpp - LLVM intrinsics that no shader language has ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/ExpandIntrinsics.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace khalc::shader {

namespace {

/// Emits the expansion of one intrinsic call. Every method gives the call's new value.
class Expander {
public:
  explicit Expander(IntrinsicInst &call)
      : call(call), builder(&call), type(call.getType()),
        width(type->isIntegerTy() ? type->getIntegerBitWidth() : 0) {}

  /// The replacement, or null when a writer takes the intrinsic as it is.
  Value *expand();

private:
  Value *operand(unsigned i) { return call.getArgOperand(i); }
  Constant *number(uint64_t value) { return ConstantInt::get(type, value); }
  Value *low(Value *x) { return builder.CreateTrunc(x, builder.getInt32Ty()); }
  Value *high(Value *x) {
    return builder.CreateTrunc(builder.CreateLShr(x, 32), builder.getInt32Ty());
  }
  Value *widened(Value *x);
  /// A bit-counting or -reversing intrinsic of x.
  Value *count(Intrinsic::ID id, Value *x) {
    if (id == Intrinsic::ctlz || id == Intrinsic::cttz)
      return builder.CreateBinaryIntrinsic(id, x, builder.getFalse());
    return builder.CreateUnaryIntrinsic(id, x);
  }

  Value *minOrMax(CmpInst::Predicate predicate) {
    if (width == 32)
      return nullptr;
    return builder.CreateSelect(builder.CreateICmp(predicate, operand(0), operand(1)), operand(0),
                                operand(1));
  }
  Value *absolute() {
    if (width == 32)
      return nullptr;
    Value *negative = builder.CreateICmpSLT(operand(0), number(0));
    return builder.CreateSelect(negative, builder.CreateNeg(operand(0)), operand(0));
  }
  Value *popCount();
  Value *countZeros(bool leading);
  Value *reverseBits();
  Value *swapBytes();
  Value *funnelShift(bool left);
  Value *saturate(bool isSigned, bool add);
  Value *withOverflow();
  Value *multiplyHigh(Value *x, Value *y);
  Value *threeWay(bool isSigned);
  Value *copySign();
  Value *roundHalfAway();
  Value *minimumOrMaximum(bool minimum);
  Value *power();
  Value *scaled(Intrinsic::ID id, double before, double after);
  Value *classify();

  IntrinsicInst &call;
  IRBuilder<> builder;
  Type *type;
  unsigned width;
};

/// Narrow and odd widths work on the next width that has an expansion or is native.
Value *Expander::widened(Value *x) {
  return builder.CreateZExt(x, builder.getIntNTy(width < 32 ? 32 : 64));
}

Value *Expander::popCount() {
  Value *x = operand(0);
  if (width == 32)
    return nullptr;
  if (width != 64)
    return builder.CreateTrunc(count(Intrinsic::ctpop, widened(x)), type);
  Value *sum = builder.CreateAdd(count(Intrinsic::ctpop, low(x)), count(Intrinsic::ctpop, high(x)));
  return builder.CreateZExt(sum, type);
}

Value *Expander::countZeros(bool leading) {
  Value *x = operand(0);
  Intrinsic::ID id = leading ? Intrinsic::ctlz : Intrinsic::cttz;
  if (width == 32)
    return nullptr;
  if (width != 64) {
    Value *wide = widened(x);
    unsigned extra = wide->getType()->getIntegerBitWidth() - width;
    if (leading)
      return builder.CreateTrunc(
          builder.CreateSub(count(id, wide), ConstantInt::get(wide->getType(), extra)), type);
    // A bit above the value's own stops the count at its width.
    return builder.CreateTrunc(count(id, builder.CreateOr(wide, uint64_t(1) << width)), type);
  }
  Value *first = leading ? high(x) : low(x);
  Value *second = leading ? low(x) : high(x);
  Value *beyond = builder.CreateAdd(count(id, second), builder.getInt32(32));
  Value *isZero = builder.CreateICmpEQ(first, builder.getInt32(0));
  return builder.CreateZExt(builder.CreateSelect(isZero, beyond, count(id, first)), type);
}

Value *Expander::reverseBits() {
  Value *x = operand(0);
  if (width == 32)
    return nullptr;
  if (width != 64) {
    Value *reversed = count(Intrinsic::bitreverse, widened(x));
    unsigned extra = reversed->getType()->getIntegerBitWidth() - width;
    return builder.CreateTrunc(builder.CreateLShr(reversed, extra), type);
  }
  Value *top = builder.CreateZExt(count(Intrinsic::bitreverse, low(x)), type);
  Value *bottom = builder.CreateZExt(count(Intrinsic::bitreverse, high(x)), type);
  return builder.CreateOr(builder.CreateShl(top, 32), bottom);
}

Value *Expander::swapBytes() {
  Value *result = nullptr;
  for (unsigned byte = 0; byte < width / 8; ++byte) {
    Value *part = builder.CreateAnd(builder.CreateLShr(operand(0), 8 * byte), number(0xff));
    part = builder.CreateShl(part, width - 8 - 8 * byte);
    result = result ? builder.CreateOr(result, part) : part;
  }
  return result;
}

Value *Expander::funnelShift(bool left) {
  // The second shift is done in two steps, so that neither reaches the full width.
  Value *amount = builder.CreateAnd(operand(2), number(width - 1));
  Value *rest = builder.CreateSub(number(width - 1), amount);
  if (left)
    return builder.CreateOr(builder.CreateShl(operand(0), amount),
                            builder.CreateLShr(builder.CreateLShr(operand(1), 1), rest));
  return builder.CreateOr(builder.CreateShl(builder.CreateShl(operand(0), 1), rest),
                          builder.CreateLShr(operand(1), amount));
}

Value *Expander::saturate(bool isSigned, bool add) {
  Value *x = operand(0);
  Value *y = operand(1);
  Value *result = add ? builder.CreateAdd(x, y) : builder.CreateSub(x, y);
  if (!isSigned) {
    Value *wrapped = add ? builder.CreateICmpULT(result, x) : builder.CreateICmpULT(x, y);
    return builder.CreateSelect(wrapped, add ? Constant::getAllOnesValue(type) : number(0), result);
  }
  // Overflow: the result's sign differs from x's where (add) both agreed or (sub) they differed.
  Value *changed = builder.CreateXor(x, result);
  Value *relation = builder.CreateXor(x, y);
  if (add)
    relation = builder.CreateNot(relation);
  Value *overflow = builder.CreateICmpSLT(builder.CreateAnd(changed, relation), number(0));
  Value *limit = builder.CreateXor(builder.CreateAShr(x, width - 1),
                                   ConstantInt::get(type, APInt::getSignedMaxValue(width)));
  return builder.CreateSelect(overflow, limit, result);
}

/// The upper 64 bits of an unsigned 64 by 64 bit product, by four 32-bit ones (Knuth, TAOCP 4.3.1).
Value *Expander::multiplyHigh(Value *x, Value *y) {
  auto lower = [&](Value *v) { return builder.CreateAnd(v, 0xffffffffu); };
  auto upper = [&](Value *v) { return builder.CreateLShr(v, 32); };
  Value *x0 = lower(x), *x1 = upper(x), *y0 = lower(y), *y1 = upper(y);
  Value *carry = upper(builder.CreateMul(x0, y0));
  Value *middle = builder.CreateAdd(builder.CreateMul(x1, y0), carry);
  Value *other = builder.CreateAdd(builder.CreateMul(x0, y1), lower(middle));
  return builder.CreateAdd(builder.CreateMul(x1, y1),
                           builder.CreateAdd(upper(middle), upper(other)));
}

/// Only extractvalue uses the pair; each use is replaced by its half.
Value *Expander::withOverflow() {
  Value *x = operand(0);
  Value *y = operand(1);
  type = x->getType();
  width = type->getIntegerBitWidth();
  Value *result = nullptr;
  Value *overflow = nullptr;
  switch (call.getIntrinsicID()) {
  case Intrinsic::uadd_with_overflow:
    result = builder.CreateAdd(x, y);
    overflow = builder.CreateICmpULT(result, x);
    break;
  case Intrinsic::usub_with_overflow:
    result = builder.CreateSub(x, y);
    overflow = builder.CreateICmpULT(x, y);
    break;
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow: {
    bool add = call.getIntrinsicID() == Intrinsic::sadd_with_overflow;
    result = add ? builder.CreateAdd(x, y) : builder.CreateSub(x, y);
    Value *relation = builder.CreateXor(x, y);
    if (add)
      relation = builder.CreateNot(relation);
    overflow =
        builder.CreateICmpSLT(builder.CreateAnd(relation, builder.CreateXor(x, result)), number(0));
    break;
  }
  case Intrinsic::umul_with_overflow:
    result = builder.CreateMul(x, y);
    if (width == 64) {
      overflow = builder.CreateICmpNE(multiplyHigh(x, y), number(0));
    } else {
      Value *wide = builder.CreateMul(builder.CreateZExt(x, builder.getInt64Ty()),
                                      builder.CreateZExt(y, builder.getInt64Ty()));
      overflow = builder.CreateICmpNE(builder.CreateLShr(wide, width), builder.getInt64(0));
    }
    break;
  default: // smul
    result = builder.CreateMul(x, y);
    if (width == 64) {
      // signed high part = unsigned high part, less y where x < 0, less x where y < 0
      Value *top = multiplyHigh(x, y);
      top = builder.CreateSub(top, builder.CreateAnd(builder.CreateAShr(x, 63), y));
      top = builder.CreateSub(top, builder.CreateAnd(builder.CreateAShr(y, 63), x));
      overflow = builder.CreateICmpNE(top, builder.CreateAShr(result, 63));
    } else {
      Value *wide = builder.CreateMul(builder.CreateSExt(x, builder.getInt64Ty()),
                                      builder.CreateSExt(y, builder.getInt64Ty()));
      overflow = builder.CreateICmpNE(wide, builder.CreateSExt(result, builder.getInt64Ty()));
    }
  }
  SmallVector<User *> users(call.users());
  for (User *user : users) {
    if (auto *half = dyn_cast<ExtractValueInst>(user)) {
      half->replaceAllUsesWith(half->getIndices()[0] == 0 ? result : overflow);
      half->eraseFromParent();
    }
  }
  Value *pair = PoisonValue::get(call.getType());
  if (call.use_empty())
    return pair;
  pair = builder.CreateInsertValue(pair, result, 0);
  return builder.CreateInsertValue(pair, overflow, 1);
}

Value *Expander::threeWay(bool isSigned) {
  Value *less = isSigned ? builder.CreateICmpSLT(operand(0), operand(1))
                         : builder.CreateICmpULT(operand(0), operand(1));
  Value *greater = isSigned ? builder.CreateICmpSGT(operand(0), operand(1))
                            : builder.CreateICmpUGT(operand(0), operand(1));
  return builder.CreateSub(builder.CreateZExt(greater, type), builder.CreateZExt(less, type));
}

Value *Expander::copySign() {
  // By selection: lavapipe 22.3.6 gets `(x & 0x7fffffff) | (y & 0x80000000)` wrong.
  Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, operand(0));
  Value *bits = builder.CreateBitCast(operand(1), builder.getIntNTy(type->getScalarSizeInBits()));
  Value *negative = builder.CreateICmpSLT(bits, Constant::getNullValue(bits->getType()));
  return builder.CreateSelect(negative, builder.CreateFNeg(magnitude), magnitude);
}

/// C's round(): GLSL's leaves the direction of halves open.
Value *Expander::roundHalfAway() {
  Value *x = operand(0);
  Value *truncated = builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
  Value *rest = builder.CreateUnaryIntrinsic(Intrinsic::fabs, builder.CreateFSub(x, truncated));
  Value *away = builder.CreateFCmpOGE(rest, ConstantFP::get(type, 0.5));
  Value *step = builder.CreateSelect(away, ConstantFP::get(type, 1.0), ConstantFP::get(type, 0.0));
  Value *magnitude =
      builder.CreateFAdd(builder.CreateUnaryIntrinsic(Intrinsic::fabs, truncated), step);
  return builder.CreateBinaryIntrinsic(Intrinsic::copysign, magnitude, x);
}

/// IEEE 754-2019 minimum and maximum: NaN wins, and -0 is below +0.
Value *Expander::minimumOrMaximum(bool minimum) {
  Value *x = operand(0);
  Value *y = operand(1);
  Type *integer = builder.getIntNTy(type->getScalarSizeInBits());
  Value *xBits = builder.CreateBitCast(x, integer);
  Value *yBits = builder.CreateBitCast(y, integer);
  // Of equal values only zeros differ in bits: or gives -0, and gives +0.
  Value *equal = builder.CreateBitCast(
      minimum ? builder.CreateOr(xBits, yBits) : builder.CreateAnd(xBits, yBits), type);
  Value *first = minimum ? builder.CreateFCmpOLT(x, y) : builder.CreateFCmpOGT(x, y);
  Value *result = builder.CreateSelect(first, x, y);
  result = builder.CreateSelect(builder.CreateFCmpOEQ(x, y), equal, result);
  result = builder.CreateSelect(builder.CreateFCmpUNO(y, y), y, result);
  return builder.CreateSelect(builder.CreateFCmpUNO(x, x), x, result);
}

/// id(x * before) * after: logarithms and powers of ten by those of two.
Value *Expander::scaled(Intrinsic::ID id, double before, double after) {
  Value *x = builder.CreateFMul(operand(0), ConstantFP::get(type, before));
  return builder.CreateFMul(builder.CreateUnaryIntrinsic(id, x), ConstantFP::get(type, after));
}

/// C's pow: GLSL's is undefined below 0. Special cases as in C17 F.10.4.4.
Value *Expander::power() {
  Value *x = operand(0);
  Value *y = operand(1);
  Constant *one = ConstantFP::get(type, 1.0);
  Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  Value *logarithm = builder.CreateUnaryIntrinsic(Intrinsic::log2, magnitude);
  Value *result = builder.CreateUnaryIntrinsic(Intrinsic::exp2, builder.CreateFMul(y, logarithm));
  Value *half = builder.CreateFMul(y, ConstantFP::get(type, 0.5));
  Value *isWhole = builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::floor, y), y);
  Value *isOdd = builder.CreateAnd(
      isWhole, builder.CreateFCmpONE(builder.CreateUnaryIntrinsic(Intrinsic::floor, half), half));
  // A negative base gives the sign to odd powers, a result to whole ones and NaN to others.
  Value *negated = builder.CreateBinaryIntrinsic(Intrinsic::copysign, result, x);
  result = builder.CreateSelect(isOdd, negated, result);
  Value *isNegative = builder.CreateFCmpOLT(x, ConstantFP::get(type, 0.0));
  Value *isFinite = builder.CreateFCmpONE(magnitude, ConstantFP::getInfinity(type));
  Value *undefined =
      builder.CreateAnd(builder.CreateAnd(isNegative, isFinite), builder.CreateNot(isWhole));
  result = builder.CreateSelect(undefined, ConstantFP::getNaN(type), result);
  Value *isOne = builder.CreateOr(builder.CreateFCmpOEQ(x, one),
                                  builder.CreateFCmpOEQ(y, ConstantFP::get(type, 0.0)));
  Value *minusOne =
      builder.CreateAnd(builder.CreateFCmpOEQ(magnitude, one),
                        builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::fabs, y),
                                              ConstantFP::getInfinity(type)));
  return builder.CreateSelect(builder.CreateOr(isOne, minusOne), one, result);
}

/// llvm.is.fpclass by tests on the bits.
Value *Expander::classify() {
  Type *floating = operand(0)->getType();
  auto mask = static_cast<FPClassTest>(cast<ConstantInt>(operand(1))->getZExtValue());
  unsigned bits = floating->getScalarSizeInBits();
  const fltSemantics &semantics = floating->getFltSemantics();
  Type *integer = builder.getIntNTy(bits);
  Value *pattern = builder.CreateBitCast(operand(0), integer);
  Value *magnitude =
      builder.CreateAnd(pattern, ConstantInt::get(integer, APInt::getSignedMaxValue(bits)));
  Value *negative = builder.CreateICmpSLT(pattern, ConstantInt::get(integer, 0));
  Value *positive = builder.CreateNot(negative);
  Constant *infinity = ConstantInt::get(integer, APFloat::getInf(semantics).bitcastToAPInt());
  Constant *smallest =
      ConstantInt::get(integer, APFloat::getSmallestNormalized(semantics).bitcastToAPInt());
  Constant *quiet = ConstantInt::get(integer, APFloat::getQNaN(semantics).bitcastToAPInt());
  Constant *zero = ConstantInt::get(integer, 0);

  Value *isNan = builder.CreateICmpUGT(magnitude, infinity);
  Value *isQuiet = builder.CreateICmpUGE(magnitude, quiet);
  Value *isInfinite = builder.CreateICmpEQ(magnitude, infinity);
  Value *isZero = builder.CreateICmpEQ(magnitude, zero);
  Value *isSubnormal =
      builder.CreateAnd(builder.CreateNot(isZero), builder.CreateICmpULT(magnitude, smallest));
  Value *isNormal = builder.CreateAnd(builder.CreateICmpUGE(magnitude, smallest),
                                      builder.CreateICmpULT(magnitude, infinity));
  const std::pair<FPClassTest, Value *> tests[] = {
      {fcSNan, builder.CreateAnd(isNan, builder.CreateNot(isQuiet))},
      {fcQNan, isQuiet},
      {fcNegInf, builder.CreateAnd(isInfinite, negative)},
      {fcPosInf, builder.CreateAnd(isInfinite, positive)},
      {fcNegNormal, builder.CreateAnd(isNormal, negative)},
      {fcPosNormal, builder.CreateAnd(isNormal, positive)},
      {fcNegSubnormal, builder.CreateAnd(isSubnormal, negative)},
      {fcPosSubnormal, builder.CreateAnd(isSubnormal, positive)},
      {fcNegZero, builder.CreateAnd(isZero, negative)},
      {fcPosZero, builder.CreateAnd(isZero, positive)},
  };
  Value *result = builder.getFalse();
  for (auto [test, holds] : tests)
    if ((mask & test) != fcNone)
      result = builder.CreateOr(result, holds);
  return result;
}

Value *Expander::expand() {
  switch (call.getIntrinsicID()) {
  case Intrinsic::umin:
    return minOrMax(CmpInst::ICMP_ULT);
  case Intrinsic::umax:
    return minOrMax(CmpInst::ICMP_UGT);
  case Intrinsic::smin:
    return minOrMax(CmpInst::ICMP_SLT);
  case Intrinsic::smax:
    return minOrMax(CmpInst::ICMP_SGT);
  case Intrinsic::abs:
    return absolute();
  case Intrinsic::ctpop:
    return popCount();
  case Intrinsic::ctlz:
    return countZeros(true);
  case Intrinsic::cttz:
    return countZeros(false);
  case Intrinsic::bitreverse:
    return reverseBits();
  case Intrinsic::bswap:
    return swapBytes();
  case Intrinsic::fshl:
    return funnelShift(true);
  case Intrinsic::fshr:
    return funnelShift(false);
  case Intrinsic::uadd_sat:
    return saturate(false, true);
  case Intrinsic::usub_sat:
    return saturate(false, false);
  case Intrinsic::sadd_sat:
    return saturate(true, true);
  case Intrinsic::ssub_sat:
    return saturate(true, false);
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::smul_with_overflow:
    return withOverflow();
  case Intrinsic::ucmp:
    return threeWay(false);
  case Intrinsic::scmp:
    return threeWay(true);
  case Intrinsic::copysign:
    return copySign();
  case Intrinsic::round:
    return roundHalfAway();
  case Intrinsic::minimum:
    return minimumOrMaximum(true);
  case Intrinsic::maximum:
    return minimumOrMaximum(false);
  case Intrinsic::is_fpclass:
    return classify();
  case Intrinsic::pow:
    return power();
  case Intrinsic::log10:
    return scaled(Intrinsic::log2, 1.0, numbers::ln2 / numbers::ln10);
  case Intrinsic::exp10:
    return scaled(Intrinsic::exp2, numbers::ln10 / numbers::ln2, 1.0);
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::arithmetic_fence:
    return operand(0);
  default:
    return nullptr;
  }
}

} // namespace

void expandIntrinsics(Function &function) {
  // An expansion may use intrinsics that are expanded in their turn.
  SmallVector<IntrinsicInst *> calls;
  auto collect = [&] {
    calls.clear();
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        calls.push_back(call);
  };
  bool changed = true;
  while (changed) {
    changed = false;
    collect();
    for (IntrinsicInst *call : calls) {
      Value *replacement = Expander(*call).expand();
      if (!replacement)
        continue;
      call->replaceAllUsesWith(replacement);
      call->eraseFromParent();
      changed = true;
    }
  }
}

} // namespace khalc::shader

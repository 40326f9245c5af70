//===- SplitIntegers.cpp - 64-bit integers as pairs of words --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/SplitIntegers.h"

#include "diag/Diagnostics.h"
#include "ir/Passes.h"
#include "target/shader/ExpandIntrinsics.h"
#include "target/shader/Optimise.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/IntegerDivision.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace khalc::shader {

namespace {

bool isWide(const Type *type) {
  return type->isIntegerTy(64);
}

bool isWideOperation(const Instruction &instruction) {
  return isWide(instruction.getType()) ||
         any_of(instruction.operands(), [](const Use &use) { return isWide(use->getType()); });
}

void expandDivisions(Function &function) {
  SmallVector<BinaryOperator *> divisions;
  for (Instruction &instruction : instructions(function))
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      if (isWide(operation->getType()) && operation->isIntDivRem())
        divisions.push_back(operation);
  for (BinaryOperator *operation : divisions)
    if (operation->getOpcode() == Instruction::UDiv || operation->getOpcode() == Instruction::SDiv)
      expandDivision(operation);
    else
      expandRemainder(operation);
}

void lowerWideSwitches(Function &function) {
  if (none_of(instructions(function), [](const Instruction &instruction) {
        auto *choice = dyn_cast<SwitchInst>(&instruction);
        return choice && isWide(choice->getCondition()->getType());
      }))
    return;
  Passes analyses;
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass());
  passes.run(function, analyses.functions);
}

struct Pair {
  Value *low = nullptr;
  Value *high = nullptr;
};

class Splitter {
public:
  explicit Splitter(Function &function) : function(function) {}

  /// The first instruction that can't be done, or null.
  Instruction *run() {
    SmallVector<Instruction *> wide;
    ReversePostOrderTraversal<Function *> order(&function);
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block)
        if (isWideOperation(instruction))
          wide.push_back(&instruction);
    for (Instruction *instruction : wide)
      if (!split(*instruction))
        return instruction;
    for (PHINode *phi : phis) {
      const Pair made = pairs.lookup(phi);
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        const Pair incoming = pairOf(phi->getIncomingValue(i));
        cast<PHINode>(made.low)->addIncoming(incoming.low, phi->getIncomingBlock(i));
        cast<PHINode>(made.high)->addIncoming(incoming.high, phi->getIncomingBlock(i));
      }
    }
    for (Instruction *instruction : reverse(wide)) {
      if (!instruction->getType()->isVoidTy())
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
    return nullptr;
  }

private:
  IntegerType *word() { return Type::getInt32Ty(function.getContext()); }
  ConstantInt *number(uint32_t value) { return ConstantInt::get(word(), value); }

  Pair pairOf(Value *value) {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return {number(static_cast<uint32_t>(constant->getZExtValue())),
              number(static_cast<uint32_t>(constant->getZExtValue() >> 32))};
    if (isa<UndefValue>(value))
      return {number(0), number(0)};
    return pairs.lookup(value);
  }

  bool split(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    if (!isWide(instruction.getType())) {
      Value *result = narrowResult(builder, instruction);
      if (!result)
        return false;
      instruction.replaceAllUsesWith(result);
      return true;
    }
    const Pair result = wideResult(builder, instruction);
    if (!result.low)
      return false;
    pairs[&instruction] = result;
    return true;
  }

  Value *narrowResult(IRBuilderBase &builder, Instruction &instruction) {
    if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
      return compare(builder, *comparison);
    auto *cast = dyn_cast<CastInst>(&instruction);
    if (!cast)
      return nullptr;
    const Pair from = pairOf(cast->getOperand(0));
    switch (cast->getOpcode()) {
    case Instruction::Trunc:
      return builder.CreateTrunc(from.low, cast->getType());
    case Instruction::UIToFP:
      return unsignedToFloat(builder, from, cast->getType());
    case Instruction::SIToFP: {
      Value *isNegative = builder.CreateICmpSLT(from.high, number(0));
      Value *magnitude =
          unsignedToFloat(builder, absolute(builder, from, isNegative), cast->getType());
      return builder.CreateSelect(isNegative, builder.CreateFNeg(magnitude), magnitude);
    }
    default:
      return nullptr;
    }
  }

  Pair wideResult(IRBuilderBase &builder, Instruction &instruction) {
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      phis.push_back(phi);
      return {builder.CreatePHI(word(), phi->getNumIncomingValues(), phi->getName()),
              builder.CreatePHI(word(), phi->getNumIncomingValues(), phi->getName())};
    }
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      return choose(builder, select->getCondition(), pairOf(select->getTrueValue()),
                    pairOf(select->getFalseValue()));
    if (auto *freeze = dyn_cast<FreezeInst>(&instruction)) {
      const Pair value = pairOf(freeze->getOperand(0));
      return {builder.CreateFreeze(value.low), builder.CreateFreeze(value.high)};
    }
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      return compute(builder, *operation);
    if (auto *cast = dyn_cast<CastInst>(&instruction))
      return convert(builder, *cast);
    return {};
  }

  static Pair choose(IRBuilderBase &builder, Value *condition, Pair yes, Pair no) {
    return {builder.CreateSelect(condition, yes.low, no.low),
            builder.CreateSelect(condition, yes.high, no.high)};
  }

  // --- arithmetic -------------------------------------------------------------------------------

  Pair compute(IRBuilderBase &builder, BinaryOperator &operation) {
    const Pair a = pairOf(operation.getOperand(0)), b = pairOf(operation.getOperand(1));
    switch (operation.getOpcode()) {
    case Instruction::Add:
      return add(builder, a, b);
    case Instruction::Sub:
      return subtract(builder, a, b);
    case Instruction::Mul:
      return multiply(builder, a, b);
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return {builder.CreateBinOp(operation.getOpcode(), a.low, b.low),
              builder.CreateBinOp(operation.getOpcode(), a.high, b.high)};
    case Instruction::Shl:
      return shiftLeft(builder, a, b.low);
    case Instruction::LShr:
    case Instruction::AShr:
      return shiftRight(builder, a, b.low, operation.getOpcode() == Instruction::AShr);
    default:
      return {};
    }
  }

  Pair add(IRBuilderBase &builder, Pair a, Pair b) {
    Value *low = builder.CreateAdd(a.low, b.low);
    Value *carry = builder.CreateZExt(builder.CreateICmpULT(low, a.low), word());
    return {low, builder.CreateAdd(builder.CreateAdd(a.high, b.high), carry)};
  }

  Pair subtract(IRBuilderBase &builder, Pair a, Pair b) {
    Value *borrow = builder.CreateZExt(builder.CreateICmpULT(a.low, b.low), word());
    return {builder.CreateSub(a.low, b.low),
            builder.CreateSub(builder.CreateSub(a.high, b.high), borrow)};
  }

  /// The upper half of a product of words, by four products of half-words (Knuth, TAOCP 4.3.1).
  Value *multiplyHigh(IRBuilderBase &builder, Value *x, Value *y) {
    auto lower = [&](Value *v) { return builder.CreateAnd(v, 0xffff); };
    auto upper = [&](Value *v) { return builder.CreateLShr(v, 16); };
    Value *x0 = lower(x), *x1 = upper(x), *y0 = lower(y), *y1 = upper(y);
    Value *carry = upper(builder.CreateMul(x0, y0));
    Value *middle = builder.CreateAdd(builder.CreateMul(x1, y0), carry);
    Value *other = builder.CreateAdd(builder.CreateMul(x0, y1), lower(middle));
    return builder.CreateAdd(builder.CreateMul(x1, y1),
                             builder.CreateAdd(upper(middle), upper(other)));
  }

  Pair multiply(IRBuilderBase &builder, Pair a, Pair b) {
    Value *cross =
        builder.CreateAdd(builder.CreateMul(a.low, b.high), builder.CreateMul(a.high, b.low));
    return {builder.CreateMul(a.low, b.low),
            builder.CreateAdd(multiplyHigh(builder, a.low, b.low), cross)};
  }

  /// By less than a word, and by a word more where the amount's bit 5 is set. Bits that pass from
  /// one half to the other do so in two steps, so that no shift reaches the full width.
  Pair shiftLeft(IRBuilderBase &builder, Pair a, Value *amount) {
    if (auto *constant = dyn_cast<ConstantInt>(amount))
      return shiftLeftBy(builder, a, constant->getZExtValue());
    Value *part = builder.CreateAnd(amount, 31);
    Value *rest = builder.CreateXor(part, 31);
    Value *low = builder.CreateShl(a.low, part);
    Value *passing = builder.CreateLShr(builder.CreateLShr(a.low, 1), rest);
    Value *high = builder.CreateOr(builder.CreateShl(a.high, part), passing);
    Value *isLong = builder.CreateICmpNE(builder.CreateAnd(amount, 32), number(0));
    return choose(builder, isLong, {number(0), low}, {low, high});
  }

  Pair shiftLeftBy(IRBuilderBase &builder, Pair a, uint64_t amount) {
    if (amount == 0)
      return a;
    if (amount >= 32)
      return {number(0), amount == 32 ? a.low : builder.CreateShl(a.low, (amount - 32) & 31)};
    return {builder.CreateShl(a.low, amount),
            builder.CreateOr(builder.CreateShl(a.high, amount),
                             builder.CreateLShr(a.low, 32 - amount))};
  }

  Value *shiftWord(IRBuilderBase &builder, Value *value, Value *amount, bool isSigned) {
    return isSigned ? builder.CreateAShr(value, amount) : builder.CreateLShr(value, amount);
  }

  Pair shiftRight(IRBuilderBase &builder, Pair a, Value *amount, bool isSigned) {
    Value *fill = isSigned ? builder.CreateAShr(a.high, 31) : number(0);
    if (auto *constant = dyn_cast<ConstantInt>(amount)) {
      const uint64_t by = constant->getZExtValue();
      if (by == 0)
        return a;
      if (by == 32)
        return {a.high, fill};
      if (by > 32)
        return {shiftWord(builder, a.high, number((by - 32) & 31), isSigned), fill};
      return {builder.CreateOr(builder.CreateLShr(a.low, by), builder.CreateShl(a.high, 32 - by)),
              shiftWord(builder, a.high, number(static_cast<uint32_t>(by)), isSigned)};
    }
    Value *part = builder.CreateAnd(amount, 31);
    Value *rest = builder.CreateXor(part, 31);
    Value *high = shiftWord(builder, a.high, part, isSigned);
    Value *passing = builder.CreateShl(builder.CreateShl(a.high, 1), rest);
    Value *low = builder.CreateOr(builder.CreateLShr(a.low, part), passing);
    Value *isLong = builder.CreateICmpNE(builder.CreateAnd(amount, 32), number(0));
    return choose(builder, isLong, {high, fill}, {low, high});
  }

  Value *compare(IRBuilderBase &builder, ICmpInst &comparison) {
    const Pair a = pairOf(comparison.getOperand(0)), b = pairOf(comparison.getOperand(1));
    const CmpInst::Predicate predicate = comparison.getPredicate();
    Value *sameHigh = builder.CreateICmpEQ(a.high, b.high);
    if (comparison.isEquality()) {
      Value *same = builder.CreateAnd(sameHigh, builder.CreateICmpEQ(a.low, b.low));
      return predicate == CmpInst::ICMP_EQ ? same : builder.CreateNot(same);
    }
    Value *high = builder.CreateICmp(CmpInst::getStrictPredicate(predicate), a.high, b.high);
    Value *low = builder.CreateICmp(ICmpInst::getUnsignedPredicate(predicate), a.low, b.low);
    return builder.CreateOr(high, builder.CreateAnd(sameHigh, low));
  }

  // --- conversions ------------------------------------------------------------------------------

  Pair convert(IRBuilderBase &builder, CastInst &cast) {
    Value *from = cast.getOperand(0);
    switch (cast.getOpcode()) {
    case Instruction::ZExt:
      return {builder.CreateZExt(from, word()), number(0)};
    case Instruction::SExt: {
      Value *low = builder.CreateSExt(from, word());
      return {low, builder.CreateAShr(low, 31)};
    }
    case Instruction::FPToUI:
      return floatToUnsigned(builder, from);
    case Instruction::FPToSI: {
      Type *type = from->getType();
      Value *isNegative = builder.CreateFCmpOLT(from, ConstantFP::get(type, 0.0));
      Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, from);
      const Pair absolute = floatToUnsigned(builder, magnitude);
      return choose(builder, isNegative, subtract(builder, {number(0), number(0)}, absolute),
                    absolute);
    }
    default:
      return {};
    }
  }

  Pair absolute(IRBuilderBase &builder, Pair value, Value *isNegative) {
    return choose(builder, isNegative, subtract(builder, {number(0), number(0)}, value), value);
  }

  /// Rounded once: the leading 32 bits, whose last one says too whether any below were set, are more
  /// than a float holds. Scaling by a power of two is exact.
  Value *unsignedToFloat(IRBuilderBase &builder, Pair value, Type *type) {
    Type *single = builder.getFloatTy();
    Value *zeros = builder.CreateBinaryIntrinsic(Intrinsic::ctlz, value.high, builder.getFalse());
    const Pair normal = shiftLeft(builder, value, builder.CreateAnd(zeros, 31));
    Value *sticky = builder.CreateZExt(builder.CreateICmpNE(normal.low, number(0)), word());
    Value *leading = builder.CreateUIToFP(builder.CreateOr(normal.high, sticky), single);
    // 2 to the power of 32 - zeros
    Value *scale = builder.CreateShl(builder.CreateSub(number(127 + 32), zeros), 23);
    Value *large = builder.CreateFMul(leading, builder.CreateBitCast(scale, single));
    Value *isSmall = builder.CreateICmpEQ(value.high, number(0));
    Value *result = builder.CreateSelect(isSmall, builder.CreateUIToFP(value.low, single), large);
    return builder.CreateFPCast(result, type);
  }

  /// Toward zero; each step is exact, for a float has fewer bits than a word.
  Pair floatToUnsigned(IRBuilderBase &builder, Value *value) {
    Type *single = builder.getFloatTy();
    constexpr double wordRange = 4294967296.0;
    Value *wide = builder.CreateFPCast(value, single);
    Value *high = builder.CreateFPToUI(
        builder.CreateFMul(wide, ConstantFP::get(single, 1.0 / wordRange)), word());
    Value *rest = builder.CreateFSub(wide, builder.CreateFMul(builder.CreateUIToFP(high, single),
                                                              ConstantFP::get(single, wordRange)));
    return {builder.CreateFPToUI(rest, word()), high};
  }

  Function &function;
  DenseMap<const Value *, Pair> pairs;
  SmallVector<PHINode *> phis;
};

} // namespace

bool splitIntegers(Function &function, diag::Engine &diagnostics) {
  if (none_of(instructions(function), isWideOperation))
    return true;
  lowerWideSwitches(function);
  expandDivisions(function);
  expandIntrinsics(function); // LLVM's division counts leading zeros
  Instruction *fault = Splitter(function).run();
  if (fault) {
    diagnostics.report(diag::Id::shader_unsupported_instruction, *fault,
                       {std::string("'") + fault->getOpcodeName() + "' on a 64-bit integer",
                        "use 32-bit integers"});
    return false;
  }
  cleanUp(function);
  return true;
}

} // namespace khalc::shader

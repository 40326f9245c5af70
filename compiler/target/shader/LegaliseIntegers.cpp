//===- LegaliseIntegers.cpp - integers of the widths that shaders have ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/LegaliseIntegers.h"

#include "diag/Diagnostics.h"
#include "shader/Lowered.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <string>

using namespace llvm;

namespace khalc::shader {

namespace {

/// An odd value's legal forms; those that are needed are made right after it.
struct Forms {
  Value *raw = nullptr;    ///< with anything in the upper bits
  Value *clean = nullptr;  ///< with zeros there
  Value *wide = nullptr;   ///< with the sign there
  Value *stored = nullptr; ///< of its own type, where memory has that
};

class Legaliser {
public:
  Legaliser(Function &function, IntegerWidths widths) : function(function), widths(widths) {}

  /// The first instruction that can't be done, or null.
  Instruction *run() {
    SmallVector<Instruction *> odd;
    ReversePostOrderTraversal<Function *> order(&function);
    for (BasicBlock *block : order)
      for (Instruction &instruction : *block)
        if (isOddOperation(instruction))
          odd.push_back(&instruction);
    for (Instruction *instruction : odd)
      if (!legalise(*instruction))
        return instruction;
    for (auto [old, legal] : phis)
      for (unsigned i = 0; i < old->getNumIncomingValues(); ++i)
        legal->addIncoming(clean(old->getIncomingValue(i)), old->getIncomingBlock(i));
    for (Instruction *instruction : reverse(odd)) {
      if (kept.contains(instruction))
        continue;
      if (!instruction->getType()->isVoidTy())
        instruction->replaceAllUsesWith(PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
    return nullptr;
  }

private:
  bool isOdd(const Type *type) const {
    auto *integer = dyn_cast<IntegerType>(type);
    if (!integer || integer->getBitWidth() == 1)
      return false;
    return integer->getBitWidth() != legalWidth(integer->getBitWidth());
  }
  bool isOddOperation(const Instruction &instruction) const {
    if (isOdd(instruction.getType()))
      return true;
    return any_of(instruction.operands(), [&](const Use &use) { return isOdd(use->getType()); });
  }
  /// Odd to compute with, but memory and calls have it.
  bool isStored(const Type *type) const {
    return isOdd(type) && type->getIntegerBitWidth() >= widths.stored &&
           isPowerOf2_32(type->getIntegerBitWidth());
  }

  unsigned legalWidth(unsigned width) const {
    return width < widths.computed ? widths.computed : static_cast<unsigned>(PowerOf2Ceil(width));
  }
  IntegerType *legalType(Type *type) const {
    return IntegerType::get(type->getContext(), legalWidth(type->getIntegerBitWidth()));
  }

  /// Sets the builder right behind what a form is made of: it is needed wherever that is. What comes of
  /// constants is folded, and needs no place.
  static void moveBehind(IRBuilderBase &builder, Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return;
    BasicBlock *block = instruction->getParent();
    builder.SetInsertPoint(block, isa<PHINode>(instruction)
                                      ? block->getFirstInsertionPt()
                                      : std::next(instruction->getIterator()));
    builder.SetCurrentDebugLocation(instruction->getDebugLoc());
  }

  Constant *legalConstant(Constant *constant) const {
    IntegerType *legal = legalType(constant->getType());
    if (auto *number = dyn_cast<ConstantInt>(constant))
      return ConstantInt::get(legal, number->getValue().zext(legal->getBitWidth()));
    return isa<UndefValue>(constant) ? Constant::getNullValue(legal) : nullptr;
  }

  /// The legal value of an odd one, with anything in the upper bits; any other value itself.
  Value *raw(Value *value) {
    if (!isOdd(value->getType()))
      return value;
    if (auto *constant = dyn_cast<Constant>(value))
      return legalConstant(constant);
    Forms &forms = values[value];
    if (!forms.raw)
      forms.raw = forms.wide ? forms.wide : clean(value);
    return forms.raw;
  }

  /// The same with zeros in the upper bits.
  Value *clean(Value *value) {
    if (!isOdd(value->getType()))
      return value;
    if (auto *constant = dyn_cast<Constant>(value))
      return legalConstant(constant);
    Forms &forms = values[value];
    if (forms.clean)
      return forms.clean;
    Value *source = forms.raw ? forms.raw : forms.wide ? forms.wide : forms.stored;
    IRBuilder<> builder(function.getContext());
    moveBehind(builder, source);
    forms.clean = source == forms.stored ? builder.CreateZExt(source, legalType(value->getType()))
                                         : masked(builder, source, value->getType());
    return forms.clean;
  }

  /// Without an operation.
  bool isClean(Value *value) {
    if (!isOdd(value->getType()) || isa<Constant>(value))
      return true;
    const Forms &forms = values[value];
    return forms.clean || (!forms.raw && !forms.wide);
  }
  /// The best forms of two values that an operation treats bit by bit.
  void takeBits(Value *&left, Value *&right, bool isResultClean) {
    resultForm = isResultClean ? &Forms::clean : &Forms::raw;
    left = isClean(left) ? clean(left) : raw(left);
    right = isClean(right) ? clean(right) : raw(right);
  }

  /// The value in its own type, for memory.
  Value *stored(Value *value) {
    if (!isOdd(value->getType()) || isa<Constant>(value))
      return value;
    Forms &forms = values[value];
    if (!forms.stored) {
      Value *legal = raw(value);
      IRBuilder<> builder(function.getContext());
      moveBehind(builder, legal);
      forms.stored = builder.CreateTrunc(legal, value->getType());
    }
    return forms.stored;
  }

  Value *signExtended(IRBuilderBase &builder, Value *value) {
    if (!isOdd(value->getType()))
      return value;
    if (!isa<Constant>(value) && values[value].wide)
      return values[value].wide;
    if (isStored(value->getType()))
      return builder.CreateSExt(stored(value), legalType(value->getType()));
    Value *legal = raw(value);
    unsigned shift =
        legal->getType()->getIntegerBitWidth() - value->getType()->getIntegerBitWidth();
    return builder.CreateAShr(builder.CreateShl(legal, shift), shift);
  }

  static Value *masked(IRBuilderBase &builder, Value *legal, Type *odd) {
    unsigned width = odd->getIntegerBitWidth();
    unsigned legalWidth = legal->getType()->getIntegerBitWidth();
    return builder.CreateAnd(
        legal, ConstantInt::get(legal->getType(), APInt::getLowBitsSet(legalWidth, width)));
  }

  bool legalise(Instruction &instruction) {
    if (isMemoryOrCall(instruction))
      return keep(instruction);
    IRBuilder<> builder(&instruction);
    resultForm = &Forms::raw;
    Value *result = rewrite(builder, instruction);
    if (!result)
      return false;
    if (isOdd(instruction.getType()))
      values[&instruction].*resultForm = result;
    else if (!isa<SwitchInst>(instruction))
      instruction.replaceAllUsesWith(result);
    return true;
  }

  /// Loads, stores, calls and what else doesn't compute.
  bool isMemoryOrCall(const Instruction &instruction) const {
    if (isa<BitCastInst>(instruction)) // of a half
      return widths.stored <= 16;
    return !isa<PHINode, SelectInst, FreezeInst, ICmpInst, CastInst, BinaryOperator, SwitchInst>(
        instruction);
  }
  /// Leaves the instruction, with operands of its own types.
  bool keep(Instruction &instruction) {
    if (isOdd(instruction.getType())) {
      if (!isStored(instruction.getType()))
        return false;
      values[&instruction].stored = &instruction;
    }
    for (Use &operand : instruction.operands()) {
      if (!isOdd(operand->getType()))
        continue;
      if (!isStored(operand->getType()))
        return false;
      operand.set(stored(operand.get()));
    }
    kept.insert(&instruction);
    return true;
  }

  /// A legal form; `resultForm` is which.
  Value *rewrite(IRBuilderBase &builder, Instruction &instruction) {
    Type *type = instruction.getType();
    for (const Use &operand : instruction.operands())
      if (isOdd(operand->getType()) && operand->getType()->getIntegerBitWidth() > 64)
        return nullptr;
    if (isOdd(type) && type->getIntegerBitWidth() > 64)
      return nullptr;
    if (auto *phi = dyn_cast<PHINode>(&instruction)) {
      PHINode *legal = builder.CreatePHI(legalType(type), phi->getNumIncomingValues());
      phis.emplace_back(phi, legal);
      resultForm = &Forms::clean;
      return legal;
    }
    if (auto *select = dyn_cast<SelectInst>(&instruction)) {
      Value *left = select->getTrueValue(), *right = select->getFalseValue();
      takeBits(left, right, isClean(left) && isClean(right));
      return builder.CreateSelect(select->getCondition(), left, right);
    }
    if (auto *freeze = dyn_cast<FreezeInst>(&instruction))
      return builder.CreateFreeze(raw(freeze->getOperand(0)));
    if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
      return compare(builder, *comparison);
    if (auto *cast = dyn_cast<CastInst>(&instruction))
      return convert(builder, *cast);
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      return compute(builder, *operation);
    auto &choice = cast<SwitchInst>(instruction);
    SwitchInst *legal = builder.CreateSwitch(clean(choice.getCondition()), choice.getDefaultDest(),
                                             choice.getNumCases());
    for (auto &branch : choice.cases())
      legal->addCase(cast<ConstantInt>(clean(branch.getCaseValue())), branch.getCaseSuccessor());
    return legal;
  }

  Value *compare(IRBuilderBase &builder, ICmpInst &comparison) {
    if (comparison.isSigned())
      return builder.CreateICmp(comparison.getPredicate(),
                                signExtended(builder, comparison.getOperand(0)),
                                signExtended(builder, comparison.getOperand(1)));
    return builder.CreateICmp(comparison.getPredicate(), clean(comparison.getOperand(0)),
                              clean(comparison.getOperand(1)));
  }

  Value *convert(IRBuilderBase &builder, CastInst &cast) {
    Value *from = cast.getOperand(0);
    Type *to = isOdd(cast.getType()) ? legalType(cast.getType()) : cast.getType();
    if (isa<SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst>(cast)) {
      Value *legal = isa<SIToFPInst>(cast) ? signExtended(builder, from) : clean(from);
      return builder.CreateCast(cast.getOpcode(), legal, to);
    }
    if (isa<BitCastInst>(cast))
      return convertHalf(builder, cast);
    if (isa<TruncInst>(cast))
      return builder.CreateZExtOrTrunc(raw(from), to);
    if (isa<SExtInst>(cast)) {
      resultForm = &Forms::wide;
      return builder.CreateSExtOrTrunc(signExtended(builder, from), to);
    }
    if (!isa<ZExtInst>(cast))
      return nullptr;
    resultForm = &Forms::clean;
    return builder.CreateZExtOrTrunc(clean(from), to);
  }

  /// Between a half and the 16 bits that it is.
  Value *convertHalf(IRBuilderBase &builder, CastInst &cast) {
    Module &module = *function.getParent();
    Type *half = builder.getHalfTy();
    Type *bits = builder.getInt32Ty();
    if (cast.getSrcTy() == half)
      return builder.CreateCall(module.getOrInsertFunction(bitsFromHalfFunction, bits, half),
                                cast.getOperand(0));
    if (cast.getDestTy() == half)
      return builder.CreateCall(module.getOrInsertFunction(halfFromBitsFunction, half, bits),
                                clean(cast.getOperand(0)));
    return nullptr;
  }

  Value *compute(IRBuilderBase &builder, BinaryOperator &operation) {
    Value *left = operation.getOperand(0), *right = operation.getOperand(1);
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul: // what is in the upper bits stays there
      left = raw(left);
      right = raw(right);
      break;
    case Instruction::And:
      takeBits(left, right, isClean(left) || isClean(right));
      break;
    case Instruction::Or:
    case Instruction::Xor:
      takeBits(left, right, isClean(left) && isClean(right));
      break;
    case Instruction::Shl:
      left = raw(left);
      right = clean(right);
      break;
    case Instruction::SDiv:
    case Instruction::SRem:
      left = signExtended(builder, left);
      right = signExtended(builder, right);
      resultForm = &Forms::wide;
      break;
    case Instruction::AShr: // a shift's amount is never negative
      left = signExtended(builder, left);
      right = clean(right);
      resultForm = &Forms::wide;
      break;
    default: // LShr, UDiv, URem
      left = clean(left);
      right = clean(right);
      resultForm = &Forms::clean;
    }
    return builder.CreateBinOp(operation.getOpcode(), left, right);
  }

  Function &function;
  const IntegerWidths widths;
  Value *Forms::*resultForm = &Forms::raw; ///< of what rewrite() has made
  DenseMap<Value *, Forms> values;
  SmallVector<std::pair<PHINode *, PHINode *>> phis;
  SmallPtrSet<Instruction *, 16> kept;
};

} // namespace

bool legaliseIntegers(Function &function, diag::Engine &diagnostics, IntegerWidths widths) {
  Instruction *fault = Legaliser(function, widths).run();
  if (!fault)
    return true;
  diagnostics.report(diag::Id::shader_unsupported_instruction, *fault,
                     {std::string("'") + fault->getOpcodeName() + "' on an integer of this width",
                      "use integers of at most 64 bits"});
  return false;
}

} // namespace khalc::shader

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
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <string>

using namespace llvm;

namespace khalc::shader {

namespace {

class Legaliser {
public:
  Legaliser(Function &function, unsigned narrowest) : function(function), narrowest(narrowest) {}

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

  unsigned legalWidth(unsigned width) const {
    return width < narrowest ? narrowest : static_cast<unsigned>(PowerOf2Ceil(width));
  }
  IntegerType *legalType(Type *type) const {
    return IntegerType::get(type->getContext(), legalWidth(type->getIntegerBitWidth()));
  }

  /// The legal value of an odd one, upper bits zero; any other value itself.
  Value *clean(Value *value) {
    if (!isOdd(value->getType()))
      return value;
    if (auto *constant = dyn_cast<ConstantInt>(value)) {
      IntegerType *legal = legalType(value->getType());
      return ConstantInt::get(legal, constant->getValue().zext(legal->getBitWidth()));
    }
    if (isa<UndefValue>(value))
      return Constant::getNullValue(legalType(value->getType()));
    return values.lookup(value);
  }

  Value *signExtended(IRBuilderBase &builder, Value *value) {
    Value *legal = clean(value);
    if (!isOdd(value->getType()))
      return legal;
    unsigned shift =
        legal->getType()->getIntegerBitWidth() - value->getType()->getIntegerBitWidth();
    return builder.CreateAShr(builder.CreateShl(legal, shift), shift);
  }

  Value *masked(IRBuilderBase &builder, Value *legal, Type *odd) {
    unsigned width = odd->getIntegerBitWidth();
    unsigned legalWidth = legal->getType()->getIntegerBitWidth();
    return builder.CreateAnd(
        legal, ConstantInt::get(legal->getType(), APInt::getLowBitsSet(legalWidth, width)));
  }

  bool legalise(Instruction &instruction) {
    IRBuilder<> builder(&instruction);
    Value *result = rewrite(builder, instruction);
    if (!result)
      return false;
    if (isOdd(instruction.getType()))
      values[&instruction] = result;
    else if (!isa<SwitchInst>(instruction))
      instruction.replaceAllUsesWith(result);
    return true;
  }

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
      return legal;
    }
    if (auto *select = dyn_cast<SelectInst>(&instruction))
      return builder.CreateSelect(select->getCondition(), clean(select->getTrueValue()),
                                  clean(select->getFalseValue()));
    if (auto *freeze = dyn_cast<FreezeInst>(&instruction))
      return builder.CreateFreeze(clean(freeze->getOperand(0)));
    if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
      return compare(builder, *comparison);
    if (auto *cast = dyn_cast<CastInst>(&instruction))
      return convert(builder, *cast);
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      return compute(builder, *operation);
    if (auto *choice = dyn_cast<SwitchInst>(&instruction)) {
      SwitchInst *legal = builder.CreateSwitch(clean(choice->getCondition()),
                                               choice->getDefaultDest(), choice->getNumCases());
      for (auto &branch : choice->cases())
        legal->addCase(cast<ConstantInt>(clean(branch.getCaseValue())), branch.getCaseSuccessor());
      return legal;
    }
    return nullptr;
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
    bool isSigned = isa<SExtInst, SIToFPInst>(cast);
    Value *legal = isSigned ? signExtended(builder, from) : clean(from);
    if (isa<SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst>(cast)) {
      Value *converted = builder.CreateCast(cast.getOpcode(), legal, to);
      return isOdd(cast.getType()) ? masked(builder, converted, cast.getType()) : converted;
    }
    if (isa<BitCastInst>(cast))
      return convertHalf(builder, cast);
    if (!isa<ZExtInst, SExtInst, TruncInst>(cast))
      return nullptr;
    Value *resized =
        isSigned ? builder.CreateSExtOrTrunc(legal, to) : builder.CreateZExtOrTrunc(legal, to);
    return isOdd(cast.getType()) && !isa<ZExtInst>(cast) ? masked(builder, resized, cast.getType())
                                                         : resized;
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
    bool isSigned = false;
    switch (operation.getOpcode()) {
    case Instruction::SDiv:
    case Instruction::SRem:
    case Instruction::AShr:
      isSigned = true;
      break;
    default:
      break;
    }
    Value *left =
        isSigned ? signExtended(builder, operation.getOperand(0)) : clean(operation.getOperand(0));
    // A shift's amount is never negative.
    Value *right = isSigned && operation.getOpcode() != Instruction::AShr
                       ? signExtended(builder, operation.getOperand(1))
                       : clean(operation.getOperand(1));
    return masked(builder, builder.CreateBinOp(operation.getOpcode(), left, right),
                  operation.getType());
  }

  Function &function;
  const unsigned narrowest; ///< of legal widths
  DenseMap<Value *, Value *> values;
  SmallVector<std::pair<PHINode *, PHINode *>> phis;
};

} // namespace

bool legaliseIntegers(Function &function, diag::Engine &diagnostics, unsigned narrowest) {
  Instruction *fault = Legaliser(function, narrowest).run();
  if (!fault)
    return true;
  diagnostics.report(diag::Id::shader_unsupported_instruction, *fault,
                     {std::string("'") + fault->getOpcodeName() + "' on an integer of this width",
                      "use integers of at most 64 bits"});
  return false;
}

} // namespace khalc::shader

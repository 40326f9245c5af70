//===- Maths.cpp - maths functions that PTX has no instruction for ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/Maths.h"

#include "diag/Diagnostics.h"
#include "ir/MathIntrinsics.h"
#include "ir/Prepare.h"
#include "target/nvptx/MathLibrary.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

/// C's name for an intrinsic that PTX has no instruction for; empty for all others.
StringRef functionFor(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::llround:
  case Intrinsic::lround:
    return "llround";
  case Intrinsic::llrint:
  case Intrinsic::lrint:
    return "llrint";
  case Intrinsic::modf:
    return "modf";
  case Intrinsic::powi:
    return "powi";
  case Intrinsic::sincos:
    return "sincos";
  default:
    return mathFunctionFor(intrinsic);
  }
}

/// The intrinsic that is the same as a C function, for those with an instruction or a short
/// expansion in the backend.
Intrinsic::ID intrinsicFor(StringRef function) {
  return StringSwitch<Intrinsic::ID>(function)
      .Case("ceil", Intrinsic::ceil)
      .Case("copysign", Intrinsic::copysign)
      .Case("fabs", Intrinsic::fabs)
      .Case("floor", Intrinsic::floor)
      .Case("fma", Intrinsic::fma)
      .Case("fmax", Intrinsic::maxnum)
      .Case("fmin", Intrinsic::minnum)
      .Case("nearbyint", Intrinsic::nearbyint)
      .Case("rint", Intrinsic::rint)
      .Case("round", Intrinsic::round)
      .Case("sqrt", Intrinsic::sqrt)
      .Case("trunc", Intrinsic::trunc)
      .Default(Intrinsic::not_intrinsic);
}

class MathLowering {
public:
  MathLowering(Module &module, diag::Engine &diagnostics)
      : module(module), diagnostics(diagnostics) {}

  void run(Function &entry) {
    for (Instruction &instruction : make_early_inc_range(instructions(entry)))
      visit(instruction);
  }

  /// Once all entries are lowered.
  bool finish() {
    if (missingLibrary) {
      diagnostics.report(diag::Id::ptx_math_library_missing,
                         ArrayRef<std::string>(missingFunction));
      return false;
    }
    return !library || library->linkInto(module, diagnostics);
  }

private:
  void visit(Instruction &instruction) {
    if (auto *floating = dyn_cast<FPMathOperator>(&instruction);
        floating && instruction.getType()->isFloatTy())
      if (Value *result = approximate(instruction)) {
        instruction.replaceAllUsesWith(result);
        instruction.eraseFromParent();
        return;
      }
    if (instruction.getOpcode() == Instruction::FRem)
      return replace(instruction, "fmod", {instruction.getOperand(0), instruction.getOperand(1)});
    auto *call = dyn_cast<CallInst>(&instruction);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      return;
    SmallVector<Value *> arguments(call->args());
    if (StringRef function = functionFor(callee->getIntrinsicID()); !function.empty())
      return replace(instruction, function, arguments);
    if (callee->isDeclaration() && isMathFunction(*callee)) {
      StringRef function = callee->getName();
      if (arguments[0]->getType()->isFloatTy())
        function = function.drop_back();
      replace(instruction, function, arguments);
    }
  }

  /// The special function unit's instructions where the program allows their error; null elsewhere.
  Value *approximate(Instruction &instruction) {
    using namespace PatternMatch;
    IRBuilder<> builder(&instruction);
    builder.setFastMathFlags(instruction.getFastMathFlags());
    Value *x = nullptr;
    auto unary = [&](Intrinsic::ID function, Value *operand) -> Value * {
      return builder.CreateIntrinsic(operand->getType(), function, {operand});
    };
    bool isFast = instruction.hasApproxFunc(); // subnormals are zero then, too
    if (instruction.hasAllowReciprocal() &&
        match(&instruction, m_FDiv(m_FPOne(), m_Sqrt(m_Value(x)))))
      return unary(isFast ? Intrinsic::nvvm_rsqrt_approx_ftz_f : Intrinsic::nvvm_rsqrt_approx_f, x);
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || !isFast)
      return nullptr;
    x = call->getArgOperand(0);
    auto scaled = [&](Value *value, double factor) {
      return builder.CreateFMul(value, ConstantFP::get(value->getType(), factor));
    };
    constexpr Intrinsic::ID exp2 = Intrinsic::nvvm_ex2_approx_ftz;
    constexpr Intrinsic::ID log2 = Intrinsic::nvvm_lg2_approx_ftz_f;
    constexpr Intrinsic::ID sin = Intrinsic::nvvm_sin_approx_ftz_f;
    constexpr Intrinsic::ID cos = Intrinsic::nvvm_cos_approx_ftz_f;
    switch (call->getIntrinsicID()) {
    case Intrinsic::exp2:
      return unary(exp2, x);
    case Intrinsic::exp:
      return unary(exp2, scaled(x, numbers::log2e));
    case Intrinsic::exp10:
      return unary(exp2, scaled(x, numbers::ln10 / numbers::ln2));
    case Intrinsic::log2:
      return unary(log2, x);
    case Intrinsic::log:
      return scaled(unary(log2, x), numbers::ln2);
    case Intrinsic::log10:
      return scaled(unary(log2, x), numbers::ln2 / numbers::ln10);
    case Intrinsic::sin:
      return unary(sin, x);
    case Intrinsic::cos:
      return unary(cos, x);
    case Intrinsic::tan:
      return builder.CreateFDiv(unary(sin, x), unary(cos, x));
    default:
      return nullptr;
    }
  }

  void replace(Instruction &instruction, StringRef function, ArrayRef<Value *> arguments) {
    IRBuilder<> builder(&instruction);
    if (isa<FPMathOperator>(instruction))
      builder.setFastMathFlags(instruction.getFastMathFlags());
    Value *result = emitAnyWidth(builder, function, arguments, instruction.getType());
    if (!instruction.getType()->isVoidTy())
      instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }

  /// Vectors element by element, half precision in single.
  Value *emitAnyWidth(IRBuilder<> &builder, StringRef function, ArrayRef<Value *> arguments,
                      Type *result) {
    Type *operand = arguments[0]->getType();
    if (auto *vector = dyn_cast<FixedVectorType>(operand)) {
      Value *whole = PoisonValue::get(result);
      for (unsigned i = 0; i < vector->getNumElements(); ++i) {
        SmallVector<Value *> elements;
        for (Value *argument : arguments)
          elements.push_back(argument->getType()->isVectorTy()
                                 ? builder.CreateExtractElement(argument, i)
                                 : argument);
        whole = insertElement(builder, whole,
                              emitAnyWidth(builder, function, elements, elementOf(result)), i);
      }
      return whole;
    }
    if (operand->isHalfTy() || operand->isBFloatTy()) {
      SmallVector<Value *> wide;
      for (Value *argument : arguments)
        wide.push_back(argument->getType()->isFloatingPointTy()
                           ? builder.CreateFPExt(argument, builder.getFloatTy())
                           : argument);
      return narrow(builder, emit(builder, function, wide, widened(result, builder.getFloatTy())),
                    result);
    }
    return emit(builder, function, arguments, result);
  }

  // modf and sincos give two results: a struct of scalars, or of vectors.
  static Type *elementOf(Type *type) {
    if (auto *pair = dyn_cast<StructType>(type))
      return StructType::get(elementOf(pair->getElementType(0)),
                             elementOf(pair->getElementType(1)));
    return type->getScalarType();
  }

  static Type *widened(Type *type, Type *wide) {
    if (auto *pair = dyn_cast<StructType>(type))
      return StructType::get(
          wide, pair->getElementType(1)->isFloatingPointTy() ? wide : pair->getElementType(1));
    return type->isFloatingPointTy() ? wide : type;
  }

  static Value *insertElement(IRBuilder<> &builder, Value *whole, Value *element, unsigned index) {
    if (!whole->getType()->isStructTy())
      return builder.CreateInsertElement(whole, element, index);
    for (unsigned part : {0u, 1u})
      whole = builder.CreateInsertValue(
          whole,
          builder.CreateInsertElement(builder.CreateExtractValue(whole, part),
                                      builder.CreateExtractValue(element, part), index),
          part);
    return whole;
  }

  static Value *narrow(IRBuilder<> &builder, Value *value, Type *type) {
    if (auto *pair = dyn_cast<StructType>(type)) {
      Value *whole = PoisonValue::get(type);
      for (unsigned part : {0u, 1u})
        whole = builder.CreateInsertValue(
            whole,
            narrow(builder, builder.CreateExtractValue(value, part), pair->getElementType(part)),
            part);
      return whole;
    }
    return type->isFloatingPointTy() ? builder.CreateFPTrunc(value, type) : value;
  }

  Value *emit(IRBuilder<> &builder, StringRef function, ArrayRef<Value *> arguments, Type *result) {
    Value *x = arguments[0];
    Type *type = x->getType();
    if (Intrinsic::ID intrinsic = intrinsicFor(function))
      return builder.CreateIntrinsic(intrinsic, {type}, arguments);
    if (function == "llround" || function == "llrint")
      return builder.CreateFPToSI(
          builder.CreateUnaryIntrinsic(function == "llround" ? Intrinsic::round : Intrinsic::rint,
                                       x),
          result);
    if (function == "ldexp" || function == "scalbn")
      return builder.CreateLdexp(x, arguments[1]);
    if (function == "powi")
      return callLibrary(builder, "pow", {x, builder.CreateSIToFP(arguments[1], type)}, type);
    if (function == "frexp") {
      Value *parts = builder.CreateIntrinsic(Intrinsic::frexp, {type, builder.getInt32Ty()}, {x});
      builder.CreateStore(builder.CreateExtractValue(parts, 1), arguments[1]);
      return builder.CreateExtractValue(parts, 0);
    }
    if (function == "modf")
      return emitModf(builder, arguments);
    if (function == "sincos")
      return emitSinCos(builder, arguments);
    return callLibrary(builder, function, arguments, result);
  }

  /// As the intrinsic, whose result is both parts, or as C's function, which stores the whole one.
  Value *emitModf(IRBuilder<> &builder, ArrayRef<Value *> arguments) {
    Value *x = arguments[0];
    Type *type = x->getType();
    Value *whole = builder.CreateUnaryIntrinsic(Intrinsic::trunc, x);
    Value *infinite = builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(Intrinsic::fabs, x),
                                            ConstantFP::getInfinity(type));
    Value *rest =
        builder.CreateSelect(infinite, ConstantFP::getZero(type), builder.CreateFSub(x, whole));
    Value *fraction = builder.CreateBinaryIntrinsic(Intrinsic::copysign, rest, x);
    if (arguments.size() == 1)
      return makePair(builder, fraction, whole);
    builder.CreateStore(whole, arguments[1]);
    return fraction;
  }

  Value *emitSinCos(IRBuilder<> &builder, ArrayRef<Value *> arguments) {
    Value *x = arguments[0];
    Value *sine = callLibrary(builder, "sin", {x}, x->getType());
    Value *cosine = callLibrary(builder, "cos", {x}, x->getType());
    if (arguments.size() == 1)
      return makePair(builder, sine, cosine);
    builder.CreateStore(sine, arguments[1]);
    builder.CreateStore(cosine, arguments[2]);
    return nullptr;
  }

  static Value *makePair(IRBuilder<> &builder, Value *first, Value *second) {
    Value *pair = PoisonValue::get(StructType::get(first->getType(), second->getType()));
    return builder.CreateInsertValue(builder.CreateInsertValue(pair, first, 0), second, 1);
  }

  Value *callLibrary(IRBuilder<> &builder, StringRef function, ArrayRef<Value *> arguments,
                     Type *result) {
    if (!library && !missingLibrary) {
      library = MathLibrary::find();
      if (!library) {
        missingLibrary = true;
        missingFunction = function.str();
      }
    }
    if (!library)
      return PoisonValue::get(result);
    SmallVector<Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    FunctionType *type = FunctionType::get(result, types, false);
    FunctionCallee callee = module.getOrInsertFunction(library->symbol(function, type), type);
    return builder.CreateCall(callee, arguments);
  }

  Module &module;
  diag::Engine &diagnostics;
  std::optional<MathLibrary> library;
  bool missingLibrary = false;
  std::string missingFunction;
};

} // namespace

bool lowerMaths(Module &module, ArrayRef<Function *> entries, diag::Engine &diagnostics) {
  MathLowering lowering(module, diagnostics);
  for (Function *entry : entries)
    lowering.run(*entry);
  return lowering.finish();
}

} // namespace khalc::nvptx

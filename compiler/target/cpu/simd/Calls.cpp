//===- Calls.cpp - calls for all lanes --------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/InstructionEmitter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::cpu::simd {

namespace {

/// The C name, for double, of a function that glibc's libmvec has had from the start (2.22): an
/// object may be linked with an older library than the one here. Empty for others.
StringRef libmvecName(const CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::log:
    return "log";
  case Intrinsic::pow:
    return "pow";
  default:
    return {};
  }
}

/// The vector ABI's letter for registers of so many bits.
char vectorAbiLetter(unsigned bits) {
  return bits == 512 ? 'e' : bits == 256 ? 'd' : 'b';
}

/// Elements `first` to `first + count - 1`; no value at all behind the end.
Value *slice(IRBuilder<> &builder, Value *vector, unsigned first, unsigned count) {
  unsigned available = cast<FixedVectorType>(vector->getType())->getNumElements();
  if (first == 0 && count == available)
    return vector;
  SmallVector<int> places;
  for (unsigned i = first; i < first + count; ++i)
    places.push_back(i < available ? static_cast<int>(i) : PoisonMaskElem);
  return builder.CreateShuffleVector(vector, places);
}

} // namespace

void InstructionEmitter::emitCall(const CallInst &call, Mask mask) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (intrinsic && (intrinsic->isAssumeLikeIntrinsic() || intrinsic->isLifetimeStartOrEnd()))
    return;
  if (intrinsic && intrinsic->getIntrinsicID() == Intrinsic::trap) {
    builder.Insert(call.clone());
    return;
  }
  if (!call.getType()->isVoidTy() && lanes.shapeOf(&call).isUniform()) {
    Instruction *copy = call.clone();
    for (Use &argument : cast<CallInst>(copy)->args())
      argument.set(lanes.scalar(argument));
    lanes.setScalar(&call, builder.Insert(copy, call.getName()));
    return;
  }
  if (emitVectorMaths(call) || (intrinsic && emitVectorIntrinsic(*intrinsic)))
    return;
  emitOneByOne(call, mask);
}

bool InstructionEmitter::emitVectorIntrinsic(const IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  if (!isTriviallyVectorizable(id) || !Lanes::fitsVector(call.getType()))
    return false;
  SmallVector<Type *> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
    types.push_back(lanes.vectorType(call.getType()));
  SmallVector<Value *> arguments;
  for (const Use &argument : call.args()) {
    unsigned number = call.getArgOperandNo(&argument);
    bool scalar = isVectorIntrinsicWithScalarOpAtArg(id, number, nullptr);
    if (scalar && !lanes.shapeOf(argument).isUniform())
      return false;
    if (!scalar && !Lanes::fitsVector(argument->getType()))
      return false;
    arguments.push_back(scalar ? lanes.scalar(argument) : lanes.vector(argument));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, number, nullptr))
      types.push_back(arguments.back()->getType());
  }
  Function *function = Intrinsic::getOrInsertDeclaration(
      const_cast<Module *>(builder.GetInsertBlock()->getModule()), id, types);
  CallInst *made = builder.CreateCall(function, arguments, call.getName());
  if (isa<FPMathOperator>(made))
    made->copyFastMathFlags(&call);
  lanes.setVector(&call, made);
  return true;
}

/// Calls libmvec, several times if its vectors are shorter.
bool InstructionEmitter::emitVectorMaths(const CallInst &call) {
  StringRef name = libmvecName(call);
  Module *module = builder.GetInsertBlock()->getModule();
  const Triple &triple = module->getTargetTriple();
  Type *type = call.getType();
  if (mathsBits == 0 || name.empty() || !(type->isFloatTy() || type->isDoubleTy()) ||
      triple.getArch() != Triple::x86_64 || !triple.isOSLinux() || !triple.isGNUEnvironment())
    return false;
  unsigned elementBits = type->getScalarSizeInBits();
  unsigned registerBits = std::clamp(mathsBits, 128u, 512u);
  unsigned perCall = registerBits / elementBits;
  std::string symbol =
      (Twine("_ZGV") + Twine(vectorAbiLetter(registerBits)) + "N" + Twine(perCall) +
       std::string(call.arg_size(), 'v') + "_" + name + (type->isFloatTy() ? "f" : ""))
          .str();
  auto *part = FixedVectorType::get(type, perCall);
  SmallVector<Type *> parameters(call.arg_size(), part);
  FunctionCallee callee =
      module->getOrInsertFunction(symbol, FunctionType::get(part, parameters, false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();

  SmallVector<Value *> arguments;
  for (const Use &argument : call.args())
    arguments.push_back(lanes.vector(argument));
  SmallVector<Value *> made;
  for (unsigned first = 0; first < lanes.width(); first += perCall) {
    SmallVector<Value *> pieces;
    for (Value *argument : arguments)
      pieces.push_back(slice(builder, argument, first, perCall));
    made.push_back(builder.CreateCall(callee, pieces));
  }
  lanes.setVector(&call, slice(builder, concatenateVectors(builder, made), 0, lanes.width()));
  return true;
}

} // namespace khalc::cpu::simd

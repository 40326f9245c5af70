//===- ExpandSubgroups.cpp - subgroup operations that a language lacks ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/ExpandSubgroups.h"

#include "ir/Builtins.h"

#include "khal/kernel/combine.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using khal::detail::Combine;
using khal::detail::CombineOver;
using khal::detail::Shuffle;

namespace khalc::shader {

namespace {

constexpr unsigned dimensions = 3;
constexpr unsigned ballotWords = 4, wordBits = 32;
constexpr unsigned laneLimit = ballotWords * wordBits;

bool isSignedCombine(Builtin builtin) {
  return builtin == Builtin::SubgroupCombineI32 || builtin == Builtin::SubgroupCombineI64;
}

bool isCombine(Builtin builtin) {
  switch (builtin) {
  case Builtin::SubgroupCombineU32:
  case Builtin::SubgroupCombineI32:
  case Builtin::SubgroupCombineU64:
  case Builtin::SubgroupCombineI64:
  case Builtin::SubgroupCombineF32:
  case Builtin::SubgroupCombineF64:
    return true;
  default:
    return false;
  }
}

/// An argument that is a constant in all code that khal's headers make.
std::optional<unsigned> constantArgument(const CallInst &call, unsigned index) {
  auto *constant = dyn_cast<ConstantInt>(call.getArgOperand(index));
  return constant ? std::optional(static_cast<unsigned>(constant->getZExtValue())) : std::nullopt;
}

/// What combined with any value gives that value.
Constant *neutral(Type *type, Combine operation, bool isSigned) {
  if (type->isFloatingPointTy()) {
    const bool isOrder = operation == Combine::minimum || operation == Combine::maximum;
    return isOrder ? ConstantFP::getInfinity(type, operation == Combine::maximum)
                   : ConstantFP::get(type, operation == Combine::multiply ? 1 : 0);
  }
  const unsigned bits = type->getIntegerBitWidth();
  switch (operation) {
  case Combine::multiply:
    return ConstantInt::get(type, 1);
  case Combine::minimum:
    return ConstantInt::get(type,
                            isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits));
  case Combine::maximum:
    return ConstantInt::get(type, isSigned ? APInt::getSignedMinValue(bits) : APInt(bits, 0));
  case Combine::bit_and:
    return ConstantInt::getAllOnesValue(type);
  default:
    return ConstantInt::get(type, 0);
  }
}

Value *combined(IRBuilder<> &builder, Combine operation, bool isSigned, Value *a, Value *b) {
  const bool isFloat = a->getType()->isFloatingPointTy();
  const auto less = [&](Value *left, Value *right) {
    return isFloat    ? builder.CreateFCmpOLT(left, right)
           : isSigned ? builder.CreateICmpSLT(left, right)
                      : builder.CreateICmpULT(left, right);
  };
  switch (operation) {
  case Combine::add:
    return isFloat ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  case Combine::multiply:
    return isFloat ? builder.CreateFMul(a, b) : builder.CreateMul(a, b);
  case Combine::minimum:
    return builder.CreateSelect(less(b, a), b, a);
  case Combine::maximum:
    return builder.CreateSelect(less(a, b), b, a);
  case Combine::bit_and:
    return builder.CreateAnd(a, b);
  case Combine::bit_or:
    return builder.CreateOr(a, b);
  case Combine::bit_xor:
    return builder.CreateXor(a, b);
  }
  llvm_unreachable("every operation is above");
}

class Expander {
public:
  Expander(Function &function, SubgroupForms has) : function(function), has(has) {}

  void run() {
    SmallVector<CallInst *> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && builtinCalled(*call))
        calls.push_back(call);
    for (CallInst *call : calls)
      expand(*call, *builtinCalled(*call));
    annotateBuiltins(*function.getParent()); // those that are called first here
  }

private:
  void expand(CallInst &call, Builtin builtin) {
    if (builtin == Builtin::SubgroupId && !has.ids)
      return replace(call, ids().own);
    if (builtin == Builtin::NumSubgroups && !has.ids)
      return replace(call, ids().count);
    if (builtin == Builtin::SubgroupShuffle && !has.anyLane)
      return expandShuffle(call);
    if (isCombine(builtin) && !isNative(call))
      return expandCombine(call, isSignedCombine(builtin));
  }

  bool isNative(const CallInst &call) const {
    const std::optional<unsigned> operation = constantArgument(call, 0),
                                  range = constantArgument(call, 1);
    if (!operation || !range)
      return true; // refused where it is written
    if (call.getType()->getPrimitiveSizeInBits() > wordBits && !has.int64)
      return false;
    const auto kind = static_cast<Combine>(*operation);
    return has.scans || static_cast<CombineOver>(*range) == CombineOver::all ||
           kind == Combine::add || kind == Combine::multiply;
  }

  /// The languages want a distance that all lanes agree on, and one below the number of lanes that
  /// a subgroup can have.
  void expandShuffle(CallInst &call) {
    const std::optional<unsigned> mode = constantArgument(call, 0),
                                  distance = constantArgument(call, 2);
    if (!mode)
      return;
    const auto kind = static_cast<Shuffle>(*mode);
    if (distance ? *distance < laneLimit : kind == Shuffle::from_lane)
      return;
    IRBuilder<> builder(&call);
    Value *operand = call.getArgOperand(2);
    Value *lane = operand;
    if (kind != Shuffle::from_lane) {
      Value *own = emit(builder, "__khal_subgroup_lane", {});
      lane = kind == Shuffle::from_xor     ? builder.CreateXor(own, operand)
             : kind == Shuffle::from_below ? builder.CreateSub(own, operand)
                                           : builder.CreateAdd(own, operand);
    }
    replace(call, fromLane(builder, call.getArgOperand(1),
                           builder.CreateAnd(lane, uint64_t{laneLimit - 1})));
  }

  ///   before:  %active = ballots
  ///   loop:    %other from 0 to the subgroup's size, %result from the neutral element
  ///            %one = shuffle(%value, %other)
  ///            %next = %other is active and counts ? combined(%result, %one) : %result
  void expandCombine(CallInst &call, bool isSigned) {
    const auto operation = static_cast<Combine>(*constantArgument(call, 0));
    const auto range = static_cast<CombineOver>(*constantArgument(call, 1));
    Value *value = call.getArgOperand(2);
    Type *type = call.getType();
    BasicBlock *before = call.getParent();
    BasicBlock *after = SplitBlock(before, &call);
    BasicBlock *loop =
        BasicBlock::Create(function.getContext(), "subgroup.lanes", &function, after);
    before->getTerminator()->eraseFromParent();

    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    Value *active[ballotWords];
    for (unsigned word = 0; word < ballotWords; ++word)
      active[word] =
          emit(builder, "__khal_subgroup_ballot", {builder.getInt32(1), builder.getInt32(word)});
    Value *size = emit(builder, "__khal_subgroup_size", {});
    Value *lane = emit(builder, "__khal_subgroup_lane", {});
    builder.CreateBr(loop);

    builder.SetInsertPoint(loop);
    PHINode *other = builder.CreatePHI(builder.getInt32Ty(), 2, "other");
    PHINode *result = builder.CreatePHI(type, 2, "result");
    Value *one = move(builder, value, other);
    Value *counts = bitOf(builder, active, other);
    if (range != CombineOver::all)
      counts = builder.CreateAnd(counts, range == CombineOver::inclusive
                                             ? builder.CreateICmpULE(other, lane)
                                             : builder.CreateICmpULT(other, lane));
    Value *next =
        builder.CreateSelect(counts, combined(builder, operation, isSigned, result, one), result);
    Value *following = builder.CreateAdd(other, builder.getInt32(1));
    builder.CreateCondBr(builder.CreateICmpULT(following, size), loop, after);
    other->addIncoming(builder.getInt32(0), before);
    other->addIncoming(following, loop);
    result->addIncoming(neutral(type, operation, isSigned), before);
    result->addIncoming(next, loop);
    replace(call, next);
  }

  /// Whether lane `lane` is in a ballot's words.
  static Value *bitOf(IRBuilder<> &builder, ArrayRef<Value *> words, Value *lane) {
    Value *word = words.back();
    for (unsigned i = ballotWords - 1; i-- > 0;)
      word = builder.CreateSelect(builder.CreateICmpULT(lane, builder.getInt32((i + 1) * wordBits)),
                                  words[i], word);
    Value *bit = builder.CreateLShr(word, builder.CreateAnd(lane, uint64_t{wordBits - 1}));
    return builder.CreateTrunc(bit, builder.getInt1Ty());
  }

  /// The value in a lane, by its words.
  Value *move(IRBuilder<> &builder, Value *value, Value *lane) {
    Type *type = value->getType();
    const unsigned bits = static_cast<unsigned>(type->getPrimitiveSizeInBits());
    Type *integer = builder.getIntNTy(bits);
    value = builder.CreateBitCast(value, integer);
    if (bits == wordBits)
      return builder.CreateBitCast(fromLane(builder, value, lane), type);
    Value *low = fromLane(builder, builder.CreateTrunc(value, builder.getInt32Ty()), lane);
    Value *high = builder.CreateTrunc(builder.CreateLShr(value, wordBits), builder.getInt32Ty());
    high = builder.CreateZExt(fromLane(builder, high, lane), integer);
    return builder.CreateBitCast(
        builder.CreateOr(builder.CreateZExt(low, integer), builder.CreateShl(high, wordBits)),
        type);
  }

  Value *fromLane(IRBuilder<> &builder, Value *word, Value *lane) {
    return emit(builder, "__khal_subgroup_shuffle",
                {number(builder, Shuffle::from_lane), word, lane});
  }

  struct Ids {
    Value *own = nullptr, *count = nullptr;
  };

  /// Subgroups take numbers from a counter in work-group memory; an elected lane of each.
  const Ids &ids() {
    if (known.own)
      return known;
    Module &module = *function.getParent();
    Type *word = Type::getInt32Ty(module.getContext());
    auto *counter =
        new GlobalVariable(module, word, /*isConstant=*/false, GlobalValue::InternalLinkage,
                           UndefValue::get(word), "subgroups");
    markAsShared(*counter);
    Instruction *start = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<> builder(start);
    Value *place = builder.getInt32(0);
    for (unsigned dimension = 0; dimension < dimensions; ++dimension)
      place =
          builder.CreateOr(place, emit(builder, "__khal_local_id", {builder.getInt32(dimension)}));
    Instruction *then = SplitBlockAndInsertIfThen(builder.CreateICmpEQ(place, builder.getInt32(0)),
                                                  start->getIterator(), false);
    new StoreInst(builder.getInt32(0), counter, then->getIterator());
    builder.SetInsertPoint(start);
    emitBarrier(builder);
    Value *elected =
        builder.CreateICmpNE(emit(builder, "__khal_subgroup_elect", {}), builder.getInt32(0));
    then = SplitBlockAndInsertIfThen(elected, start->getIterator(), false);
    Value *taken = IRBuilder<>(then).CreateAtomicRMW(
        AtomicRMWInst::Add, counter, builder.getInt32(1), Align(4), AtomicOrdering::Monotonic);
    builder.SetInsertPoint(start->getParent(), start->getParent()->begin());
    PHINode *mine = builder.CreatePHI(word, 2, "subgroup");
    mine->addIncoming(taken, then->getParent());
    for (BasicBlock *other : predecessors(start->getParent()))
      if (other != then->getParent())
        mine->addIncoming(builder.getInt32(0), other);
    builder.SetInsertPoint(start);
    // All others have 0.
    known.own = emit(builder, "__khal_subgroup_combine_u32",
                     {number(builder, Combine::add), number(builder, CombineOver::all), mine});
    emitBarrier(builder);
    known.count = builder.CreateLoad(word, counter);
    return known;
  }

  void emitBarrier(IRBuilder<> &builder) {
    const FunctionCallee barrier =
        function.getParent()->getOrInsertFunction("__khal_barrier", builder.getVoidTy());
    builder.CreateCall(barrier)->setConvergent();
  }

  template <class Enum> static Value *number(IRBuilder<> &builder, Enum value) {
    return builder.getInt32(static_cast<uint32_t>(value));
  }

  /// Calls a builtin of u32s.
  Value *emit(IRBuilder<> &builder, StringRef symbol, ArrayRef<Value *> arguments) {
    const SmallVector<Type *> types(arguments.size(), builder.getInt32Ty());
    return builder.CreateCall(
        function.getParent()->getOrInsertFunction(
            symbol, FunctionType::get(builder.getInt32Ty(), types, /*isVarArg=*/false)),
        arguments);
  }

  static void replace(CallInst &call, Value *value) {
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  Function &function;
  const SubgroupForms has;
  Ids known;
};

} // namespace

void expandSubgroups(Function &function, SubgroupForms has) {
  if (!(has == everySubgroupForm))
    Expander(function, has).run();
}

} // namespace khalc::shader

//===- SubgroupBuiltins.cpp - subgroups of one work-item --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "target/cpu/SubgroupBuiltins.h"

#include "khal/kernel/combine.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using khal::detail::Combine;
using khal::detail::CombineOver;

namespace khalc::cpu {

namespace {

/// What combined with any value gives that value.
Constant *neutralFloat(Type *type, Combine operation) {
  switch (operation) {
  case Combine::multiply:
    return ConstantFP::get(type, 1.0);
  case Combine::minimum:
    return ConstantFP::getInfinity(type);
  case Combine::maximum:
    return ConstantFP::getInfinity(type, /*Negative=*/true);
  default:
    return ConstantFP::getZero(type);
  }
}

Constant *neutralInteger(Type *type, Combine operation, bool isSigned) {
  const unsigned width = type->getIntegerBitWidth();
  switch (operation) {
  case Combine::multiply:
    return ConstantInt::get(type, 1);
  case Combine::minimum:
    return ConstantInt::get(type,
                            isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width));
  case Combine::maximum:
    return ConstantInt::get(type,
                            isSigned ? APInt::getSignedMinValue(width) : APInt::getMinValue(width));
  case Combine::bit_and:
    return Constant::getAllOnesValue(type);
  default:
    return Constant::getNullValue(type);
  }
}

/// `neutral` for an exclusive scan. Operation and range are constants but in code that isn't
/// optimised, where a chain of selects does.
Value *combine(IRBuilderBase &builder, CallBase &call, bool isSigned) {
  Value *value = call.getArgOperand(2);
  Type *type = value->getType();
  Value *neutral = nullptr;
  for (Combine operation : {Combine::add, Combine::multiply, Combine::minimum, Combine::maximum,
                            Combine::bit_and, Combine::bit_or, Combine::bit_xor}) {
    Constant *one = type->isFloatingPointTy() ? neutralFloat(type, operation)
                                              : neutralInteger(type, operation, isSigned);
    Value *isThis = builder.CreateICmpEQ(call.getArgOperand(0),
                                         builder.getInt32(static_cast<unsigned>(operation)));
    neutral = neutral ? builder.CreateSelect(isThis, one, neutral) : one;
  }
  Value *isExclusive = builder.CreateICmpEQ(
      call.getArgOperand(1), builder.getInt32(static_cast<unsigned>(CombineOver::exclusive)));
  return builder.CreateSelect(isExclusive, neutral, value);
}

Value *isSet(IRBuilderBase &builder, Value *predicate) {
  return builder.CreateZExt(builder.CreateICmpNE(predicate, builder.getInt32(0)),
                            builder.getInt32Ty());
}

} // namespace

bool isSubgroupBuiltin(Builtin builtin) {
  switch (builtin) {
  case Builtin::SubgroupSize:
  case Builtin::SubgroupLane:
  case Builtin::SubgroupId:
  case Builtin::NumSubgroups:
  case Builtin::SubgroupElect:
  case Builtin::SubgroupAny:
  case Builtin::SubgroupAll:
  case Builtin::SubgroupBallot:
  case Builtin::SubgroupShuffle:
  case Builtin::SubgroupCombineU32:
  case Builtin::SubgroupCombineI32:
  case Builtin::SubgroupCombineU64:
  case Builtin::SubgroupCombineI64:
  case Builtin::SubgroupCombineF32:
  case Builtin::SubgroupCombineF64:
  case Builtin::SubgroupBarrier:
    return true;
  default:
    return false;
  }
}

Value *lowerSubgroupBuiltin(IRBuilderBase &builder, CallBase &call, Builtin builtin,
                            Value *localIndex, unsigned groupItems) {
  switch (builtin) {
  case Builtin::SubgroupSize:
  case Builtin::SubgroupElect:
    return builder.getInt32(1);
  case Builtin::SubgroupLane:
    return builder.getInt32(0);
  case Builtin::SubgroupId:
    return localIndex;
  case Builtin::NumSubgroups:
    return builder.getInt32(groupItems);
  case Builtin::SubgroupAny:
  case Builtin::SubgroupAll:
    return isSet(builder, call.getArgOperand(0));
  case Builtin::SubgroupBallot:
    return builder.CreateSelect(builder.CreateICmpEQ(call.getArgOperand(1), builder.getInt32(0)),
                                isSet(builder, call.getArgOperand(0)), builder.getInt32(0));
  case Builtin::SubgroupShuffle:
    return call.getArgOperand(1);
  case Builtin::SubgroupCombineI32:
  case Builtin::SubgroupCombineI64:
    return combine(builder, call, /*isSigned=*/true);
  case Builtin::SubgroupCombineU32:
  case Builtin::SubgroupCombineU64:
  case Builtin::SubgroupCombineF32:
  case Builtin::SubgroupCombineF64:
    return combine(builder, call, /*isSigned=*/false);
  case Builtin::SubgroupBarrier:
    return nullptr; // a work-item sees its own writes
  default:
    llvm_unreachable("no subgroup builtin");
  }
}

} // namespace khalc::cpu

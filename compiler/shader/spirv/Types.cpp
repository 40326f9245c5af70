//===- Types.cpp - LLVM types and constants in SPIR-V, and what they require ---------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/spirv/Types.h"

#include "khal/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace khalc::spirv {

namespace {

bool isBufferAccess(const Value *pointer) {
  // Lowered pointers are globals (or elements of them) but for allocas; shared memory and tables
  // aren't storage buffers, yet need the arithmetic capability anyway through their type.
  const Value *base = pointer;
  if (auto *step = dyn_cast<GEPOperator>(pointer))
    base = step->getPointerOperand();
  auto *global = dyn_cast<GlobalVariable>(base);
  auto *array = global ? dyn_cast<ArrayType>(global->getValueType()) : nullptr;
  return array && array->getNumElements() == 0;
}

/// True for a narrow value that only goes between a buffer and a conversion.
bool isOnlyStored(const Value &value) {
  if (auto *load = dyn_cast<LoadInst>(&value))
    return !load->isAtomic() && isBufferAccess(load->getPointerOperand()) &&
           all_of(load->users(),
                  [](const User *user) { return isa<ZExtInst, SExtInst, FPExtInst>(user); });
  return isa<TruncInst, FPTruncInst>(value) && all_of(value.users(), [&](const User *user) {
           auto *store = dyn_cast<StoreInst>(user);
           return store && store->getValueOperand() == &value &&
                  isBufferAccess(store->getPointerOperand());
         });
}

} // namespace

Types::Types(Builder &builder, const Function &function) : builder(builder) {
  for (const Instruction &instruction : instructions(function)) {
    if (auto *local = dyn_cast<AllocaInst>(&instruction))
      requireArithmetic(cast<ArrayType>(local->getAllocatedType())->getElementType());
    else if (!isOnlyStored(instruction))
      requireArithmetic(instruction.getType());
    for (const Value *operand : instruction.operand_values())
      if (isa<Constant>(operand))
        requireArithmetic(operand->getType());
  }
  for (const GlobalVariable &global : function.getParent()->globals())
    if (auto *array = dyn_cast<ArrayType>(global.getValueType()))
      if (array->getNumElements() != 0 && global.getName().starts_with("khal.view."))
        for (const User *user : global.users())
          if (auto *instruction = dyn_cast<Instruction>(user))
            if (instruction->getFunction() == &function)
              requireArithmetic(array->getElementType());
}

void Types::requireArithmetic(const Type *anyType) {
  const Type *type = anyType->getScalarType();
  if (type->isIntegerTy(8))
    require(spv::CapabilityInt8, khal::abi::feature_int8);
  else if (type->isIntegerTy(16))
    require(spv::CapabilityInt16, khal::abi::feature_int16);
  else if (type->isIntegerTy(64))
    require(spv::CapabilityInt64, khal::abi::feature_int64);
  else if (type->isHalfTy())
    require(spv::CapabilityFloat16, khal::abi::feature_float16);
  else if (type->isDoubleTy())
    require(spv::CapabilityFloat64, khal::abi::feature_float64);
}

void Types::requireStorage(const Type *type) {
  switch (type->getScalarSizeInBits()) {
  case 8:
    builder.capability(spv::CapabilityStorageBuffer8BitAccess);
    builder.extension("SPV_KHR_8bit_storage");
    requiredFeatures |= khal::abi::feature_storage8;
    break;
  case 16:
    builder.capability(spv::CapabilityStorageBuffer16BitAccess);
    requiredFeatures |= khal::abi::feature_storage16;
    break;
  default: // 64-bit types need their arithmetic capability to exist at all
    requireArithmetic(type);
  }
}

void Types::requireInt64Atomics(bool shared) {
  builder.capability(spv::CapabilityInt64Atomics);
  requiredFeatures |=
      shared ? khal::abi::feature_shared_atomic_int64 : khal::abi::feature_atomic_int64;
}

void Types::require(shader::FloatControls controls, Id function) {
  using namespace khal::abi;
  struct {
    bool isUsed;
    uint32_t width;
    uint64_t specialValues, subnormals;
  } const kinds[] = {{usesHalf, 16, feature_special_float16, feature_subnormal16},
                     {usesFloat, 32, feature_special_float32, feature_subnormal32},
                     {usesDouble, 64, feature_special_float64, feature_subnormal64}};
  auto require = [&](spv::Capability capability, spv::ExecutionMode mode, uint32_t width,
                     uint64_t feature) {
    builder.capability(capability);
    builder.extension("SPV_KHR_float_controls");
    builder.executionMode(function, mode, {width});
    requiredFeatures |= feature;
  };
  for (const auto &kind : kinds) {
    if (kind.isUsed && controls.specialValues)
      require(spv::CapabilitySignedZeroInfNanPreserve, spv::ExecutionModeSignedZeroInfNanPreserve,
              kind.width, kind.specialValues);
    if (kind.isUsed && controls.subnormals)
      require(spv::CapabilityDenormPreserve, spv::ExecutionModeDenormPreserve, kind.width,
              kind.subnormals);
  }
}

void Types::require(spv::Capability capability, uint64_t feature) {
  builder.capability(capability);
  requiredFeatures |= feature;
}

Id Types::type(const Type *type) {
  usesHalf |= type->isHalfTy();
  usesFloat |= type->isFloatTy();
  usesDouble |= type->isDoubleTy();
  if (type->isVoidTy())
    return builder.voidType();
  if (type->isIntegerTy(1))
    return builder.boolType();
  if (type->isIntegerTy())
    return builder.intType(type->getIntegerBitWidth());
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return builder.vectorType(this->type(vector->getElementType()), vector->getNumElements());
  return builder.floatType(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
}

Id Types::constant(const Constant *constant) {
  const Type *type = constant->getType();
  if (auto *integer = dyn_cast<ConstantInt>(constant)) {
    if (type->isIntegerTy(1))
      return builder.boolConstant(integer->isOne());
    return builder.intConstant(type->getIntegerBitWidth(), integer->getZExtValue());
  }
  if (auto *floating = dyn_cast<ConstantFP>(constant)) {
    APInt bits = floating->getValueAPF().bitcastToAPInt();
    return builder.floatConstant(bits.getBitWidth(), bits.getZExtValue());
  }
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    llvm::SmallVector<Id, 4> parts;
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      parts.push_back(this->constant(constant->getAggregateElement(i)));
    return builder.compositeConstant(this->type(type), parts);
  }
  if (type->isIntegerTy(1))
    return builder.boolConstant(false);
  if (type->isIntegerTy())
    return builder.intConstant(type->getIntegerBitWidth(), 0);
  return builder.floatConstant(
      static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()), 0);
}

} // namespace khalc::spirv

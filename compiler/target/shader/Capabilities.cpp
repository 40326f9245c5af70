//===- Capabilities.cpp - what each shader target can express -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/Capabilities.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "target/shader/UniformBarriers.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

namespace {

using khal::abi::Target;

bool hasType(const Instruction &instruction, function_ref<bool(const Type *)> is) {
  return is(instruction.getType()) ||
         any_of(instruction.operand_values(),
                [&](const Value *operand) { return is(operand->getType()); });
}

bool isOrdered(AtomicOrdering ordering) {
  return isStrongerThanMonotonic(ordering);
}

bool isOrdered(const Instruction &instruction) {
  if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction))
    return isOrdered(operation->getOrdering());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return isOrdered(exchange->getSuccessOrdering()) || isOrdered(exchange->getFailureOrdering());
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return isOrdered(load->getOrdering());
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return isOrdered(store->getOrdering());
  auto *call = dyn_cast<CallInst>(&instruction);
  return isa<FenceInst>(instruction) || (call && builtinCalled(*call) == Builtin::Fence);
}

bool isSubgroupBarrier(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return call && builtinCalled(*call) == Builtin::SubgroupBarrier;
}

bool isInt64Atomic(const Instruction &instruction) {
  return instruction.isAtomic() && !isa<FenceInst>(instruction) &&
         hasType(instruction, [](const Type *type) { return type->isIntegerTy(64); });
}

bool isProduct(const Value *value) {
  auto *operation = dyn_cast<Instruction>(value);
  return operation &&
         (operation->getOpcode() == Instruction::FMul ||
          (operation->getOpcode() == Instruction::FNeg && isProduct(operation->getOperand(0))));
}

bool isSumOfProduct(const Instruction &instruction) {
  return (instruction.getOpcode() == Instruction::FAdd ||
          instruction.getOpcode() == Instruction::FSub) &&
         any_of(instruction.operand_values(), isProduct);
}

} // namespace

const Capabilities &capabilitiesOf(Target target) {
  static constexpr Capabilities spirv{.language = "SPIR-V",
                                      .float64 = true,
                                      .int64Atomics = true,
                                      .memoryOrder = true,
                                      .views = true,
                                      .narrowIntegers = true,
                                      .dotProducts = true,
                                      .subgroups = everySubgroupForm,
                                      .subgroupBarrier = true,
                                      .int64 = true,
                                      .anyBarrier = true,
                                      .strictSums = true};
  static constexpr Capabilities glsl{.language = "GLSL",
                                     .float64 = true,
                                     .memoryOrder = true,
                                     .views = true,
                                     .narrowIntegers = true,
                                     .subgroups = everySubgroupForm,
                                     .subgroupBarrier = true,
                                     .int64 = true,
                                     .anyBarrier = true,
                                     .strictSums = true};
  // The wave's number in its group is nowhere to be had, and the prefix functions are of sums and
  // products alone.
  static constexpr Capabilities hlsl{.language = "HLSL",
                                     .memoryOrder = true,
                                     .subgroups = {.anyLane = true, .int64 = true},
                                     .subgroupBarrier = true,
                                     .int64 = true,
                                     .anyBarrier = true,
                                     .strictSums = true};
  static constexpr Capabilities msl{.language = "Metal 2.2",
                                    .views = true,
                                    .narrowIntegers = true,
                                    .subgroups = {.ids = true},
                                    .subgroupBarrier = true,
                                    .int64 = true,
                                    .anyBarrier = true,
                                    .strictSums = true};
  static constexpr Capabilities wgsl{.language = "WGSL"};
  switch (target) {
  case Target::glsl:
    return glsl;
  case Target::hlsl:
    return hlsl;
  case Target::msl:
    return msl;
  case Target::wgsl:
    return wgsl;
  case Target::cpu:
  case Target::ptx:
  case Target::spirv:
    break;
  }
  return spirv;
}

bool checkCapabilities(Function &function, Target target, bool isStrict,
                       diag::Engine &diagnostics) {
  const Capabilities &has = capabilitiesOf(target);
  for (const Instruction &instruction : instructions(function)) {
    if (!has.float64 && hasType(instruction, [](const Type *type) { return type->isDoubleTy(); })) {
      diagnostics.report(diag::Id::shader_no_double, instruction, {has.language});
      return false;
    }
    if (!has.int64Atomics && isInt64Atomic(instruction)) {
      diagnostics.report(diag::Id::shader_no_int64_atomics, instruction, {has.language});
      return false;
    }
    if (!has.subgroupBarrier && isSubgroupBarrier(instruction)) {
      diagnostics.report(diag::Id::shader_no_subgroup_barrier, instruction, {has.language});
      return false;
    }
    if (!has.memoryOrder && isOrdered(instruction)) {
      diagnostics.report(diag::Id::shader_no_memory_order, instruction, {has.language});
      return false;
    }
    if (isStrict && !has.strictSums && isSumOfProduct(instruction)) {
      diagnostics.report(diag::Id::shader_no_strict_sum, instruction, {has.language});
      return false;
    }
  }
  const Instruction *barrier = has.anyBarrier ? nullptr : firstDivergentBarrier(function);
  if (barrier)
    diagnostics.report(diag::Id::shader_divergent_barrier, *barrier, {has.language});
  return !barrier;
}

} // namespace khalc::shader

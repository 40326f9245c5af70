//===- Capabilities.cpp - what each shader target can express -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/Capabilities.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"

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

bool isSubgroupOperation(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("__khal_subgroup");
}

bool isInt64Atomic(const Instruction &instruction) {
  return instruction.isAtomic() && !isa<FenceInst>(instruction) &&
         hasType(instruction, [](const Type *type) { return type->isIntegerTy(64); });
}

} // namespace

const Capabilities &capabilitiesOf(Target target) {
  //                                            float64 atomic64 order views narrow dot subgroups int64
  static constexpr Capabilities spirv{"SPIR-V", true, true, true, true, true, true, true, true};
  static constexpr Capabilities glsl{"GLSL", true, false, true, true, true, false, false, true};
  static constexpr Capabilities hlsl{"HLSL", false, false, true, false, false, false, false, true};
  static constexpr Capabilities msl{"Metal 2.2", false, false, false, true,
                                    true,        false, false, true};
  static constexpr Capabilities wgsl{"WGSL", false, false, false, false,
                                     false,  false, false, false};
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

bool checkCapabilities(const Function &function, Target target, diag::Engine &diagnostics) {
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
    if (!has.subgroups && isSubgroupOperation(instruction)) {
      diagnostics.report(diag::Id::shader_no_subgroups, instruction, {has.language});
      return false;
    }
    if (!has.memoryOrder && isOrdered(instruction)) {
      diagnostics.report(diag::Id::shader_no_memory_order, instruction, {has.language});
      return false;
    }
  }
  return true;
}

} // namespace khalc::shader

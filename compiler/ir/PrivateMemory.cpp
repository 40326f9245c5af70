//===- PrivateMemory.cpp - how much memory a work-item has of its own -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "ir/PrivateMemory.h"

#include "diag/Diagnostics.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace khalc {

namespace {

/// A variable has no place in the source of its own; its first use has.
const Instruction &placeOf(const AllocaInst &variable) {
  if (variable.getDebugLoc())
    return variable;
  for (const Instruction &instruction : instructions(*variable.getFunction()))
    if (instruction.getDebugLoc() && is_contained(instruction.operands(), &variable))
      return instruction;
  return variable;
}

} // namespace

bool checkPrivateMemory(const Function &kernel, diag::Engine &diagnostics) {
  const DataLayout &layout = kernel.getDataLayout();
  const AllocaInst *largest = nullptr;
  uint64_t largestBytes = 0, total = 0;
  for (const Instruction &instruction : instructions(kernel)) {
    const auto *variable = dyn_cast<AllocaInst>(&instruction);
    const std::optional<TypeSize> size =
        variable ? variable->getAllocationSize(layout) : std::nullopt;
    if (!size)
      continue;
    const uint64_t bytes = size->getFixedValue();
    total = SaturatingAdd(total, bytes);
    if (bytes > largestBytes) {
      largest = variable;
      largestBytes = bytes;
    }
  }
  if (total <= maxPrivateBytes)
    return true;
  diagnostics.report(diag::Id::private_memory_too_large, placeOf(*largest),
                     {std::to_string(total), std::to_string(maxPrivateBytes)});
  return false;
}

namespace {

const Value *addressOf(const Instruction &instruction) {
  if (const auto *operation = dyn_cast<AtomicRMWInst>(&instruction))
    return operation->getPointerOperand();
  if (const auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return getLoadStorePointerOperand(&instruction);
}

} // namespace

void makePrivateAtomicsPlain(Function &kernel) {
  for (Instruction &instruction : make_early_inc_range(instructions(kernel))) {
    const Value *address = instruction.isAtomic() ? addressOf(instruction) : nullptr;
    if (!address || !isa<AllocaInst>(getUnderlyingObject(address, /*MaxLookup=*/0)))
      continue;
    if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction))
      lowerAtomicRMWInst(operation);
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      lowerAtomicCmpXchgInst(exchange);
    else if (auto *load = dyn_cast<LoadInst>(&instruction))
      load->setAtomic(AtomicOrdering::NotAtomic);
    else
      cast<StoreInst>(instruction).setAtomic(AtomicOrdering::NotAtomic);
  }
}

} // namespace khalc

//===- GroupAtomics.cpp - atomics that no other thread can see -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/GroupAtomics.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

Value *addressOf(Instruction &instruction) {
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return update->getPointerOperand();
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return getLoadStorePointerOperand(&instruction);
}

SyncScope::ID groupScope(LLVMContext &context) {
  return context.getOrInsertSyncScopeID("workgroup");
}

bool isWithinGroup(Instruction &instruction, const Argument &shared) {
  Value *address = addressOf(instruction);
  if (!address)
    return false;
  return getUnderlyingObject(address) == &shared ||
         getAtomicSyncScopeID(&instruction) == groupScope(instruction.getContext());
}

void makePlain(Instruction &instruction) {
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    lowerAtomicRMWInst(update);
  else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
    lowerAtomicCmpXchgInst(exchange);
  else if (auto *load = dyn_cast<LoadInst>(&instruction))
    load->setAtomic(AtomicOrdering::NotAtomic);
  else if (auto *store = dyn_cast<StoreInst>(&instruction))
    store->setAtomic(AtomicOrdering::NotAtomic);
}

SmallVector<Instruction *> atomicsIn(Function &function) {
  SmallVector<Instruction *> atomics;
  for (Instruction &instruction : instructions(function))
    if (instruction.isAtomic())
      atomics.push_back(&instruction);
  return atomics;
}

} // namespace

void narrowSharedAtomics(Function &item, ArrayRef<Argument *> groupMemory) {
  for (Instruction *instruction : atomicsIn(item))
    if (Value *address = addressOf(*instruction);
        address && is_contained(groupMemory, getUnderlyingObject(address)))
      setAtomicSyncScopeID(instruction, groupScope(item.getContext()));
}

void simplifyGroupAtomics(Function &group, const Argument &shared) {
  for (Instruction *instruction : atomicsIn(group)) {
    if (isWithinGroup(*instruction, shared))
      makePlain(*instruction);
    else if (getAtomicSyncScopeID(instruction) != SyncScope::SingleThread)
      setAtomicSyncScopeID(instruction, SyncScope::System);
  }
}

} // namespace khalc::cpu

//===- CheckIntegerPointers.cpp - pointers that are made from integers ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/CheckIntegerPointers.h"

#include "diag/Diagnostics.h"
#include "target/shader/Entry.h"
#include "target/shader/PointerNumbers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace khalc::shader {

namespace {

using Objects = SmallVector<const Value *, 4>;

Objects objectsAt(const Value *pointer) {
  Objects objects;
  getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return objects;
}

/// Buffers and arguments never hold pointers.
bool isArgument(const Value *object) {
  return bufferIndex(object) >= 0 || isArgumentBlock(object);
}

/// What an integer is made of, through arithmetic and through memory of the kernel's own.
class Sources {
public:
  explicit Sources(const Function &function) {
    for (const Instruction &instruction : instructions(function))
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        addStored(store->getPointerOperand(), store->getValueOperand());
      else if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction))
        addStored(operation->getPointerOperand(), operation->getValOperand());
      else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
        addStored(exchange->getPointerOperand(), exchange->getNewValOperand());
  }

  enum class Kind { Null, Number, Pointer };

  /// Pointer if one went into the integer, Null if it is zero and nothing else can be.
  Kind kindOf(const Value &integer) const {
    SmallSetVector<const Value *, 16> work; // values that are integers, and memory objects
    work.insert(&integer);
    bool isNull = true;
    for (size_t i = 0; i < work.size(); ++i) {
      const Value *value = work[i];
      if (value->getType()->isPtrOrPtrVectorTy()) {
        // Memory: whatever was stored there.
        if (holdsPointers(*value))
          return Kind::Pointer;
        for (const Value *stored : storedIn(*value))
          work.insert(stored);
        continue;
      }
      if (Operator::getOpcode(value) == Instruction::PtrToInt)
        return Kind::Pointer;
      if (auto *constant = dyn_cast<Constant>(value)) {
        isNull &= constant->isNullValue() || isa<UndefValue>(constant);
        continue;
      }
      const Value *address = addressReadBy(*value);
      if (address) {
        for (const Value *object : objectsAt(address))
          if (isArgument(object))
            isNull = false;
          else
            work.insert(object);
        continue;
      }
      isNull &= addOperands(*value, work);
    }
    return isNull ? Kind::Null : Kind::Number;
  }

private:
  void addStored(const Value *pointer, const Value *value) {
    for (const Value *object : objectsAt(pointer))
      stored[object].push_back(value);
  }

  ArrayRef<const Value *> storedIn(const Value &object) const {
    const auto found = stored.find(&object);
    return found == stored.end() ? ArrayRef<const Value *>() : found->second;
  }

  /// True for memory that a pointer is stored in as such, and for what isn't known.
  bool holdsPointers(const Value &object) const {
    const auto *global = dyn_cast<GlobalVariable>(&object);
    if (!global && !isa<AllocaInst>(object))
      return true;
    bool holds = false;
    if (global && global->hasInitializer())
      forEachPointerIn(*global->getInitializer(), global->getDataLayout(),
                       [&](const Constant &pointer, uint64_t) { holds |= !pointer.isNullValue(); });
    return holds || any_of(storedIn(object), [](const Value *value) {
             return value->getType()->isPtrOrPtrVectorTy();
           });
  }

  static const Value *addressReadBy(const Value &value) {
    if (auto *load = dyn_cast<LoadInst>(&value))
      return load->getPointerOperand();
    if (auto *operation = dyn_cast<AtomicRMWInst>(&value))
      return operation->getPointerOperand();
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&value))
      return exchange->getPointerOperand();
    return nullptr;
  }

  /// Adds what an instruction computes with; false if it makes a number of nothing.
  static bool addOperands(const Value &value, SmallSetVector<const Value *, 16> &work) {
    const auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)))
      return false;
    for (const Value *operand : instruction->operands())
      if (!operand->getType()->isPtrOrPtrVectorTy() && !operand->getType()->isLabelTy() &&
          operand->getType()->isFirstClassType() && !isa<Function>(operand))
        work.insert(operand);
    return instruction->getNumOperands() > 0;
  }

  MapVector<const Value *, SmallVector<const Value *, 4>> stored;
};

} // namespace

bool checkIntegerPointers(Function &function, diag::Engine &diagnostics) {
  std::optional<Sources> sources;
  bool good = true;
  for (const Instruction &instruction : instructions(function)) {
    if (!isa<IntToPtrInst>(instruction))
      continue;
    if (!sources)
      sources.emplace(function);
    if (sources->kindOf(*instruction.getOperand(0)) != Sources::Kind::Number)
      continue;
    diagnostics.report(diag::Id::shader_unknown_pointer, instruction, {madeOfNumber});
    good = false;
  }
  return good;
}

} // namespace khalc::shader

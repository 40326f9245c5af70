//===- PointerRoots.cpp - which memory each pointer points into ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/PointerRoots.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "target/shader/Entry.h"
#include "target/shader/ExpandMemory.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

#include <algorithm>
#include <numeric>

using namespace llvm;

namespace khalc::shader {

namespace {

/// Larger than any access, so that the gcd starts with what it meets first.
constexpr uint64_t noUnit = 0;

bool isPointer(const Value *value) {
  return value->getType()->isPointerTy();
}

/// "tile" of "_ZZ6matmul…E4tile": what the kernel's author called a static local.
std::string sourceName(const GlobalVariable &global) {
  std::string full = demangle(global.getName().str());
  size_t colon = full.rfind("::");
  return colon == std::string::npos ? full : full.substr(colon + 2);
}

Access describeAccess(Instruction &instruction) {
  const DataLayout &layout = instruction.getDataLayout();
  Access access;
  access.instruction = &instruction;
  access.untyped = isUntypedAccess(instruction);
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    access.pointer = load->getPointerOperand();
    access.type = load->getType();
    access.alignment = load->getAlign().value();
    access.atomic = load->isAtomic();
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    access.pointer = store->getPointerOperand();
    access.type = store->getValueOperand()->getType();
    access.alignment = store->getAlign().value();
    access.writes = true;
    access.atomic = store->isAtomic();
  } else if (auto *operation = dyn_cast<AtomicRMWInst>(&instruction)) {
    access.pointer = operation->getPointerOperand();
    access.type = operation->getType();
    access.alignment = operation->getAlign().value();
    access.writes = access.atomic = true;
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    access.pointer = exchange->getPointerOperand();
    access.type = exchange->getNewValOperand()->getType();
    access.alignment = exchange->getAlign().value();
    access.writes = access.atomic = true;
  }
  if (access.type)
    access.bytes = layout.getTypeStoreSize(access.type).getFixedValue();
  return access;
}

/// A power of two that the index is a multiple of: LLVM turns `p + n` into a byte index `n << 2`.
uint64_t knownFactor(const Value &index, const DataLayout &layout) {
  constexpr unsigned enough = 4; // no access is wider than 16 bytes
  return uint64_t(1) << std::min(computeKnownBits(&index, layout).countMinTrailingZeros(), enough);
}

bool isConstantTable(const Value &value) {
  const auto &global = cast<GlobalVariable>(value);
  return global.isConstant() && global.hasInitializer();
}

/// Scalars that memory holds, and the vectors of WidenAccesses.h.
bool isOfMemory(const Access &access) {
  const Type *scalar = access.type->getScalarType();
  if (!scalar->isIntegerTy() && !scalar->isFloatTy() && !scalar->isDoubleTy() &&
      !scalar->isHalfTy())
    return false;
  uint64_t widest = access.type->isVectorTy() ? 16 : 8;
  return access.type->getPrimitiveSizeInBits() == 8 * access.bytes && access.bytes <= widest &&
         isPowerOf2_64(access.bytes);
}

} // namespace

PointerRoots::PointerRoots(Function &function, const KernelInfo &kernel, diag::Engine &diagnostics)
    : kernel(kernel), diagnostics(diagnostics) {
  allRoots.emplace_back(); // Null is root 0
  classes.insert(0);
  collect(function);
  if (isValid)
    propagate();
  if (isValid)
    findUnits();
}

void PointerRoots::fail(diag::Id id, const Instruction &where, const std::string &argument) {
  diagnostics.report(id, where, {argument});
  isValid = false;
}

void PointerRoots::collect(Function &function) {
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order) {
    for (Instruction &instruction : *block) {
      Access access = describeAccess(instruction);
      if (access.pointer) {
        if (isPointer(access.pointer) && access.type->isPointerTy())
          fail(diag::Id::shader_pointer_in_memory, instruction, "");
        else if (!isOfMemory(access))
          fail(diag::Id::shader_unsupported_instruction, instruction, "an access of this type");
        allAccesses.push_back(access);
      }
      if (isPointer(&instruction))
        pointerInstructions.push_back(&instruction);
      if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
        if (isPointer(comparison->getOperand(0)))
          comparisons.push_back(comparison);
    }
  }
}

unsigned PointerRoots::rootFor(Value *value) {
  if (isa<ConstantPointerNull, UndefValue>(value))
    return 0;
  auto [place, isNew] = rootIds.try_emplace(value, allRoots.size());
  if (!isNew)
    return place->second;
  Root root;
  root.value = value;
  if (int buffer = bufferIndex(value); buffer >= 0) {
    root.kind = Root::Kind::Buffer;
    root.buffer = static_cast<unsigned>(buffer);
    root.name = kernel.buffers[root.buffer].name;
  } else if (auto *local = dyn_cast<AllocaInst>(value)) {
    root.kind = Root::Kind::Private;
    root.bytes = local->getAllocationSize(local->getDataLayout())->getFixedValue();
    root.name = local->getName().str();
  } else {
    auto *global = cast<GlobalVariable>(value);
    root.bytes = global->getDataLayout().getTypeAllocSize(global->getValueType()).getFixedValue();
    root.name = sourceName(*global);
    if (isArgumentBlock(global))
      root.kind = Root::Kind::Block;
    else if (isSharedVariable(*global))
      root.kind = Root::Kind::Shared;
    else
      root.kind = Root::Kind::Table;
  }
  unsigned id = place->second;
  classes.insert(id);
  allRoots.push_back(std::move(root));
  return id;
}

/// Pointers that are their own source: roots. Others get their set by propagation.
static bool isRootValue(const Value *value) {
  return isa<GlobalVariable, AllocaInst, ConstantPointerNull, UndefValue>(value) ||
         bufferIndex(value) >= 0;
}

const PointerRoots::RootSet &PointerRoots::setOf(Value *pointer) {
  RootSet &set = sets[pointer];
  if (set.empty() && isRootValue(pointer)) {
    unsigned id = rootFor(pointer);
    sets[pointer] = {id};
    return sets[pointer];
  }
  return set;
}

bool PointerRoots::mergeInto(Value *pointer, Value *source) {
  RootSet from = setOf(source);
  RootSet &to = sets[pointer];
  size_t before = to.size();
  RootSet merged;
  std::set_union(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(merged));
  to = merged;
  return to.size() != before;
}

void PointerRoots::propagate() {
  for (bool changed = true; changed && isValid;) {
    changed = false;
    for (Instruction *pointer : pointerInstructions) {
      if (isRootValue(pointer)) {
        setOf(pointer);
      } else if (auto *phi = dyn_cast<PHINode>(pointer)) {
        for (Value *incoming : phi->incoming_values())
          changed |= mergeInto(phi, incoming);
      } else if (auto *select = dyn_cast<SelectInst>(pointer)) {
        changed |= mergeInto(select, select->getTrueValue());
        changed |= mergeInto(select, select->getFalseValue());
      } else if (isa<GetElementPtrInst, AddrSpaceCastInst, FreezeInst, BitCastInst>(pointer)) {
        changed |= mergeInto(pointer, pointer->getOperand(0));
      } else if (isa<IntToPtrInst>(pointer)) {
        return fail(diag::Id::shader_unknown_pointer, *pointer,
                    "it is made from an integer; index the buffer or use a pointer instead");
      } else if (!isa<LoadInst>(pointer)) {
        return fail(diag::Id::shader_unknown_pointer, *pointer,
                    "index the buffer or variable directly instead");
      }
    }
  }
  // Every operand that is a root by itself must have a set too.
  for (const Access &access : allAccesses)
    setOf(access.pointer);
  for (Instruction *pointer : pointerInstructions)
    for (Value *operand : pointer->operands())
      if (isPointer(operand))
        setOf(operand);
  for (ICmpInst *comparison : comparisons)
    for (Value *operand : comparison->operands())
      setOf(operand);
  for (const Access &access : allAccesses)
    for (unsigned id : rootsOf(access.pointer))
      if (allRoots[id].kind == Root::Kind::Table && !isConstantTable(*allRoots[id].value))
        return fail(diag::Id::shader_mutable_global, *access.instruction, allRoots[id].name);
}

void PointerRoots::narrowUnit(Value *pointer, uint64_t bytes) {
  if (bytes == 0)
    return;
  uint64_t &unit = units[*classes.findLeader(rootsOf(pointer).front())];
  unit = std::gcd(unit, bytes);
}

void PointerRoots::findUnits() {
  for (auto &[pointer, set] : sets)
    for (unsigned id : set)
      classes.unionSets(set.front(), id);
  // Pointers that are compared must be measured alike.
  for (ICmpInst *comparison : comparisons)
    classes.unionSets(rootsOf(comparison->getOperand(0)).front(),
                      rootsOf(comparison->getOperand(1)).front());

  units.assign(allRoots.size(), noUnit);
  for (const Access &access : allAccesses)
    narrowUnit(access.pointer, std::min(access.bytes, access.alignment));
  for (Instruction *pointer : pointerInstructions) {
    auto *step = dyn_cast<GEPOperator>(pointer);
    if (!step)
      continue;
    const DataLayout &layout = pointer->getDataLayout();
    unsigned width = layout.getIndexTypeSizeInBits(step->getType());
    SmallMapVector<Value *, APInt, 4> scales;
    APInt constant(width, 0);
    if (!step->collectOffset(layout, width, scales, constant)) {
      fail(diag::Id::shader_unknown_pointer, *pointer, "its offset has no fixed scale");
      return;
    }
    narrowUnit(pointer, constant.abs().getZExtValue());
    for (auto &[index, scale] : scales)
      narrowUnit(pointer, scale.abs().getZExtValue() * knownFactor(*index, layout));
  }
  for (uint64_t &unit : units)
    if (unit == noUnit)
      unit = 1;
}

ArrayRef<unsigned> PointerRoots::rootsOf(Value *pointer) const {
  auto found = sets.find(pointer);
  static const unsigned null = 0;
  // A pointer whose every source is itself (an unreachable cycle) points nowhere.
  if (found == sets.end() || found->second.empty())
    return ArrayRef(&null, 1);
  return found->second;
}

uint64_t PointerRoots::unitOf(unsigned root) const {
  return units[*classes.findLeader(root)];
}

} // namespace khalc::shader

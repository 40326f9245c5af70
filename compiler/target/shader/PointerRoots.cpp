//===- PointerRoots.cpp - which memory each pointer points into ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/PointerRoots.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "target/shader/CheckIntegerPointers.h"
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

/// A constant such as `(u32 *)0x1234`; one made at run time is an instruction.
bool isMadeOfNumber(const Value *pointer) {
  const auto *constant = dyn_cast<ConstantExpr>(pointer->stripPointerCasts());
  return constant && constant->getOpcode() == Instruction::IntToPtr;
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

/// True for a load or store of a pointer that storePointersAsNumbers() made one of a number.
bool movesPointer(const Instruction &instruction) {
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return isa<PtrToIntInst>(store->getValueOperand());
  return llvm::any_of(instruction.users(),
                      [](const User *user) { return isa<IntToPtrInst>(user); });
}

} // namespace

PointerRoots::PointerRoots(Function &function, const KernelInfo &kernel, diag::Engine &diagnostics)
    : function(function), kernel(kernel), diagnostics(diagnostics), pointerNumbers(function) {
  allRoots.emplace_back(); // Null is root 0
  collect(function);
  if (isValid)
    propagate();
  if (isValid)
    putNumberedFirst();
  if (isValid)
    findUnits();
  if (isValid)
    checkTables();
}

void PointerRoots::fail(diag::Id id, const Instruction &where, const std::string &argument) {
  failWith(id, where, {argument});
}

void PointerRoots::failWith(diag::Id id, const Instruction &where,
                            ArrayRef<std::string> arguments) {
  diagnostics.report(id, where, arguments);
  isValid = false;
}

void PointerRoots::collect(Function &function) {
  ReversePostOrderTraversal<Function *> order(&function);
  for (BasicBlock *block : order) {
    for (Instruction &instruction : *block) {
      Access access = describeAccess(instruction);
      if (access.pointer) {
        if (isPointer(access.pointer) && access.type->isPointerTy())
          fail(diag::Id::shader_pointer_in_memory, instruction, {});
        else if (!isOfMemory(access))
          failWith(diag::Id::shader_unsupported_instruction, instruction,
                   {"an access of this type", "use numbers of 1, 2, 4 or 8 bytes"});
        else if (isMadeOfNumber(access.pointer))
          fail(diag::Id::shader_unknown_pointer, instruction, madeOfNumber);
        allAccesses.push_back(access);
      }
      if (isPointer(&instruction))
        pointerInstructions.push_back(&instruction);
      if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
        if (isPointer(comparison->getOperand(0)))
          comparisons.push_back(comparison);
      if (auto *conversion = dyn_cast<PtrToIntInst>(&instruction))
        conversions.push_back(conversion);
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
    root.sharedSpan = sharedSpanIndex(global);
    if (root.sharedSpan >= 0)
      root.name = kernel.sharedSpans[static_cast<unsigned>(root.sharedSpan)].name;
    if (isArgumentBlock(global))
      root.kind = Root::Kind::Block;
    else if (isSharedVariable(*global))
      root.kind = Root::Kind::Shared;
    else
      root.kind = Root::Kind::Table;
  }
  unsigned id = place->second;
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

/// Adds ids to a set; true if that changed it.
static bool addAll(SmallVectorImpl<unsigned> &set, ArrayRef<unsigned> from) {
  SmallVector<unsigned, 4> merged;
  std::set_union(set.begin(), set.end(), from.begin(), from.end(), std::back_inserter(merged));
  bool changed = merged.size() != set.size();
  set.assign(merged.begin(), merged.end());
  return changed;
}

bool PointerRoots::mergeInto(Value *pointer, Value *source) {
  RootSet from = setOf(source);
  return addAll(sets[pointer], from);
}

void PointerRoots::propagate() {
  for (bool changed = true; changed && isValid;)
    changed = propagateOnce();
  if (!isValid)
    return;
  // Every operand that is a root by itself must have a set too.
  for (const Access &access : allAccesses)
    setOf(access.pointer);
  for (Instruction *pointer : pointerInstructions)
    for (Value *operand : pointer->operands())
      if (isPointer(operand))
        setOf(operand);
  for (PtrToIntInst *conversion : conversions)
    setOf(conversion->getPointerOperand());
  for (ICmpInst *comparison : comparisons)
    for (Value *operand : comparison->operands())
      setOf(operand);
  checkRoots();
}

bool PointerRoots::propagateOnce() {
  bool changed = false;
  for (PtrToIntInst *conversion : conversions)
    if (pointerNumbers.isNumber(*conversion))
      changed |= addAll(numbered, RootSet(setOf(conversion->getPointerOperand())));
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
      changed |= addAll(sets[pointer], numbered);
    } else {
      fail(diag::Id::shader_unknown_pointer, *pointer,
           "index the buffer or variable directly instead");
      return false;
    }
  }
  size_t before = allRoots.size();
  changed |= addNumberedInTables();
  return changed || allRoots.size() != before;
}

/// Tables may hold pointers to others, which are numbers there.
bool PointerRoots::addNumberedInTables() {
  bool changed = false;
  if (!pointerNumbers.needed())
    return false;
  for (unsigned id = 0; id < allRoots.size(); ++id) {
    if (allRoots[id].kind != Root::Kind::Table || !isConstantTable(*allRoots[id].value))
      continue;
    auto *table = cast<GlobalVariable>(allRoots[id].value);
    forEachPointerIn(*table->getInitializer(), table->getDataLayout(),
                     [&](const Constant &pointer, uint64_t) {
                       Value *base = getUnderlyingObject(const_cast<Constant *>(&pointer));
                       if (isa<GlobalVariable>(base))
                         changed |= addAll(numbered, rootFor(base));
                     });
  }
  return changed;
}

void PointerRoots::checkRoots() {
  for (Instruction *pointer : pointerInstructions)
    if (isa<IntToPtrInst>(pointer) && sets[pointer].empty()) // no pointer was ever made a number
      return fail(diag::Id::shader_unknown_pointer, *pointer, madeOfNumber);
  for (const Access &access : allAccesses) {
    bool elsewhere = false, inBuffer = false;
    for (unsigned id : rootsOf(access.pointer)) {
      const Root &root = allRoots[id];
      if (root.kind == Root::Kind::Table && !isConstantTable(*root.value))
        return fail(diag::Id::shader_mutable_global, *access.instruction, root.name);
      bool isArgument = root.kind == Root::Kind::Buffer || root.kind == Root::Kind::Block;
      inBuffer |= isArgument;
      elsewhere |= !isArgument && root.kind != Root::Kind::Null;
    }
    if (inBuffer && !elsewhere && movesPointer(*access.instruction))
      return fail(diag::Id::shader_pointer_in_memory, *access.instruction, "");
  }
}

/// Roots get new ids, in the same order within each of the two parts.
void PointerRoots::putNumberedFirst() {
  SmallVector<unsigned> newIds(allRoots.size());
  std::vector<Root> ordered;
  for (bool first : {true, false})
    for (unsigned id = 0; id < allRoots.size(); ++id)
      if (is_contained(numbered, id) == first) {
        newIds[id] = static_cast<unsigned>(ordered.size());
        ordered.push_back(allRoots[id]);
      }
  allRoots = std::move(ordered);
  auto renumber = [&](RootSet &set) {
    for (unsigned &id : set)
      id = newIds[id];
    llvm::sort(set);
  };
  renumber(numbered);
  for (auto &[pointer, set] : sets)
    renumber(set);
  for (auto &[value, id] : rootIds)
    id = newIds[id];
  for (unsigned id = 0; id < allRoots.size(); ++id)
    classes.insert(id);
}

unsigned PointerRoots::offsetBits() const {
  constexpr unsigned numberBits = 32;
  return numberBits - Log2_32_Ceil(static_cast<uint32_t>(numbered.size()));
}

uint64_t PointerRoots::numberUnit(unsigned root) const {
  return pointerNumbers.countBytes() ? 1 : unitOf(root);
}

uint32_t PointerRoots::numberOf(const Constant &pointer) const {
  const DataLayout &layout = function.getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const Value *base = pointer.stripAndAccumulateConstantOffsets(layout, offset,
                                                                /*AllowNonInbounds=*/true);
  auto found = rootIds.find(const_cast<Value *>(base));
  if (found == rootIds.end()) // null, or something that is never reached through the table
    return 0;
  uint64_t mask = (uint64_t{1} << offsetBits()) - 1;
  auto units = static_cast<uint64_t>(offset.getSExtValue() /
                                     static_cast<int64_t>(numberUnit(found->second)));
  return static_cast<uint32_t>(uint64_t{found->second} << offsetBits() | (units & mask));
}

uint64_t PointerRoots::maxBufferBytes() const {
  uint64_t bytes = 0;
  if (pointerNumbers.needed())
    for (unsigned id : numbered)
      if (allRoots[id].kind == Root::Kind::Buffer)
        // One less, for the pointer past the end.
        bytes = ((uint64_t{1} << offsetBits()) - 1) * numberUnit(id);
  return bytes;
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
  if (pointerNumbers.needed())
    for (unsigned id : numbered)
      classes.unionSets(0, id);
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
      fail(diag::Id::shader_unknown_pointer, *pointer, {"its offset has no fixed scale"});
      return;
    }
    narrowUnit(pointer, constant.abs().getZExtValue());
    for (auto &[index, scale] : scales)
      narrowUnit(pointer, scale.abs().getZExtValue() * knownFactor(*index, layout));
  }
  narrowUnitsByTables();
  // A shared span is a whole number of units, whatever its length.
  for (unsigned id = 0; id < allRoots.size(); ++id)
    if (int span = allRoots[id].sharedSpan; span >= 0) {
      uint64_t &unit = units[*classes.findLeader(id)];
      unit = std::gcd(unit, kernel.sharedSpans[static_cast<unsigned>(span)].elementSize);
    }
  for (uint64_t &unit : units)
    if (unit == noUnit)
      unit = 1;
}

/// A table is one instruction of SPIR-V, which counts its words in 16 bits.
void PointerRoots::checkTables() {
  constexpr uint64_t maxElements = 65535 - 3; // opcode, type and result take three
  for (const Access &access : allAccesses)
    for (const unsigned id : rootsOf(access.pointer)) {
      const Root &root = allRoots[id];
      const uint64_t elements = root.bytes / unitOf(id);
      if (root.kind == Root::Kind::Table && elements > maxElements)
        return failWith(diag::Id::shader_table_too_large, *access.instruction,
                        {root.name, std::to_string(elements), std::to_string(maxElements)});
    }
}

/// The pointers in tables point to whole units, too.
void PointerRoots::narrowUnitsByTables() {
  if (!pointerNumbers.needed())
    return;
  const DataLayout &layout = function.getDataLayout();
  uint64_t &unit = units[*classes.findLeader(0)];
  for (const Root &root : allRoots)
    if (root.kind == Root::Kind::Table && isConstantTable(*root.value))
      forEachPointerIn(*cast<GlobalVariable>(root.value)->getInitializer(), layout,
                       [&](const Constant &pointer, uint64_t) {
                         APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
                         pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
                         if (!offset.isZero())
                           unit = std::gcd(unit, offset.abs().getZExtValue());
                       });
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

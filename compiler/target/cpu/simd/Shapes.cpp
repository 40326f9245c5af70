//===- Shapes.cpp - how a value differs from lane to lane -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/Shapes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace khalc::cpu::simd {

using shader::Node;
using shader::NodeKind;
using shader::Region;

namespace {

/// How far expressions are followed to prove something of them.
constexpr unsigned maxDepth = 8;

Shape join(Shape a, Shape b) {
  if (a.kind == Shape::Kind::Unknown)
    return b;
  if (b.kind == Shape::Kind::Unknown || a == b)
    return a;
  return Shape::varying();
}

bool isConstruct(const Node &node) {
  return node.kind == NodeKind::Loop || node.kind == NodeKind::Scope;
}

/// True if lanes with equal operands get equal results.
bool isFunctionOfOperands(const Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return !load->isVolatile() && !isStrongerThanMonotonic(load->getOrdering());
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return call->doesNotAccessMemory() && !call->isInlineAsm();
  return !isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction);
}

} // namespace

Shapes::Shapes(const shader::StructuredFunction &tree, unsigned width,
               const DenseMap<const Value *, Shape> &arguments)
    : lanes(width), shapes(arguments) {
  findInterleaved(*tree.function);
  index(tree.body, nullptr);
  do
    settle();
  while (raiseUnknown());
}

void Shapes::settle() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Place &place : places)
      changed |= visit(*place.node);
  }
}

/// What depends on nothing but itself has no value that could be told.
bool Shapes::raiseUnknown() {
  bool changed = false;
  for (const Place &place : places)
    if (place.node->kind == NodeKind::Code)
      for (const Instruction &instruction : *place.node->block)
        if (!instruction.getType()->isVoidTy() && of(&instruction).kind == Shape::Kind::Unknown)
          changed |= raise(instruction, Shape::varying());
  return changed;
}

void Shapes::index(const Region &region, const Node *parent) {
  for (const std::unique_ptr<Node> &node : region) {
    unsigned order = places.size();
    placeOf[node.get()] = order;
    places.push_back({node.get(), parent, order});
    switch (node->kind) {
    case NodeKind::Code:
      codeOf[node->block] = node.get();
      break;
    case NodeKind::PhiCopy:
      copiesTo[node->to].push_back(node.get());
      break;
    case NodeKind::IfFlag:
      flagTests[node->flag].push_back(node.get());
      break;
    case NodeKind::Return:
      forEachAncestor(node.get(), [&](const Node *around) { returns.insert(around); });
      break;
    default:
      break;
    }
    index(node->body, node.get());
    index(node->elseBody, node.get());
    for (const shader::SwitchCase &choice : node->cases)
      index(choice.body, node.get());
  }
}

template <typename Function>
void Shapes::forEachAncestor(const Node *node, Function function) const {
  for (node = places[placeOf.lookup(node)].parent; node; node = places[placeOf.lookup(node)].parent)
    function(node);
}

bool Shapes::isWithin(const Node *node, const Node *ancestor) const {
  bool found = false;
  forEachAncestor(node, [&](const Node *around) { found |= around == ancestor; });
  return found;
}

/// True if something around `from`, but not around `to`, parts the lanes.
bool Shapes::divergesBefore(const Node *from, const Node *to) const {
  bool diverges = false;
  forEachAncestor(
      from, [&](const Node *around) { diverges |= isDivergent(*around) && !isWithin(to, around); });
  return diverges;
}

bool Shapes::visit(const Node &node) {
  switch (node.kind) {
  case NodeKind::Code: {
    bool changed = false;
    for (const Instruction &instruction : *node.block)
      if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        changed |= raise(instruction, shapeOf(instruction));
    return changed;
  }
  case NodeKind::PhiCopy:
    return visitPhis(node);
  case NodeKind::If:
  case NodeKind::Switch: {
    Shape condition = of(node.condition);
    return condition.kind > Shape::Kind::Uniform && markDivergent(node);
  }
  case NodeKind::IfFlag:
    return divergentFlags.contains(node.flag) && markDivergent(node);
  case NodeKind::SetFlag:
    return visitFlag(node);
  case NodeKind::Break:
  case NodeKind::Continue:
  case NodeKind::Return:
    return visitJump(node);
  case NodeKind::Loop:
  case NodeKind::Scope:
  case NodeKind::Unreachable:
    return false;
  }
  return false;
}

/// What a jump leaves, some lanes leave and others don't if they have been parted within it.
bool Shapes::visitJump(const Node &jump) {
  bool changed = false;
  bool parted = false;
  bool arrived = false;
  forEachAncestor(&jump, [&](const Node *around) {
    if (arrived)
      return;
    if (isConstruct(*around) && parted)
      changed |= markDivergent(*around);
    parted |= isDivergent(*around);
    arrived = (jump.kind == NodeKind::Break && isConstruct(*around)) ||
              (jump.kind == NodeKind::Continue && around->kind == NodeKind::Loop);
  });
  return changed;
}

bool Shapes::visitFlag(const Node &set) {
  if (divergentFlags.contains(set.flag))
    return false;
  auto found = flagTests.find(set.flag);
  if (found == flagTests.end())
    return false;
  if (none_of(found->second, [&](const Node *test) { return divergesBefore(&set, test); }))
    return false;
  return divergentFlags.insert(set.flag).second;
}

bool Shapes::visitPhis(const Node &copy) {
  const Node *code = codeOf.lookup(copy.to);
  bool parted = !code || divergesBefore(&copy, code);
  bool changed = false;
  for (const PHINode &phi : copy.to->phis()) {
    Shape incoming = of(phi.getIncomingValueForBlock(copy.block));
    // A variable holds the base alone: it couldn't say whether what it came from has wrapped.
    changed |= raise(phi, parted || incoming.mayWrap ? Shape::varying() : incoming);
  }
  return changed;
}

bool Shapes::raise(const Value &value, Shape shape) {
  Shape &known = shapes[&value];
  Shape joined = join(known, shape);
  if (joined == known)
    return false;
  known = joined;
  return true;
}

bool Shapes::mayOverwrite(const Node &copy) const {
  const Node *code = codeOf.lookup(copy.to);
  if (!code)
    return true;
  auto found = copiesTo.find(copy.to);
  if (none_of(found->second, [&](const Node *other) { return divergesBefore(other, code); }))
    return true;
  // The first to write has nothing to spare, if it writes once.
  if (found->second.front() != &copy)
    return false;
  bool repeats = false;
  forEachAncestor(&copy, [&](const Node *around) {
    repeats |= around->kind == NodeKind::Loop && !isWithin(code, around);
  });
  return !repeats;
}

Shape Shapes::of(const Value *value) const {
  auto found = shapes.find(value);
  if (found != shapes.end())
    return found->second;
  return isa<Instruction>(value) ? Shape() : Shape::uniform();
}

//===--------------------------------------------------------------------------------------------===//
// Instructions
//===--------------------------------------------------------------------------------------------===//

Shape Shapes::shapeOf(const Instruction &instruction) const {
  if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
    const DataLayout &layout = instruction.getDataLayout();
    if (unsigned bytes = interleavedElement(variable))
      return Shape::strided(bytes);
    return Shape::strided(
        alignTo(variable->getAllocationSize(layout)->getFixedValue(), variable->getAlign()));
  }
  bool uniform = true;
  for (const Value *operand : instruction.operands()) {
    Shape shape = of(operand);
    if (shape.kind == Shape::Kind::Unknown)
      return shape; // what it depends on comes later: in a loop
    uniform &= shape.isUniform();
  }
  if (!isFunctionOfOperands(instruction))
    return Shape::varying();
  if (uniform)
    return Shape::uniform();
  switch (instruction.getOpcode()) {
  case Instruction::GetElementPtr:
    return shapeOfAddress(cast<GetElementPtrInst>(instruction));
  case Instruction::ZExt:
  case Instruction::SExt:
    return shapeOfExtension(cast<CastInst>(instruction));
  case Instruction::Freeze:
  case Instruction::Trunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr: {
    Shape shape = of(instruction.getOperand(0));
    Type *type = instruction.getType();
    bool narrow = type->isIntegerTy() && type->getIntegerBitWidth() < 8;
    return shape.isStrided() && !shape.mayWrap && !narrow && !type->isVectorTy() ? shape
                                                                                 : Shape::varying();
  }
  case Instruction::Select: {
    Shape a = of(instruction.getOperand(1));
    Shape b = of(instruction.getOperand(2));
    return of(instruction.getOperand(0)).isUniform() && a == b && !a.mayWrap ? a : Shape::varying();
  }
  default:
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      return shapeOfArithmetic(*operation);
    return Shape::varying();
  }
}

Shape Shapes::shapeOfArithmetic(const BinaryOperator &operation) const {
  if (!operation.getType()->isIntegerTy())
    return Shape::varying();
  Shape a = of(operation.getOperand(0));
  Shape b = of(operation.getOperand(1));
  if (a.isVarying() || b.isVarying())
    return Shape::varying();
  bool mayWrap = a.mayWrap || b.mayWrap;
  auto *constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  bool small = constant && constant->getValue().isSignedIntN(32);
  int64_t sum = 0;
  switch (operation.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(operation).isDisjoint())
      return Shape::varying();
    [[fallthrough]];
  case Instruction::Add:
    return AddOverflow(a.stride, b.stride, sum) ? Shape::varying() : Shape::strided(sum, mayWrap);
  case Instruction::Sub:
    return SubOverflow(a.stride, b.stride, sum) ? Shape::varying() : Shape::strided(sum, mayWrap);
  case Instruction::Mul:
    if (!small || MulOverflow(a.stride, constant->getSExtValue(), sum))
      return Shape::varying();
    return Shape::strided(sum, mayWrap);
  case Instruction::Shl:
    if (!small || constant->getZExtValue() > 31 ||
        MulOverflow(a.stride, int64_t{1} << constant->getZExtValue(), sum))
      return Shape::varying();
    return Shape::strided(sum, mayWrap);
  default:
    return Shape::varying();
  }
}

Shape Shapes::shapeOfExtension(const CastInst &cast) const {
  Shape shape = of(cast.getOperand(0));
  // Of a wrapped base, two levels up, nothing simple can be asked.
  if (!shape.isStrided() || shape.mayWrap || shape.stride <= 0 || shape.stride > (1 << 24) ||
      cast.getSrcTy()->getScalarSizeInBits() < 32 || cast.getType()->isVectorTy())
    return Shape::varying();
  return Shape::strided(shape.stride, !staysInRange(cast.getOperand(0), isa<SExtInst>(cast), 0));
}

/// True if widening base + lane * stride gives wide base + lane * stride in each lane that is live.
/// Flags promise that for live lanes only; lanes before them have less and are in range too.
bool Shapes::staysInRange(const Value *value, bool isSigned, unsigned depth) const {
  Shape shape = of(value);
  if (shape.isUniform())
    return true;
  if (!shape.isStrided() || shape.mayWrap || depth > maxDepth || shape.stride <= 0)
    return false;
  // No carry leaves the low bits.
  if (trailingZeros(value, 0) >= Log2_64_Ceil(uint64_t(shape.stride) * lanes))
    return true;
  auto *operation = dyn_cast<OverflowingBinaryOperator>(value);
  if (!operation || !(isSigned ? operation->hasNoSignedWrap() : operation->hasNoUnsignedWrap()))
    return isa<Argument>(value);
  if (operation->getOpcode() == Instruction::Sub)
    return false;
  return staysInRange(operation->getOperand(0), isSigned, depth + 1) &&
         staysInRange(operation->getOperand(1), isSigned, depth + 1);
}

/// Of the base of a value.
unsigned Shapes::trailingZeros(const Value *value, unsigned depth) const {
  if (depth > maxDepth || !value->getType()->isIntegerTy())
    return 0;
  if (isa<Argument>(value) && of(value).isStrided())
    return Log2_64(lanes);
  auto next = [&](unsigned operand) {
    return trailingZeros(cast<Operator>(value)->getOperand(operand), depth + 1);
  };
  switch (Operator::getOpcode(value)) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
    return std::min(next(0), next(1));
  case Instruction::Mul:
    return next(0) + next(1);
  case Instruction::Shl:
    if (auto *amount = dyn_cast<ConstantInt>(cast<Operator>(value)->getOperand(1)))
      return next(0) + amount->getLimitedValue(64);
    return next(0);
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return next(0);
  default:
    break;
  }
  if (!of(value).isUniform())
    return 0;
  const Module *module = nullptr;
  if (auto *instruction = dyn_cast<Instruction>(value))
    module = instruction->getModule();
  else if (auto *argument = dyn_cast<Argument>(value))
    module = argument->getParent()->getParent();
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return constant->isZero() ? constant->getBitWidth() : constant->getValue().countr_zero();
  return module ? computeKnownBits(value, module->getDataLayout()).countMinTrailingZeros() : 0;
}

Shape Shapes::shapeOfAddress(const GetElementPtrInst &address) const {
  if (address.getType()->isVectorTy())
    return Shape::varying();
  Shape base = of(address.getPointerOperand());
  if (base.isVarying())
    return base;
  const DataLayout &layout = address.getDataLayout();
  unsigned indexBits = layout.getIndexTypeSizeInBits(address.getType());
  int64_t stride = 0;
  bool mayWrap = base.mayWrap;
  for (gep_type_iterator part = gep_type_begin(address), end = gep_type_end(address); part != end;
       ++part) {
    Shape index = of(part.getOperand());
    if (index.isUniform())
      continue;
    if (!index.isStrided() || part.getOperand()->getType()->getScalarSizeInBits() < indexBits)
      return Shape::varying();
    int64_t scaled = 0;
    int64_t scale = part.getSequentialElementStride(layout).getFixedValue();
    if (MulOverflow(index.stride, scale, scaled) || AddOverflow(stride, scaled, stride))
      return Shape::varying();
    mayWrap |= index.mayWrap;
  }
  // Elements of lanes lie between those of one lane.
  if (interleavedElementAt(&address) && MulOverflow(stride, int64_t{lanes}, stride))
    return Shape::varying();
  if (AddOverflow(stride, base.stride, stride))
    return Shape::varying();
  return Shape::strided(stride, mayWrap);
}

//===--------------------------------------------------------------------------------------------===//
// Private memory
//===--------------------------------------------------------------------------------------------===//

unsigned Shapes::interleavedElementAt(const Value *address) const {
  while (auto *step = dyn_cast<GetElementPtrInst>(address))
    address = step->getPointerOperand();
  auto *variable = dyn_cast<AllocaInst>(address);
  return variable ? interleavedElement(variable) : 0;
}

/// The size of all accesses to a variable that is used by plain accesses alone, each to one
/// element of that size.
static unsigned commonElement(const AllocaInst &variable) {
  const DataLayout &layout = variable.getDataLayout();
  unsigned bytes = 0;
  SmallVector<const Value *> pending{&variable};
  while (!pending.empty()) {
    const Value *address = pending.pop_back_val();
    for (const Use &use : address->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst>(user) && use.getOperandNo() == 0) {
        pending.push_back(user);
        continue;
      }
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(user);
          intrinsic && (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic()))
        continue;
      if (getLoadStorePointerOperand(user) != address || user->isAtomic() || user->isVolatile() ||
          (isa<StoreInst>(user) && use.getOperandNo() == 0))
        return 0;
      Type *type = getLoadStoreType(user);
      unsigned size = layout.getTypeStoreSize(type).getFixedValue();
      // An aligned address is a multiple of the size away from the start.
      if (!type->isSingleValueType() || type->isVectorTy() || !isPowerOf2_32(size) ||
          getLoadStoreAlignment(user) < size || layout.getTypeAllocSize(type) != size ||
          (bytes && bytes != size))
        return 0;
      bytes = size;
    }
  }
  return variable.getAlign() < bytes ? 0 : bytes;
}

void Shapes::findInterleaved(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (unsigned bytes = commonElement(*variable))
        interleaved[variable] = bytes;
}

} // namespace khalc::cpu::simd

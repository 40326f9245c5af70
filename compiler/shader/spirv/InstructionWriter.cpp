//===- InstructionWriter.cpp - single instructions in SPIR-V -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/spirv/InstructionWriter.h"

#include "diag/Diagnostics.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using khalc::shader::Resource;

namespace khalc::spirv {

StringRef sourceName(const Value &value) {
  StringRef name = value.getName().split('.').first;
  return name.starts_with("_") ? StringRef() : name; // mangled
}

Id InstructionWriter::value(const Value *value) {
  if (auto *constant = dyn_cast<Constant>(value))
    return types.constant(constant);
  return ids.lookup(value);
}

void InstructionWriter::beginFunction(Id function) {
  if (debugInfo)
    debugInfo->beginFunction(function);
}

void InstructionWriter::write(Instruction &instruction) {
  if (debugInfo)
    variables(instruction);
  line(instruction);
  Id id = visit(instruction);
  if (id == 0)
    return;
  const bool isNew = !ids.contains(&instruction) && !isa<ExtractValueInst, FreezeInst>(instruction);
  define(&instruction, id);
  // SPIRV-Tools 2023.1 takes a name for a use, and narrow values have few that it allows.
  const unsigned bits = instruction.getType()->getScalarSizeInBits();
  if (form.names && isNew && (bits == 1 || bits >= 32))
    builder.name(id, sourceName(instruction));
}

/// The variables that have a new value from this instruction on.
void InstructionWriter::variables(const Instruction &instruction) {
  for (const DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
    if (!record.isDbgValue() || record.hasArgList())
      continue;
    const Value *value = record.getVariableLocationOp(0);
    // A constant of its own could need a capability that the code doesn't.
    if (value && !isa<Constant>(value))
      debugInfo->value(record, ids.lookup(value));
  }
}

void InstructionWriter::line(const Instruction &instruction) {
  const DebugLoc &location = instruction.getDebugLoc();
  if (!location || location.getLine() == 0)
    return;
  if (debugInfo)
    return debugInfo->at(*location);
  Id file = builder.string(cast<DIScope>(location.getScope())->getFilename());
  std::pair<Id, std::pair<unsigned, unsigned>> place{file, {location.getLine(), location.getCol()}};
  if (place == currentLine)
    return;
  currentLine = place;
  builder.emit(spv::OpLine, {file, location.getLine(), location.getCol()});
}

Id InstructionWriter::unsupported(const Instruction &instruction, const std::string &what,
                                  const std::string &instead) {
  diagnostics.report(diag::Id::shader_unsupported_instruction, instruction, {what, instead});
  hasFailed = true;
  return 0;
}

Id InstructionWriter::visitInstruction(Instruction &instruction) {
  return unsupported(instruction, std::string("'") + instruction.getOpcodeName() + "'",
                     "rewrite this expression");
}

// --- memory -------------------------------------------------------------------------------------

const Resource *InstructionWriter::resourceOf(const Value *pointer) {
  return resources.element(pointer).resource;
}

Id InstructionWriter::pointerTo(const Value *pointer, const Instruction &user) {
  Resources::Element element = resources.element(pointer);
  if (!element.resource) {
    unsupported(user, "an access through this pointer", "index the buffer or variable directly");
    return builder.newId();
  }
  return resources.elementPointer(*element.resource,
                                  element.index ? value(element.index) : builder.u32(0));
}

Id InstructionWriter::visitLoadInst(LoadInst &load) {
  Id pointer = pointerTo(load.getPointerOperand(), load);
  Id type = types.type(load.getType());
  if (load.isAtomic())
    return builder.emit(spv::OpAtomicLoad, type,
                        {pointer, scopeOf(load.getContext(), load.getSyncScopeID()),
                         semanticsOf(load.getOrdering())});
  if (load.isVolatile())
    return builder.emit(spv::OpLoad, type, {pointer, spv::MemoryAccessVolatileMask});
  return builder.emit(spv::OpLoad, type, {pointer});
}

Id InstructionWriter::visitStoreInst(StoreInst &store) {
  Id pointer = pointerTo(store.getPointerOperand(), store);
  Id object = value(store.getValueOperand());
  if (store.isAtomic())
    builder.emit(spv::OpAtomicStore, {pointer, scopeOf(store.getContext(), store.getSyncScopeID()),
                                      semanticsOf(store.getOrdering()), object});
  else if (store.isVolatile())
    builder.emit(spv::OpStore, {pointer, object, spv::MemoryAccessVolatileMask});
  else
    builder.emit(spv::OpStore, {pointer, object});
  return 0;
}

Id InstructionWriter::scopeOf(const LLVMContext &context, SyncScope::ID scope) {
  std::optional<StringRef> name = context.getSyncScopeName(scope);
  if (name && *name == "workgroup")
    return builder.u32(spv::ScopeWorkgroup);
  if (name && *name == "subgroup")
    return builder.u32(spv::ScopeSubgroup);
  if (name && *name == "singlethread")
    return builder.u32(spv::ScopeInvocation);
  return builder.u32(spv::ScopeDevice);
}

Id InstructionWriter::semanticsOf(AtomicOrdering ordering) {
  uint32_t semantics = 0;
  switch (ordering) {
  case AtomicOrdering::Acquire:
    semantics = spv::MemorySemanticsAcquireMask;
    break;
  case AtomicOrdering::Release:
    semantics = spv::MemorySemanticsReleaseMask;
    break;
  case AtomicOrdering::AcquireRelease:
  case AtomicOrdering::SequentiallyConsistent: // Vulkan has none stronger
    semantics = spv::MemorySemanticsAcquireReleaseMask;
    break;
  default:
    return builder.u32(0);
  }
  // An ordered atomic orders what lies in both kinds of memory, as in C++.
  semantics |= spv::MemorySemanticsUniformMemoryMask | spv::MemorySemanticsWorkgroupMemoryMask;
  return builder.u32(semantics);
}

Id InstructionWriter::visitAtomicRMWInst(AtomicRMWInst &operation) {
  spv::Op op = spv::OpNop;
  switch (operation.getOperation()) {
  case AtomicRMWInst::Xchg:
    op = spv::OpAtomicExchange;
    break;
  case AtomicRMWInst::Add:
    op = spv::OpAtomicIAdd;
    break;
  case AtomicRMWInst::Sub:
    op = spv::OpAtomicISub;
    break;
  case AtomicRMWInst::And:
    op = spv::OpAtomicAnd;
    break;
  case AtomicRMWInst::Or:
    op = spv::OpAtomicOr;
    break;
  case AtomicRMWInst::Xor:
    op = spv::OpAtomicXor;
    break;
  case AtomicRMWInst::Max:
    op = spv::OpAtomicSMax;
    break;
  case AtomicRMWInst::Min:
    op = spv::OpAtomicSMin;
    break;
  case AtomicRMWInst::UMax:
    op = spv::OpAtomicUMax;
    break;
  case AtomicRMWInst::UMin:
    op = spv::OpAtomicUMin;
    break;
  default:
    return visitInstruction(operation);
  }
  unsigned width = operation.getType()->getIntegerBitWidth();
  if (width < 32)
    return unsupported(operation, "an atomic on fewer than 32 bits", "use a 32-bit atomic");
  const Resource *resource = resourceOf(operation.getPointerOperand());
  if (width == 64)
    types.requireInt64Atomics(resource && resource->kind == Resource::Kind::Shared);
  Id pointer = pointerTo(operation.getPointerOperand(), operation);
  return builder.emit(op, types.type(operation.getType()),
                      {pointer, scopeOf(operation.getContext(), operation.getSyncScopeID()),
                       semanticsOf(operation.getOrdering()), value(operation.getValOperand())});
}

/// When the exchange fails nothing is stored, so nothing is released.
static AtomicOrdering loadOrderingOf(const AtomicCmpXchgInst &exchange) {
  const AtomicOrdering ordering = exchange.getFailureOrdering();
  return ordering == AtomicOrdering::SequentiallyConsistent ? AtomicOrdering::Acquire : ordering;
}

Id InstructionWriter::visitAtomicCmpXchgInst(AtomicCmpXchgInst &exchange) {
  Type *type = exchange.getNewValOperand()->getType();
  if (!type->isIntegerTy() || type->getIntegerBitWidth() < 32)
    return unsupported(exchange, "a compare-exchange on this type", "use a 32-bit atomic");
  const Resource *resource = resourceOf(exchange.getPointerOperand());
  if (type->isIntegerTy(64))
    types.requireInt64Atomics(resource && resource->kind == Resource::Kind::Shared);
  Id pointer = pointerTo(exchange.getPointerOperand(), exchange);
  // The id stands for the old value; extractvalue tells the pair's halves apart.
  return builder.emit(spv::OpAtomicCompareExchange, types.type(type),
                      {pointer, scopeOf(exchange.getContext(), exchange.getSyncScopeID()),
                       semanticsOf(exchange.getSuccessOrdering()),
                       semanticsOf(loadOrderingOf(exchange)), value(exchange.getNewValOperand()),
                       value(exchange.getCompareOperand())});
}

Id InstructionWriter::visitExtractValueInst(ExtractValueInst &extract) {
  auto *exchange = dyn_cast<AtomicCmpXchgInst>(extract.getAggregateOperand());
  if (!exchange)
    return unsupported(extract, "a value of struct type", "use its members one by one");
  if (extract.getIndices()[0] == 0)
    return value(exchange);
  return builder.emit(spv::OpIEqual, builder.boolType(),
                      {value(exchange), value(exchange->getCompareOperand())});
}

Id InstructionWriter::visitFenceInst(FenceInst &fence) {
  Id semantics = semanticsOf(fence.getOrdering());
  builder.emit(spv::OpMemoryBarrier,
               {scopeOf(fence.getContext(), fence.getSyncScopeID()), semantics});
  return 0;
}

// --- arithmetic ---------------------------------------------------------------------------------

/// LLVM lets an operation fuse with others only where the source's rules do; a driver may always,
/// unless told not to.
void InstructionWriter::noContraction(Id id, const Instruction &instruction) {
  if (isa<FPMathOperator>(instruction) && !instruction.hasAllowContract())
    builder.decorate(id, spv::DecorationNoContraction);
}

Id InstructionWriter::logical(BinaryOperator &operation) {
  spv::Op op = spv::OpNop;
  switch (operation.getOpcode()) {
  case Instruction::And:
  case Instruction::Mul:
    op = spv::OpLogicalAnd;
    break;
  case Instruction::Or:
    op = spv::OpLogicalOr;
    break;
  case Instruction::Xor:
  case Instruction::Add:
  case Instruction::Sub:
    op = spv::OpLogicalNotEqual;
    break;
  default:
    return visitInstruction(operation);
  }
  return builder.emit(op, builder.boolType(),
                      {value(operation.getOperand(0)), value(operation.getOperand(1))});
}

Id InstructionWriter::visitBinaryOperator(BinaryOperator &operation) {
  if (operation.getType()->isIntegerTy(1))
    return logical(operation);
  spv::Op op = spv::OpNop;
  switch (operation.getOpcode()) {
  case Instruction::Add:
    op = spv::OpIAdd;
    break;
  case Instruction::Sub:
    op = spv::OpISub;
    break;
  case Instruction::Mul:
    op = spv::OpIMul;
    break;
  case Instruction::UDiv:
    op = spv::OpUDiv;
    break;
  case Instruction::SDiv:
    op = spv::OpSDiv;
    break;
  case Instruction::URem:
    op = spv::OpUMod;
    break;
  case Instruction::SRem:
    return signedRemainder(operation);
  case Instruction::FDiv:
    if (isReciprocalSquareRoot(operation))
      return reciprocalSquareRoot(operation);
    op = spv::OpFDiv;
    break;
  case Instruction::Shl:
    op = spv::OpShiftLeftLogical;
    break;
  case Instruction::LShr:
    op = spv::OpShiftRightLogical;
    break;
  case Instruction::AShr:
    op = spv::OpShiftRightArithmetic;
    break;
  case Instruction::And:
    op = spv::OpBitwiseAnd;
    break;
  case Instruction::Or:
    // A sum without carries, as LLVM likes to write it; drivers fold sums into addresses.
    op = cast<PossiblyDisjointInst>(operation).isDisjoint() ? spv::OpIAdd : spv::OpBitwiseOr;
    break;
  case Instruction::Xor:
    op = spv::OpBitwiseXor;
    break;
  case Instruction::FAdd:
    op = spv::OpFAdd;
    break;
  case Instruction::FSub:
    op = spv::OpFSub;
    break;
  case Instruction::FMul:
    op = spv::OpFMul;
    break;
  case Instruction::FRem:
    op = spv::OpFRem;
    break;
  default:
    return visitInstruction(operation);
  }
  Id id = builder.emit(op, types.type(operation.getType()),
                       {value(operation.getOperand(0)), value(operation.getOperand(1))});
  noContraction(id, operation);
  return id;
}

/// By division: Vulkan leaves OpSRem of negative numbers undefined (Precision and Operation of SPIR-V
/// Instructions), and NVIDIA's driver makes use of that.
Id InstructionWriter::signedRemainder(BinaryOperator &operation) {
  Id type = types.type(operation.getType());
  Id dividend = value(operation.getOperand(0)), divisor = value(operation.getOperand(1));
  Id quotient = builder.emit(spv::OpSDiv, type, {dividend, divisor});
  Id product = builder.emit(spv::OpIMul, type, {quotient, divisor});
  return builder.emit(spv::OpISub, type, {dividend, product});
}

bool isReciprocalSquareRoot(const BinaryOperator &division) {
  return division.getOpcode() == Instruction::FDiv && division.hasAllowReciprocal() &&
         match(&division, PatternMatch::m_FDiv(PatternMatch::m_FPOne(),
                                               PatternMatch::m_Intrinsic<Intrinsic::sqrt>()));
}

Id InstructionWriter::reciprocalSquareRoot(BinaryOperator &division) {
  auto *root = cast<IntrinsicInst>(division.getOperand(1));
  return ext(types.type(division.getType()), GLSLstd450InverseSqrt,
             {value(root->getArgOperand(0))});
}

Id InstructionWriter::visitUnaryOperator(UnaryOperator &operation) {
  return builder.emit(spv::OpFNegate, types.type(operation.getType()),
                      {value(operation.getOperand(0))});
}

Id InstructionWriter::compareBools(ICmpInst &comparison) {
  Id left = value(comparison.getOperand(0));
  Id right = value(comparison.getOperand(1));
  Id boolean = builder.boolType();
  auto both = [&](Id x, bool negateX, Id y, bool negateY, spv::Op op) {
    if (negateX)
      x = builder.emit(spv::OpLogicalNot, boolean, {x});
    if (negateY)
      y = builder.emit(spv::OpLogicalNot, boolean, {y});
    return builder.emit(op, boolean, {x, y});
  };
  switch (comparison.getPredicate()) {
  case CmpInst::ICMP_EQ:
    return builder.emit(spv::OpLogicalEqual, boolean, {left, right});
  case CmpInst::ICMP_NE:
    return builder.emit(spv::OpLogicalNotEqual, boolean, {left, right});
  // As a signed number true is -1, so that the signed orders are the unsigned ones turned round.
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_SLT:
    return both(left, false, right, true, spv::OpLogicalAnd);
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_SGT:
    return both(left, true, right, false, spv::OpLogicalAnd);
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SLE:
    return both(left, false, right, true, spv::OpLogicalOr);
  default: // ULE, SGE
    return both(left, true, right, false, spv::OpLogicalOr);
  }
}

Id InstructionWriter::visitICmpInst(ICmpInst &comparison) {
  if (comparison.getOperand(0)->getType()->isIntegerTy(1))
    return compareBools(comparison);
  spv::Op op = spv::OpNop;
  switch (comparison.getPredicate()) {
  case CmpInst::ICMP_EQ:
    op = spv::OpIEqual;
    break;
  case CmpInst::ICMP_NE:
    op = spv::OpINotEqual;
    break;
  case CmpInst::ICMP_UGT:
    op = spv::OpUGreaterThan;
    break;
  case CmpInst::ICMP_UGE:
    op = spv::OpUGreaterThanEqual;
    break;
  case CmpInst::ICMP_ULT:
    op = spv::OpULessThan;
    break;
  case CmpInst::ICMP_ULE:
    op = spv::OpULessThanEqual;
    break;
  case CmpInst::ICMP_SGT:
    op = spv::OpSGreaterThan;
    break;
  case CmpInst::ICMP_SGE:
    op = spv::OpSGreaterThanEqual;
    break;
  case CmpInst::ICMP_SLT:
    op = spv::OpSLessThan;
    break;
  default:
    op = spv::OpSLessThanEqual;
    break;
  }
  return builder.emit(op, builder.boolType(),
                      {value(comparison.getOperand(0)), value(comparison.getOperand(1))});
}

Id InstructionWriter::visitFCmpInst(FCmpInst &comparison) {
  Id left = value(comparison.getOperand(0));
  Id right = value(comparison.getOperand(1));
  Id boolean = builder.boolType();
  auto plain = [&](spv::Op op) { return builder.emit(op, boolean, {left, right}); };
  auto lessOrGreater = [&] {
    Id less = plain(spv::OpFOrdLessThan), greater = plain(spv::OpFOrdGreaterThan);
    return builder.emit(spv::OpLogicalOr, boolean, {less, greater});
  };
  switch (comparison.getPredicate()) {
  case CmpInst::FCMP_FALSE:
    return builder.boolConstant(false);
  case CmpInst::FCMP_TRUE:
    return builder.boolConstant(true);
  case CmpInst::FCMP_OEQ:
    return plain(spv::OpFOrdEqual);
  case CmpInst::FCMP_OGT:
    return plain(spv::OpFOrdGreaterThan);
  case CmpInst::FCMP_OGE:
    return plain(spv::OpFOrdGreaterThanEqual);
  case CmpInst::FCMP_OLT:
    return plain(spv::OpFOrdLessThan);
  case CmpInst::FCMP_OLE:
    return plain(spv::OpFOrdLessThanEqual);
  case CmpInst::FCMP_ONE:
    return form.plainOperations ? lessOrGreater() : plain(spv::OpFOrdNotEqual);
  case CmpInst::FCMP_UEQ:
    return form.plainOperations ? builder.emit(spv::OpLogicalNot, boolean, {lessOrGreater()})
                                 : plain(spv::OpFUnordEqual);
  case CmpInst::FCMP_UGT:
    return plain(spv::OpFUnordGreaterThan);
  case CmpInst::FCMP_UGE:
    return plain(spv::OpFUnordGreaterThanEqual);
  case CmpInst::FCMP_ULT:
    return plain(spv::OpFUnordLessThan);
  case CmpInst::FCMP_ULE:
    return plain(spv::OpFUnordLessThanEqual);
  case CmpInst::FCMP_UNE:
    return plain(spv::OpFUnordNotEqual);
  default:
    break;
  }
  // OpOrdered and OpUnordered need the Kernel capability.
  Id leftNan = builder.emit(spv::OpIsNan, boolean, {left});
  Id rightNan = builder.emit(spv::OpIsNan, boolean, {right});
  Id unordered = builder.emit(spv::OpLogicalOr, boolean, {leftNan, rightNan});
  if (comparison.getPredicate() == CmpInst::FCMP_UNO)
    return unordered;
  return builder.emit(spv::OpLogicalNot, boolean, {unordered});
}

Id InstructionWriter::boolToNumber(CastInst &cast) {
  Type *to = cast.getType();
  Constant *zero = Constant::getNullValue(to);
  Constant *one = nullptr;
  switch (cast.getOpcode()) {
  case Instruction::ZExt:
    one = ConstantInt::get(to, 1);
    break;
  case Instruction::SExt:
    one = Constant::getAllOnesValue(to);
    break;
  case Instruction::UIToFP:
    one = ConstantFP::get(to, 1.0);
    break;
  case Instruction::SIToFP:
    one = ConstantFP::get(to, -1.0);
    break;
  default:
    return visitInstruction(cast);
  }
  return builder.emit(spv::OpSelect, types.type(to),
                      {value(cast.getOperand(0)), value(one), value(zero)});
}

Id InstructionWriter::visitCastInst(CastInst &cast) {
  Type *from = cast.getSrcTy();
  Type *to = cast.getDestTy();
  Id operand = value(cast.getOperand(0));
  if (from->isIntegerTy(1))
    return boolToNumber(cast);
  if (to->isIntegerTy(1)) {
    if (cast.getOpcode() != Instruction::Trunc)
      return visitInstruction(cast);
    Id bit = builder.emit(spv::OpBitwiseAnd, types.type(from),
                          {operand, value(ConstantInt::get(from, 1))});
    return builder.emit(spv::OpINotEqual, builder.boolType(),
                        {bit, value(ConstantInt::get(from, 0))});
  }
  spv::Op op = spv::OpNop;
  switch (cast.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::Trunc:
    op = spv::OpUConvert;
    break;
  case Instruction::SExt:
    op = spv::OpSConvert;
    break;
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    op = spv::OpFConvert;
    break;
  case Instruction::FPToUI:
    op = spv::OpConvertFToU;
    break;
  case Instruction::FPToSI:
    op = spv::OpConvertFToS;
    break;
  case Instruction::UIToFP:
    op = spv::OpConvertUToF;
    break;
  case Instruction::SIToFP:
    op = spv::OpConvertSToF;
    break;
  case Instruction::BitCast:
    if (form.plainOperations && from->getScalarSizeInBits() != to->getScalarSizeInBits())
      return bitcastByParts(cast);
    op = spv::OpBitcast;
    break;
  default:
    return visitInstruction(cast);
  }
  return builder.emit(op, types.type(to), {operand});
}

Id InstructionWriter::visitSelectInst(SelectInst &select) {
  using namespace PatternMatch;
  // `a && b` and `a || b`, which LLVM writes so to keep b's poison out; SPIR-V has none.
  Value *left = nullptr, *right = nullptr;
  if (select.getType()->isIntegerTy(1)) {
    if (match(&select, m_LogicalAnd(m_Value(left), m_Value(right))))
      return builder.emit(spv::OpLogicalAnd, builder.boolType(), {value(left), value(right)});
    if (match(&select, m_LogicalOr(m_Value(left), m_Value(right))))
      return builder.emit(spv::OpLogicalOr, builder.boolType(), {value(left), value(right)});
  }
  return builder.emit(
      spv::OpSelect, types.type(select.getType()),
      {value(select.getCondition()), value(select.getTrueValue()), value(select.getFalseValue())});
}

Id InstructionWriter::visitFreezeInst(FreezeInst &freeze) {
  return value(freeze.getOperand(0));
}

} // namespace khalc::spirv

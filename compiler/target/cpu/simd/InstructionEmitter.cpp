//===- InstructionEmitter.cpp - one instruction for all lanes ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/InstructionEmitter.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::cpu::simd {

void InstructionEmitter::emit(const Instruction &instruction, Mask mask) {
  builder.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (auto *variable = dyn_cast<AllocaInst>(&instruction))
    return emitVariable(*variable);
  if (auto *call = dyn_cast<CallInst>(&instruction))
    return emitCall(*call, mask);
  Shape shape = lanes.shapeOf(&instruction);
  if (!instruction.getType()->isVoidTy() && !shape.isVarying())
    return emitScalar(instruction, mask);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return emitLoad(*load, mask);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return emitStore(*store, mask);
  if (instruction.mayReadOrWriteMemory())
    return emitOneByOne(instruction, mask);
  if (auto *operation = dyn_cast<BinaryOperator>(&instruction);
      operation && operation->isIntDivRem() && fitsVectors(instruction))
    return emitDivision(*operation, mask);
  if (instruction.isIntDivRem())
    return emitOneByOne(instruction, mask);
  if (fitsVectors(instruction))
    return emitWide(instruction, mask);
  emitEachLane(instruction);
}

/// Of what is uniform the value, of what is strided the base. Lane 0 may not be live, or have no use
/// for the value, and so no part in what the flags promise.
void InstructionEmitter::emitScalar(const Instruction &instruction, Mask mask) {
  bool isBase = lanes.shapeOf(&instruction).isStrided();
  if (auto *step = dyn_cast<GetElementPtrInst>(&instruction); step && isBase) {
    SmallVector<Value *> indices;
    for (const Use &index : step->indices())
      indices.push_back(lanes.scalar(index));
    lanes.setScalar(step, lanes.address(*step, lanes.scalar(step->getPointerOperand()), indices,
                                        mask ? GEPNoWrapFlags::none() : step->getNoWrapFlags()));
    return;
  }
  Instruction *copy = instruction.clone();
  for (Use &operand : copy->operands())
    operand.set(lanes.scalar(operand));
  if (isBase)
    copy->dropPoisonGeneratingFlags();
  copy->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  copy->setMetadata(LLVMContext::MD_noalias, nullptr);
  lanes.setScalar(&instruction, builder.Insert(copy, instruction.getName()));
}

/// Each lane has one of its own.
void InstructionEmitter::emitVariable(const AllocaInst &variable) {
  const DataLayout &layout = variable.getDataLayout();
  uint64_t bytes =
      alignTo(variable.getAllocationSize(layout)->getFixedValue(), variable.getAlign());
  Type *type = variable.getAllocatedType();
  bool isPlain = !variable.isArrayAllocation() && layout.getTypeAllocSize(type) == bytes;
  if (!isPlain)
    type = ArrayType::get(variables.getInt8Ty(), bytes);
  AllocaInst *all =
      variables.CreateAlloca(ArrayType::get(type, lanes.width()), nullptr, variable.getName());
  constexpr uint64_t vectorAlignment = 64;
  all->setAlignment(std::max(variable.getAlign(), Align(vectorAlignment)));
  lanes.setScalar(&variable, all);
}

bool InstructionEmitter::fitsVectors(const Instruction &instruction) const {
  if (isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst, ExtractValueInst,
          InsertValueInst>(instruction))
    return false;
  return Lanes::fitsVector(instruction.getType()) &&
         all_of(instruction.operands(),
                [](const Use &operand) { return Lanes::fitsVector(operand->getType()); });
}

void InstructionEmitter::emitWide(const Instruction &instruction, Mask) {
  if (auto *step = dyn_cast<GetElementPtrInst>(&instruction)) {
    SmallVector<Value *> indices;
    for (const Use &index : step->indices())
      indices.push_back(lanes.shapeOf(index).isUniform() ? lanes.scalar(index)
                                                         : lanes.vector(index));
    const Value *base = step->getPointerOperand();
    lanes.setVector(step, lanes.address(*step,
                                        lanes.shapeOf(base).isUniform() ? lanes.scalar(base)
                                                                        : lanes.vector(base),
                                        indices, step->getNoWrapFlags()));
    return;
  }
  if (auto *select = dyn_cast<SelectInst>(&instruction);
      select && lanes.shapeOf(select->getCondition()).isUniform()) {
    Value *made = builder.CreateSelect(lanes.scalar(select->getCondition()),
                                       lanes.vector(select->getTrueValue()),
                                       lanes.vector(select->getFalseValue()), select->getName());
    lanes.setVector(select, made);
    return;
  }
  // Operands may need code of their own, which comes first.
  SmallVector<Value *> operands;
  for (const Use &operand : instruction.operands())
    operands.push_back(lanes.vector(operand));
  Instruction *copy = instruction.clone();
  for (auto [number, operand] : enumerate(operands))
    copy->setOperand(number, operand);
  copy->mutateType(lanes.vectorType(instruction.getType()));
  lanes.setVector(&instruction, builder.Insert(copy, instruction.getName()));
}

/// Lanes that aren't live divide by one.
void InstructionEmitter::emitDivision(const BinaryOperator &division, Mask mask) {
  Value *dividend = lanes.vector(division.getOperand(0));
  Value *divisor = lanes.vector(division.getOperand(1));
  if (mask && !isa<ConstantInt>(division.getOperand(1))) {
    divisor = builder.CreateSelect(mask, divisor, ConstantInt::get(divisor->getType(), 1));
    // No value at all could still be any, and zero divides nothing.
    divisor = builder.CreateFreeze(divisor);
  }
  Value *quotient = builder.CreateBinOp(division.getOpcode(), dividend, divisor);
  lanes.setVector(&division, quotient);
}

/// Without effects, so all lanes do it.
void InstructionEmitter::emitEachLane(const Instruction &instruction) {
  SmallVector<Value *> made;
  for (unsigned number = 0; number < lanes.width(); ++number) {
    SmallVector<Value *> operands;
    for (const Use &operand : instruction.operands())
      operands.push_back(lanes.lane(operand, number));
    Instruction *copy = instruction.clone();
    for (auto [index, operand] : enumerate(operands))
      copy->setOperand(index, operand);
    made.push_back(builder.Insert(copy, instruction.getName()));
  }
  lanes.setLanes(&instruction, std::move(made));
}

bool InstructionEmitter::isCheap(const Instruction &instruction, const Shapes &shapes) {
  if (isa<AllocaInst>(instruction) || instruction.isIntDivRem())
    return false;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic->isAssumeLikeIntrinsic() || !intrinsic->mayReadOrWriteMemory();
  if (isa<CallBase>(instruction))
    return false;
  if (instruction.mayReadOrWriteMemory()) {
    const Value *address = getLoadStorePointerOperand(&instruction);
    Type *type = address ? getLoadStoreType(&instruction) : nullptr;
    Shape shape = address ? shapes.of(address) : Shape::varying();
    return address && !instruction.isAtomic() && !instruction.isVolatile() &&
           Lanes::fitsVector(type) && shape.isStrided() && !shape.mayWrap &&
           shape.stride == static_cast<int64_t>(
                               instruction.getDataLayout().getTypeAllocSize(type).getFixedValue());
  }
  return true;
}

} // namespace khalc::cpu::simd

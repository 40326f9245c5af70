//===- Memory.cpp - loads and stores of all lanes, and what lanes do by turns -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/InstructionEmitter.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::cpu::simd {

/// True if neighbouring lanes have neighbouring elements, if not by way of a wrapped index.
bool InstructionEmitter::isConsecutive(const Value *address, Type *element) const {
  Shape shape = lanes.shapeOf(address);
  const DataLayout &layout = builder.GetInsertBlock()->getDataLayout();
  uint64_t bytes = layout.getTypeAllocSize(element).getFixedValue();
  return shape.isStrided() && static_cast<uint64_t>(shape.stride) == bytes &&
         layout.getTypeStoreSizeInBits(element).getFixedValue() == bytes * 8 &&
         !element->isIntegerTy(1);
}

/// Where an address may have wrapped, asks at run time which way to take.
template <typename Fast, typename Slow>
Value *InstructionEmitter::chooseByRange(const Value *address, Fast fast, Slow slow) {
  Value *inRange = lanes.inRange(address);
  if (!inRange)
    return fast();
  BasicBlock *before = builder.GetInsertBlock();
  LLVMContext &context = before->getContext();
  Function *function = before->getParent();
  BasicBlock *fastBlock = BasicBlock::Create(context, "consecutive", function);
  BasicBlock *slowBlock = BasicBlock::Create(context, "wrapped", function);
  BasicBlock *after = BasicBlock::Create(context, "accessed", function);
  builder.CreateCondBr(inRange, fastBlock, slowBlock,
                       MDBuilder(context).createLikelyBranchWeights());
  builder.SetInsertPoint(fastBlock);
  Value *a = fast();
  fastBlock = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(slowBlock);
  Value *b = slow();
  slowBlock = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  if (a->getType()->isVoidTy())
    return nullptr;
  PHINode *result = builder.CreatePHI(a->getType(), 2);
  result->addIncoming(a, fastBlock);
  result->addIncoming(b, slowBlock);
  return result;
}

void InstructionEmitter::emitLoad(const LoadInst &load, Mask mask) {
  if (!load.isSimple() || !Lanes::fitsVector(load.getType()) || load.getType()->isIntegerTy(1))
    return emitOneByOne(load, mask);
  Type *type = lanes.vectorType(load.getType());
  const Value *address = load.getPointerOperand();
  MDNode *tbaa = load.getMetadata(LLVMContext::MD_tbaa);
  auto annotated = [&](Instruction *made) -> Value * {
    made->setMetadata(LLVMContext::MD_tbaa, tbaa);
    return made;
  };
  auto consecutive = [&] {
    Value *base = lanes.scalar(address);
    if (!mask)
      return annotated(builder.CreateAlignedLoad(type, base, load.getAlign(), load.getName()));
    return annotated(builder.CreateMaskedLoad(type, base, load.getAlign(), mask,
                                              PoisonValue::get(type), load.getName()));
  };
  auto gathered = [&] {
    return annotated(builder.CreateMaskedGather(type, lanes.vector(address), load.getAlign(),
                                                lanes.mask(mask), PoisonValue::get(type),
                                                load.getName()));
  };
  lanes.setVector(&load, isConsecutive(address, load.getType())
                             ? chooseByRange(address, consecutive, gathered)
                             : gathered());
}

void InstructionEmitter::emitStore(const StoreInst &store, Mask mask) {
  const Value *address = store.getPointerOperand();
  const Value *value = store.getValueOperand();
  Type *type = value->getType();
  if (lanes.shapeOf(address).isUniform() && lanes.shapeOf(value).isUniform() &&
      !store.isVolatile()) {
    Instruction *copy = store.clone();
    copy->setOperand(0, lanes.scalar(value));
    copy->setOperand(1, lanes.scalar(address));
    copy->setMetadata(LLVMContext::MD_alias_scope, nullptr);
    copy->setMetadata(LLVMContext::MD_noalias, nullptr);
    builder.Insert(copy);
    return;
  }
  if (!store.isSimple() || !Lanes::fitsVector(type) || type->isIntegerTy(1))
    return emitOneByOne(store, mask);
  MDNode *tbaa = store.getMetadata(LLVMContext::MD_tbaa);
  // The last one's value stays, see below.
  if (lanes.shapeOf(address).isUniform() && !mask) {
    builder
        .CreateAlignedStore(lanes.lane(value, lanes.width() - 1), lanes.scalar(address),
                            store.getAlign())
        ->setMetadata(LLVMContext::MD_tbaa, tbaa);
    return;
  }
  Value *stored = lanes.vector(value);
  auto annotated = [&](Instruction *made) -> Value * {
    made->setMetadata(LLVMContext::MD_tbaa, tbaa);
    return made;
  };
  auto consecutive = [&] {
    Value *base = lanes.scalar(address);
    return annotated(mask ? builder.CreateMaskedStore(stored, base, store.getAlign(), mask)
                          : static_cast<Instruction *>(
                                builder.CreateAlignedStore(stored, base, store.getAlign())));
  };
  // Lanes are written in order: of several with one address, the last one's value stays, as it
  // would if work-items came one after another.
  auto scattered = [&] {
    return annotated(builder.CreateMaskedScatter(stored, lanes.vector(address), store.getAlign(),
                                                 lanes.mask(mask)));
  };
  if (isConsecutive(address, type))
    chooseByRange(address, consecutive, scattered);
  else
    scattered();
}

/// One lane's address by that lane's indices: elements of a vector of addresses would have to be
/// widened and added up first.
Value *InstructionEmitter::laneAddress(const Value *address, unsigned number) {
  auto *step = dyn_cast<GetElementPtrInst>(address);
  if (!step || !lanes.shapeOf(address).isVarying() ||
      !lanes.shapeOf(step->getPointerOperand()).isUniform())
    return lanes.lane(address, number);
  SmallVector<Value *> indices;
  for (const Use &index : step->indices()) {
    auto *wide = dyn_cast<ZExtInst>(index);
    if (wide && lanes.shapeOf(wide).isVarying())
      indices.push_back(
          builder.CreateZExt(lanes.lane(wide->getOperand(0), number), wide->getType()));
    else
      indices.push_back(lanes.lane(index, number));
  }
  return lanes.address(*step, lanes.scalar(step->getPointerOperand()), indices,
                       step->getNoWrapFlags());
}

/// Atomics when all lanes are live: one after another, without a loop around.
bool InstructionEmitter::emitUnrolled(const Instruction &instruction, Mask mask) {
  if (mask || !isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return false;
  SmallVector<Value *> made;
  for (unsigned number = 0; number < lanes.width(); ++number) {
    Instruction *copy = instruction.clone();
    for (const Use &operand : instruction.operands())
      copy->setOperand(operand.getOperandNo(), operand->getType()->isPointerTy()
                                                   ? laneAddress(operand, number)
                                                   : lanes.lane(operand, number));
    copy->setMetadata(LLVMContext::MD_alias_scope, nullptr);
    copy->setMetadata(LLVMContext::MD_noalias, nullptr);
    made.push_back(builder.Insert(copy, instruction.getName()));
  }
  lanes.setLanes(&instruction, std::move(made));
  return true;
}

/// for each live lane, lowest first: the instruction on that lane's operands
void InstructionEmitter::emitOneByOne(const Instruction &instruction, Mask mask) {
  if (emitUnrolled(instruction, mask))
    return;
  LLVMContext &context = builder.getContext();
  Function *function = builder.GetInsertBlock()->getParent();
  Type *type = instruction.getType();
  bool hasResult = !type->isVoidTy();
  unsigned width = lanes.width();
  IntegerType *bits = builder.getIntNTy(width);

  // What no vector holds goes through memory, whole.
  SmallVector<std::pair<unsigned, AllocaInst *>> inMemory;
  SmallVector<Value *> whole(instruction.getNumOperands(), nullptr);
  for (const Use &operand : instruction.operands()) {
    if (isa<Function>(operand) || isa<InlineAsm>(operand) || isa<MetadataAsValue>(operand) ||
        lanes.shapeOf(operand).isUniform())
      continue;
    unsigned number = operand.getOperandNo();
    if (Lanes::fitsVector(operand->getType())) {
      whole[number] = lanes.vector(operand);
      continue;
    }
    AllocaInst *all = variables.CreateAlloca(ArrayType::get(operand->getType(), width));
    for (unsigned lane = 0; lane < width; ++lane)
      builder.CreateStore(lanes.lane(operand, lane), builder.CreateConstInBoundsGEP2_32(
                                                         all->getAllocatedType(), all, 0, lane));
    inMemory.push_back({number, all});
  }
  bool resultFits = hasResult && Lanes::fitsVector(type);
  AllocaInst *results =
      hasResult && !resultFits ? variables.CreateAlloca(ArrayType::get(type, width)) : nullptr;

  Value *live = mask ? builder.CreateBitCast(mask, bits)
                     : static_cast<Value *>(ConstantInt::getAllOnesValue(bits));
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(context, "lane", function);
  BasicBlock *done = BasicBlock::Create(context, "lanes.done", function);
  builder.CreateCondBr(builder.CreateIsNotNull(live), loop, done);

  builder.SetInsertPoint(loop);
  PHINode *left = builder.CreatePHI(bits, 2);
  left->addIncoming(live, before);
  PHINode *collected = nullptr;
  if (resultFits) {
    collected = builder.CreatePHI(lanes.vectorType(type), 2);
    collected->addIncoming(PoisonValue::get(lanes.vectorType(type)), before);
  }
  Value *number = builder.CreateZExtOrTrunc(
      builder.CreateBinaryIntrinsic(Intrinsic::cttz, left, builder.getTrue()),
      builder.getInt64Ty());
  Instruction *copy = instruction.clone();
  for (auto [index, vector] : enumerate(whole)) {
    Value *operand = instruction.getOperand(index);
    if (vector)
      copy->setOperand(index, builder.CreateExtractElement(vector, number));
    else if (!isa<Function>(operand) && !isa<InlineAsm>(operand) &&
             !isa<MetadataAsValue>(operand) && lanes.shapeOf(operand).isUniform())
      copy->setOperand(index, lanes.scalar(operand));
  }
  for (auto [index, all] : inMemory)
    copy->setOperand(index,
                     builder.CreateLoad(all->getAllocatedType()->getArrayElementType(),
                                        builder.CreateInBoundsGEP(all->getAllocatedType(), all,
                                                                  {builder.getInt64(0), number})));
  copy->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  copy->setMetadata(LLVMContext::MD_noalias, nullptr);
  builder.Insert(copy);
  Value *grown = nullptr;
  if (resultFits) {
    grown = builder.CreateInsertElement(collected, copy, number);
    collected->addIncoming(grown, loop);
  } else if (results) {
    builder.CreateStore(copy, builder.CreateInBoundsGEP(results->getAllocatedType(), results,
                                                        {builder.getInt64(0), number}));
  }
  Value *rest = builder.CreateAnd(left, builder.CreateSub(left, ConstantInt::get(bits, 1)));
  left->addIncoming(rest, loop);
  builder.CreateCondBr(builder.CreateIsNotNull(rest), loop, done);

  builder.SetInsertPoint(done);
  if (resultFits) {
    PHINode *result = builder.CreatePHI(lanes.vectorType(type), 2, instruction.getName());
    result->addIncoming(PoisonValue::get(lanes.vectorType(type)), before);
    result->addIncoming(grown, loop);
    lanes.setVector(&instruction, result);
  } else if (results) {
    SmallVector<Value *> made;
    for (unsigned lane = 0; lane < width; ++lane)
      made.push_back(builder.CreateLoad(
          type, builder.CreateConstInBoundsGEP2_32(results->getAllocatedType(), results, 0, lane)));
    lanes.setLanes(&instruction, std::move(made));
  }
}

} // namespace khalc::cpu::simd

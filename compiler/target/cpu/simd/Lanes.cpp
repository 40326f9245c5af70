//===- Lanes.cpp - what the lanes of a vector of work-items hold ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/Lanes.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"

using namespace llvm;

namespace khalc::cpu::simd {

Value *Lanes::scalar(const Value *value) const {
  auto found = scalars.find(value);
  if (found != scalars.end())
    return found->second;
  assert(isa<Constant>(value) && "neither uniform nor strided, or not made yet");
  return const_cast<Value *>(value);
}

Value *Lanes::mask(Mask mask) const {
  return mask ? mask : ConstantInt::getTrue(vectorType(builder.getInt1Ty()));
}

Value *Lanes::vector(const Value *value) {
  if (Value *made = vectors.lookup(value))
    return made;
  Shape shape = shapeOf(value);
  if (shape.isUniform())
    return builder.CreateVectorSplat(width(), scalar(value));
  if (shape.isStrided())
    return shape.mayWrap ? recompute(*cast<Instruction>(value))
                         : spread(scalar(value), shape.stride);
  return gatherLanes(value, singles.find(value)->second);
}

Value *Lanes::lane(const Value *value, unsigned number) {
  auto found = singles.find(value);
  if (found != singles.end())
    return found->second[number];
  Shape shape = shapeOf(value);
  if (shape.isUniform())
    return scalar(value);
  if (shape.isStrided() && !shape.mayWrap)
    return offset(scalar(value), shape.stride * number);
  return builder.CreateExtractElement(vector(value), number);
}

Value *Lanes::offset(Value *base, int64_t amount) {
  if (amount == 0)
    return base;
  if (base->getType()->isPointerTy())
    return builder.CreateGEP(builder.getInt8Ty(), base, builder.getInt64(amount));
  return builder.CreateAdd(base, ConstantInt::getSigned(base->getType(), amount));
}

Value *Lanes::spread(Value *base, int64_t stride) {
  Type *step = base->getType()->isPointerTy() ? builder.getInt64Ty() : base->getType();
  SmallVector<Constant *> steps;
  for (unsigned i = 0; i < width(); ++i)
    steps.push_back(ConstantInt::get(
        step,
        APInt(64, static_cast<uint64_t>(stride) * i).sextOrTrunc(step->getIntegerBitWidth())));
  Constant *offsets = ConstantVector::get(steps);
  if (base->getType()->isPointerTy())
    return builder.CreateGEP(builder.getInt8Ty(), base, offsets);
  return builder.CreateAdd(builder.CreateVectorSplat(width(), base), offsets);
}

Value *Lanes::gatherLanes(const Value *value, ArrayRef<Value *> parts) {
  Value *all = PoisonValue::get(vectorType(value->getType()));
  for (auto [number, part] : enumerate(parts))
    all = builder.CreateInsertElement(all, part, number);
  return all;
}

/// Of what may have wrapped, the lanes as they are: from operands that are good in all lanes. It
/// isn't remembered, since it is made where it is used, which may be on one of two ways.
Value *Lanes::recompute(const Instruction &instruction) {
  if (auto *step = dyn_cast<GetElementPtrInst>(&instruction)) {
    SmallVector<Value *> indices;
    for (const Use &index : step->indices())
      indices.push_back(isa<Constant>(index) ? index.get() : vector(index));
    return address(*step, vector(step->getPointerOperand()), indices, GEPNoWrapFlags::none());
  }
  Instruction *copy = instruction.clone();
  copy->dropPoisonGeneratingFlags();
  copy->dropUnknownNonDebugMetadata();
  for (Use &operand : copy->operands())
    operand.set(vector(operand));
  copy->mutateType(vectorType(instruction.getType()));
  return builder.Insert(copy, instruction.getName());
}

Value *Lanes::address(const GetElementPtrInst &step, Value *base, ArrayRef<Value *> indices,
                      GEPNoWrapFlags flags) {
  if (!shapes.interleavedElementAt(&step))
    return builder.CreateGEP(step.getSourceElementType(), base, indices, step.getName(), flags);
  const DataLayout &layout = step.getDataLayout();
  Value *bytes = nullptr;
  auto add = [&](Value *more) {
    if (bytes && bytes->getType() != more->getType()) {
      Value *&narrow = bytes->getType()->isVectorTy() ? more : bytes;
      narrow = builder.CreateVectorSplat(width(), narrow);
    }
    bytes = bytes ? builder.CreateAdd(bytes, more) : more;
  };
  auto index = indices.begin();
  for (gep_type_iterator part = gep_type_begin(step), end = gep_type_end(step); part != end;
       ++part, ++index) {
    if (StructType *type = part.getStructTypeOrNull()) {
      unsigned member = cast<ConstantInt>(*index)->getZExtValue();
      add(builder.getInt64(layout.getStructLayout(type)->getElementOffset(member) * width()));
      continue;
    }
    uint64_t scale = part.getSequentialElementStride(layout).getFixedValue() * width();
    Value *wide = builder.CreateSExtOrTrunc(
        *index, (*index)->getType()->getWithNewBitWidth(layout.getIndexSizeInBits(0)));
    add(builder.CreateMul(wide, ConstantInt::get(wide->getType(), scale)));
  }
  return builder.CreateGEP(builder.getInt8Ty(), base, bytes, step.getName());
}

Value *Lanes::inRange(const Value *value) {
  Shape shape = shapeOf(value);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!shape.mayWrap || !instruction)
    return nullptr;
  Shape source = shapeOf(instruction->getOperand(0));
  if (isa<CastInst>(instruction) && !source.mayWrap) {
    // The extension itself: is there room for the last lane?
    Value *narrow = scalar(instruction->getOperand(0));
    unsigned bits = narrow->getType()->getIntegerBitWidth();
    APInt limit =
        isa<SExtInst>(instruction) ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    limit -= static_cast<uint64_t>(source.stride) * (width() - 1);
    return builder.CreateICmp(isa<SExtInst>(instruction) ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE,
                              narrow, builder.getInt(limit));
  }
  Value *all = nullptr;
  for (const Value *operand : instruction->operands())
    if (Value *one = inRange(operand))
      all = all ? builder.CreateAnd(all, one) : one;
  return all;
}

} // namespace khalc::cpu::simd

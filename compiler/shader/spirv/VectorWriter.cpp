//===- VectorWriter.cpp - taking vectors apart and putting them together in SPIR-V -----------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#include "shader/spirv/InstructionWriter.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::spirv {

namespace {

unsigned indexOf(const Value *index) {
  return static_cast<unsigned>(cast<ConstantInt>(index)->getZExtValue());
}

/// True when nothing but the next insertelement of its block uses a vector: only the whole is
/// written.
bool isPartOfAnother(const InsertElementInst &insert) {
  if (!insert.hasOneUse())
    return false;
  auto *next = dyn_cast<InsertElementInst>(insert.user_back());
  return next && next->getOperand(0) == &insert && next->getParent() == insert.getParent();
}

} // namespace

Id InstructionWriter::visitExtractElementInst(ExtractElementInst &extract) {
  return builder.emit(spv::OpCompositeExtract, types.type(extract.getType()),
                      {value(extract.getVectorOperand()), indexOf(extract.getIndexOperand())});
}

Id InstructionWriter::visitInsertElementInst(InsertElementInst &insert) {
  if (isPartOfAnother(insert))
    return 0;
  auto *type = cast<FixedVectorType>(insert.getType());
  SmallVector<Id, 4> components(type->getNumElements(), 0);
  Value *base = &insert;
  do {
    auto *step = cast<InsertElementInst>(base);
    Id &component = components[indexOf(step->getOperand(2))];
    if (component == 0)
      component = value(step->getOperand(1));
    base = step->getOperand(0);
  } while (isa<InsertElementInst>(base) && isPartOfAnother(*cast<InsertElementInst>(base)));
  Id component = types.type(type->getElementType());
  for (unsigned i = 0; i < components.size(); ++i)
    if (components[i] == 0)
      components[i] = builder.emit(spv::OpCompositeExtract, component, {value(base), i});
  return builder.emit(spv::OpCompositeConstruct, types.type(type), components);
}

/// By integers of the wider component: parts are shifted into their places, or out of them.
Id InstructionWriter::bitcastByParts(CastInst &cast) {
  const unsigned from = cast.getSrcTy()->getScalarSizeInBits();
  const unsigned to = cast.getDestTy()->getScalarSizeInBits();
  Id fromInteger = builder.intType(from), toInteger = builder.intType(to);
  auto *source = dyn_cast<FixedVectorType>(cast.getSrcTy());
  auto *target = dyn_cast<FixedVectorType>(cast.getDestTy());
  SmallVector<Id, 8> parts;
  for (unsigned i = 0; i < (source ? source->getNumElements() : 1); ++i) {
    Id part = value(cast.getOperand(0));
    if (source)
      part = builder.emit(spv::OpCompositeExtract, types.type(source->getElementType()), {part, i});
    if (cast.getSrcTy()->getScalarType()->isFloatingPointTy())
      part = builder.emit(spv::OpBitcast, fromInteger, {part});
    parts.push_back(part);
  }
  SmallVector<Id, 8> results;
  for (unsigned i = 0; i < (target ? target->getNumElements() : 1); ++i) {
    Id result = 0;
    if (from < to) {
      for (unsigned k = 0; k < to / from; ++k) {
        Id part = builder.emit(spv::OpUConvert, toInteger, {parts[i * (to / from) + k]});
        if (k != 0) {
          part = builder.emit(spv::OpShiftLeftLogical, toInteger, {part, builder.u32(k * from)});
          part = builder.emit(spv::OpBitwiseOr, toInteger, {result, part});
        }
        result = part;
      }
    } else {
      const unsigned perPart = from / to;
      result = parts[i / perPart];
      if (i % perPart != 0)
        result = builder.emit(spv::OpShiftRightLogical, fromInteger,
                              {result, builder.u32(i % perPart * to)});
      result = builder.emit(spv::OpUConvert, toInteger, {result});
    }
    if (cast.getDestTy()->getScalarType()->isFloatingPointTy())
      result =
          builder.emit(spv::OpBitcast, types.type(cast.getDestTy()->getScalarType()), {result});
    results.push_back(result);
  }
  if (!target)
    return results.front();
  return builder.emit(spv::OpCompositeConstruct, types.type(target), results);
}

} // namespace khalc::spirv

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

} // namespace khalc::spirv

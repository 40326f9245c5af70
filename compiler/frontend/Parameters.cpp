//===- Parameters.cpp - a kernel's parameters, flattened --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   view { span<float> cells; float scale; int *flags[2]; }
//     =>  buffer view.cells with length, uniform view.scale, buffers view.flags[0], view.flags[1]
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Parameters.h"

#include "frontend/HostTypes.h"

#include "khal/abi.h"

using namespace clang;

namespace khalc {

namespace {

/// With their lengths they must fit beside the largest block into what CUDA takes as arguments.
constexpr uint32_t maxBuffers = 256;

class Flattener {
public:
  Flattener(DeviceAbi abi, HostTypes &types, KernelInfo &kernel)
      : context(types.context), abi(static_cast<size_t>(abi)), types(types), kernel(kernel) {}

  bool add(const ParmVarDecl &parameter);
  bool finish(SourceLocation location);

private:
  bool addValue(QualType type);
  bool addAggregate(QualType type);
  bool walk(QualType type, uint64_t offset, const TypeUse &use);
  bool walkRecord(const CXXRecordDecl &record, uint64_t offset, const TypeUse &use);
  bool addBuffer(QualType element, bool hasLength, uint64_t offset, uint64_t lengthOffset,
                 const TypeUse &use);
  bool addShared(const CXXRecordDecl &span, QualType element, uint64_t offset, const TypeUse &use);
  bool addUniform(QualType type, uint64_t offset, const TypeUse &use);
  bool checkElement(QualType element, const TypeUse &use);

  bool fail(diag::Id id, const TypeUse &use, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{use.name, use.kernel};
    llvm::append_range(arguments, more);
    types.diagnostics.report(id, use.location, arguments);
    return false;
  }
  std::string print(QualType type) const { return type.getAsString(context.getPrintingPolicy()); }
  uint64_t sizeOf(QualType type) const { return context.getTypeSizeInChars(type).getQuantity(); }
  uint64_t alignmentOf(QualType type) const {
    return context.getTypeAlignInChars(type).getQuantity();
  }

  ASTContext &context;
  const size_t abi;
  HostTypes &types;
  KernelInfo &kernel;
  Parameter parameter;
  TypeUse whole;
  uint64_t blockEnd = 0;
};

bool Flattener::add(const ParmVarDecl &declaration) {
  const SourceManager &sources = context.getSourceManager();
  parameter = Parameter();
  parameter.name = declaration.getNameAsString();
  if (parameter.name.empty())
    parameter.name = "parameter" + std::to_string(kernel.parameters.size());
  const PresumedLoc position = sources.getPresumedLoc(declaration.getLocation());
  if (position.isValid())
    parameter.position = {position.getFilename(), position.getLine(), position.getColumn()};
  whole = {parameter.name, kernel.displayName, declaration.getLocation()};

  const QualType type = declaration.getType().getCanonicalType().getUnqualifiedType();
  if (type->isRValueReferenceType())
    return fail(diag::Id::parameter_rvalue, whole);
  const bool isReference = type->isLValueReferenceType();
  const bool isPointer = type->isPointerType();
  const std::optional<QualType> span = spanElement(type), shared = sharedSpanElement(type);
  const QualType object = isReference ? context.getPointerType(type.getNonReferenceType()) : type;
  if (shared) {
    parameter.form = Parameter::Form::SharedSpan;
    if (!walk(type, 0, whole))
      return false;
    parameter.hostType = kernel.sharedSpans.back().elementType;
    parameter.elementSize = kernel.sharedSpans.back().elementSize;
  } else if (!isReference && !isPointer && !span) {
    if (!(holdsPointers(type, context) ? addAggregate(type) : addValue(type)))
      return false;
  } else {
    const QualType element = span ? *span : type->getPointeeType();
    parameter.form = isReference ? Parameter::Form::Reference
                     : isPointer ? Parameter::Form::Pointer
                                 : Parameter::Form::Span;
    if (!walk(type, 0, whole))
      return false;
    parameter.hostType = kernel.buffers.back().elementType;
    parameter.readOnly = element.isConstQualified();
    parameter.elementSize = kernel.buffers.back().elementSize;
  }
  parameter.objectSize[abi] = sizeOf(object);
  parameter.objectAlignment[abi] = alignmentOf(object);
  kernel.parameters.push_back(std::move(parameter));
  return true;
}

bool Flattener::addValue(QualType type) {
  parameter.form = Parameter::Form::Value;
  if (const CXXRecordDecl *record = type->getAsCXXRecordDecl())
    if (record->hasDefinition() && record->isPolymorphic())
      return fail(diag::Id::parameter_virtual, whole, {print(type)});
  if (!type.isTriviallyCopyableType(context))
    return fail(diag::Id::parameter_not_trivial, whole, {print(type)});
  const std::optional<std::string> spelling = types.spell(type, whole);
  if (!spelling || !addUniform(type, 0, whole))
    return false;
  parameter.hostType = *spelling;
  return true;
}

bool Flattener::addAggregate(QualType type) {
  parameter.form = Parameter::Form::Aggregate;
  if (type->isMemberPointerType())
    return fail(diag::Id::parameter_function_pointer, whole);
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return fail(diag::Id::parameter_type, whole, {print(type)});
  if (!type.isTriviallyCopyableType(context))
    return fail(record->isPolymorphic() ? diag::Id::parameter_virtual
                                        : diag::Id::parameter_not_trivial,
                whole, {print(type)});
  if (!walk(type, 0, whole))
    return false;
  const std::optional<std::string> spelling = types.spell(type, whole);
  if (!spelling)
    return false;
  parameter.hostType = *spelling;
  return true;
}

bool Flattener::walk(QualType type, uint64_t offset, const TypeUse &use) {
  type = type.getCanonicalType();
  if (const std::optional<QualType> element = spanElement(type)) {
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    const ASTRecordLayout &layout = context.getASTRecordLayout(record);
    const uint64_t length = context.toCharUnitsFromBits(layout.getFieldOffset(1)).getQuantity();
    return addBuffer(*element, /*hasLength=*/true, offset, offset + length, use);
  }
  if (const std::optional<QualType> element = sharedSpanElement(type))
    return addShared(*type->getAsCXXRecordDecl(), *element, offset, use);
  if (type->isMemberPointerType())
    return fail(diag::Id::parameter_function_pointer, use);
  if (type->isPointerType() || type->isLValueReferenceType())
    return addBuffer(type->getPointeeType(), /*hasLength=*/false, offset, 0, use);
  if (type->isRValueReferenceType())
    return fail(diag::Id::parameter_rvalue, use);
  if (!holdsPointers(type, context))
    return addUniform(type, offset, use);
  if (const auto *array = context.getAsConstantArrayType(type)) {
    const QualType element = array->getElementType();
    for (uint64_t i = 0; i < array->getSize().getZExtValue(); ++i) {
      TypeUse one = use;
      one.name += "[" + std::to_string(i) + "]";
      if (!walk(element, offset + i * sizeOf(element), one))
        return false;
    }
    return true;
  }
  return walkRecord(*type->getAsCXXRecordDecl(), offset, use);
}

bool Flattener::walkRecord(const CXXRecordDecl &record, uint64_t offset, const TypeUse &use) {
  if (record.isUnion())
    return fail(diag::Id::parameter_union_pointer, use,
                {print(context.getCanonicalTagType(&record))});
  const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  for (const CXXBaseSpecifier &base : record.bases()) {
    const CXXRecordDecl *baseRecord = base.getType()->getAsCXXRecordDecl();
    if (base.isVirtual())
      return fail(diag::Id::parameter_virtual, use, {print(context.getCanonicalTagType(&record))});
    if (!baseRecord->isEmpty() &&
        !walk(base.getType(), offset + layout.getBaseClassOffset(baseRecord).getQuantity(), use))
      return false;
  }
  for (const FieldDecl *field : record.fields()) {
    if (field->isBitField())
      return fail(diag::Id::parameter_bit_field, use,
                  {print(context.getCanonicalTagType(&record))});
    TypeUse part = use;
    part.name += "." + memberName(record, *field);
    const uint64_t at =
        context.toCharUnitsFromBits(layout.getFieldOffset(field->getFieldIndex())).getQuantity();
    if (!walk(field->getType(), offset + at, part))
      return false;
  }
  return true;
}

bool Flattener::checkElement(QualType element, const TypeUse &use) {
  if (element->isFunctionType())
    return fail(diag::Id::parameter_function_pointer, use);
  if (!types.complete(element, use))
    return fail(diag::Id::parameter_incomplete, use, {print(element)});
  if (holdsPointers(element, context))
    return fail(diag::Id::parameter_pointer_to_pointer, use, {print(element)});
  if (!context.getBaseElementType(element).isTriviallyCopyableType(context))
    return fail(diag::Id::parameter_element_not_trivial, use, {print(element)});
  return true;
}

bool Flattener::addBuffer(QualType element, bool hasLength, uint64_t offset, uint64_t lengthOffset,
                          const TypeUse &use) {
  if (!checkElement(element, use))
    return false;
  const std::optional<std::string> spelling = types.spell(element, use);
  if (!spelling)
    return false;
  const uint32_t number = kernel.buffers.size();
  if (number == maxBuffers) {
    types.diagnostics.report(diag::Id::too_many_buffers, use.location,
                             {kernel.displayName, std::to_string(maxBuffers)});
    return false;
  }
  BufferSlot slot;
  slot.name = use.name;
  slot.elementType = *spelling;
  slot.elementSize = sizeOf(element);
  slot.elementAlignment = alignmentOf(element);
  slot.readOnly = context.getBaseElementType(element).isConstQualified();
  slot.hasLength = hasLength;
  kernel.buffers.push_back(std::move(slot));

  Leaf pointer;
  pointer.kind = Leaf::Kind::BufferPointer;
  pointer.index = number;
  pointer.objectOffset[abi] = offset;
  parameter.leaves.push_back(pointer);
  if (!hasLength)
    return true;
  Leaf length;
  length.kind = Leaf::Kind::BufferLength;
  length.index = number;
  length.size = sizeof(uint32_t);
  length.objectOffset[abi] = lengthOffset;
  parameter.leaves.push_back(length); // its place in the block follows all uniform arguments
  return true;
}

/// The span that it derives from holds the address and the length.
bool Flattener::addShared(const CXXRecordDecl &shared, QualType element, uint64_t offset,
                          const TypeUse &use) {
  if (!checkElement(element, use))
    return false;
  const uint64_t alignment = alignmentOf(element);
  if (alignment > khal::abi::shared_span_alignment)
    return fail(diag::Id::parameter_alignment, use,
                {std::to_string(alignment), std::to_string(khal::abi::shared_span_alignment)});
  const std::optional<std::string> spelling = types.spell(element, use);
  if (!spelling)
    return false;
  const CXXRecordDecl *span = shared.bases_begin()->getType()->getAsCXXRecordDecl();
  const uint64_t length =
      context.toCharUnitsFromBits(context.getASTRecordLayout(span).getFieldOffset(1)).getQuantity();
  Leaf leaf;
  leaf.kind = Leaf::Kind::SharedPointer;
  leaf.index = static_cast<uint32_t>(kernel.sharedSpans.size());
  leaf.objectOffset[abi] = static_cast<uint32_t>(offset);
  parameter.leaves.push_back(leaf);
  leaf.kind = Leaf::Kind::SharedLength;
  leaf.size = sizeof(uint32_t);
  leaf.objectOffset[abi] = static_cast<uint32_t>(offset + length);
  parameter.leaves.push_back(leaf); // its place in the block follows all uniform arguments
  SharedSpan slot;
  slot.name = use.name;
  slot.elementType = *spelling;
  slot.elementSize = sizeOf(element);
  kernel.sharedSpans.push_back(std::move(slot));
  return true;
}

bool Flattener::addUniform(QualType type, uint64_t offset, const TypeUse &use) {
  const uint64_t alignment = alignmentOf(type);
  if (alignment > khal::abi::block_alignment)
    return fail(diag::Id::parameter_alignment, use,
                {std::to_string(alignment), std::to_string(khal::abi::block_alignment)});
  blockEnd = llvm::alignTo(blockEnd, alignment);
  Leaf leaf;
  leaf.kind = Leaf::Kind::Uniform;
  leaf.blockOffset = blockEnd;
  leaf.size = sizeOf(type);
  leaf.objectOffset[abi] = offset;
  parameter.leaves.push_back(leaf);
  blockEnd += leaf.size;
  return true;
}

/// Gives the lengths their places and the block its size.
bool Flattener::finish(SourceLocation location) {
  blockEnd = llvm::alignTo(blockEnd, alignof(uint32_t));
  for (const Leaf::Kind kind : {Leaf::Kind::BufferLength, Leaf::Kind::SharedLength})
    for (Parameter &each : kernel.parameters)
      for (Leaf &leaf : each.leaves)
        if (leaf.kind == kind) {
          leaf.blockOffset = static_cast<uint32_t>(blockEnd);
          blockEnd += sizeof(uint32_t);
          if (kind == Leaf::Kind::SharedLength)
            kernel.sharedSpans[leaf.index].lengthOffset = leaf.blockOffset;
        }
  if (blockEnd > khal::abi::max_block_bytes) {
    types.diagnostics.report(
        diag::Id::block_too_large, location,
        {kernel.displayName, std::to_string(blockEnd), std::to_string(khal::abi::max_block_bytes)});
    return false;
  }
  kernel.blockSize = blockEnd;
  return true;
}

} // namespace

bool flattenParameters(const FunctionDecl &function, DeviceAbi abi, HostTypes &types,
                       KernelInfo &kernel) {
  Flattener flattener(abi, types, kernel);
  bool done = true;
  for (const ParmVarDecl *parameter : function.parameters())
    done &= flattener.add(*parameter);
  return done && flattener.finish(function.getLocation());
}

} // namespace khalc

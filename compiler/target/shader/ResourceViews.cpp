//===- ResourceViews.cpp - roots as arrays of scalars, and accesses to them ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/ResourceViews.h"

#include "target/shader/Entry.h"

#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace khalc::shader {

namespace {

constexpr uint64_t wordBytes = 4;
constexpr uint64_t widestScalarBytes = 8;

Type *integerType(LLVMContext &context, uint64_t bytes) {
  return IntegerType::get(context, static_cast<unsigned>(8 * bytes));
}

Resource::Kind resourceKind(Root::Kind kind) {
  switch (kind) {
  case Root::Kind::Buffer:
    return Resource::Kind::Buffer;
  case Root::Kind::Block:
    return Resource::Kind::Block;
  case Root::Kind::Shared:
    return Resource::Kind::Shared;
  case Root::Kind::Table:
    return Resource::Kind::Table;
  case Root::Kind::Private:
  case Root::Kind::Null:
    break;
  }
  return Resource::Kind::Private;
}

/// `%n + %k` elements after `index`.
Value *plus(IRBuilderBase &builder, Value *index, uint64_t elements) {
  return elements == 0 ? index : builder.CreateAdd(index, builder.getInt32(uint32_t(elements)));
}

uint64_t bytesOf(const Type *type) {
  return type->getPrimitiveSizeInBits().getFixedValue() / 8;
}

/// Loads and stores of any type through the elements of one view.
class ElementAccess {
public:
  using AddressOf = function_ref<Value *(Value *index)>;

  ElementAccess(IRBuilderBase &builder, Type *elementType, bool isVolatile, AddressOf addressOf)
      : builder(builder), elementType(elementType), elementBytes(bytesOf(elementType)),
        isVolatile(isVolatile), addressOf(addressOf) {}

  Value *load(Type *type, Value *index) {
    uint64_t bytes = bytesOf(type);
    if (bytes == elementBytes)
      return builder.CreateBitCast(loadElement(index), type);
    if (auto *vector = dyn_cast<FixedVectorType>(type))
      return loadVector(vector, index);
    Type *wide = integerType(builder.getContext(), bytes);
    Value *joined = nullptr;
    for (uint64_t i = 0; i < bytes / elementBytes; ++i) {
      Value *part = builder.CreateZExt(loadElement(plus(builder, index, i)), wide);
      part = builder.CreateShl(part, 8 * elementBytes * i);
      joined = joined ? builder.CreateOr(joined, part) : part;
    }
    return builder.CreateBitCast(joined, type);
  }

  void store(Value *value, Value *index) {
    Type *type = value->getType();
    uint64_t bytes = bytesOf(type);
    if (bytes == elementBytes)
      return storeElement(builder.CreateBitCast(value, elementType), index);
    if (auto *vector = dyn_cast<FixedVectorType>(type))
      return storeVector(value, vector, index);
    Value *wide = builder.CreateBitCast(value, integerType(builder.getContext(), bytes));
    for (uint64_t i = 0; i < bytes / elementBytes; ++i)
      storeElement(builder.CreateTrunc(builder.CreateLShr(wide, 8 * elementBytes * i), elementType),
                   plus(builder, index, i));
  }

private:
  Value *loadElement(Value *index) {
    return builder.CreateAlignedLoad(elementType, addressOf(index), Align(elementBytes),
                                     isVolatile);
  }
  void storeElement(Value *element, Value *index) {
    builder.CreateAlignedStore(element, addressOf(index), Align(elementBytes), isVolatile);
  }

  /// How a vector lies in elements that are narrower than it: `count` pieces of `perPiece`
  /// components, each piece `elements` elements wide.
  struct Pieces {
    unsigned count, perPiece;
    uint64_t elements;
    Type *type;
  };
  Pieces piecesOf(FixedVectorType *vector) const {
    uint64_t componentBytes = bytesOf(vector->getElementType());
    if (componentBytes >= elementBytes)
      return {vector->getNumElements(), 1, componentBytes / elementBytes, vector->getElementType()};
    auto perPiece = static_cast<unsigned>(elementBytes / componentBytes);
    return {vector->getNumElements() / perPiece, perPiece, 1,
            FixedVectorType::get(vector->getElementType(), perPiece)};
  }

  Value *loadVector(FixedVectorType *vector, Value *index) {
    Pieces pieces = piecesOf(vector);
    Value *result = PoisonValue::get(vector);
    for (unsigned i = 0; i < pieces.count; ++i) {
      Value *piece = load(pieces.type, plus(builder, index, i * pieces.elements));
      for (unsigned k = 0; k < pieces.perPiece; ++k)
        result = builder.CreateInsertElement(
            result, pieces.perPiece == 1 ? piece : builder.CreateExtractElement(piece, k),
            i * pieces.perPiece + k);
    }
    return result;
  }

  void storeVector(Value *value, FixedVectorType *vector, Value *index) {
    Pieces pieces = piecesOf(vector);
    for (unsigned i = 0; i < pieces.count; ++i) {
      Value *piece = pieces.perPiece == 1 ? builder.CreateExtractElement(value, i)
                                          : PoisonValue::get(pieces.type);
      for (unsigned k = 0; k < pieces.perPiece && pieces.perPiece > 1; ++k)
        piece = builder.CreateInsertElement(
            piece, builder.CreateExtractElement(value, i * pieces.perPiece + k), k);
      store(piece, plus(builder, index, i * pieces.elements));
    }
  }

  IRBuilderBase &builder;
  Type *elementType;
  uint64_t elementBytes;
  bool isVolatile;
  AddressOf addressOf;
};

} // namespace

Value *divideExact(IRBuilderBase &builder, Value *value, uint64_t divisor) {
  if (divisor == 1)
    return value;
  if (auto *constant = dyn_cast<ConstantInt>(value))
    // Offsets before the start are negative.
    return ConstantInt::getSigned(value->getType(),
                                  constant->getSExtValue() / static_cast<int64_t>(divisor));
  if (auto *operation = dyn_cast<BinaryOperator>(value)) {
    auto *factor = dyn_cast<ConstantInt>(operation->getOperand(1));
    if (operation->getOpcode() == Instruction::Mul && factor &&
        factor->getSExtValue() % static_cast<int64_t>(divisor) == 0)
      return builder.CreateMul(
          operation->getOperand(0),
          ConstantInt::getSigned(value->getType(),
                                 factor->getSExtValue() / static_cast<int64_t>(divisor)));
    if (operation->getOpcode() == Instruction::Shl && factor &&
        factor->getZExtValue() >= Log2_64(divisor))
      return builder.CreateShl(operation->getOperand(0), factor->getZExtValue() - Log2_64(divisor));
    if (operation->getOpcode() == Instruction::Add)
      return builder.CreateAdd(divideExact(builder, operation->getOperand(0), divisor),
                               divideExact(builder, operation->getOperand(1), divisor));
  }
  return builder.CreateLShr(value, Log2_64(divisor), "", /*isExact=*/true);
}

ResourceViews::ResourceViews(Function &function, const KernelInfo &kernel,
                             const PointerRoots &pointers)
    : function(function), kernel(kernel), pointers(pointers), mayAlias(kernel.mayAlias) {
  survey();
}

/// The width of the elements through which an access reaches a root.
uint64_t ResourceViews::viewBytes(unsigned root, const Access &access) const {
  switch (pointers.roots()[root].kind) {
  case Root::Kind::Buffer:
    return std::min(access.bytes, access.alignment);
  case Root::Kind::Block:
    return wordBytes;
  default:
    return pointers.unitOf(root);
  }
}

/// The type of the piece of an access that one element of a view holds, null when an element is a
/// part of a scalar.
static Type *pieceType(const Access &access, uint64_t elementBytes) {
  if (access.bytes == elementBytes)
    return access.type;
  auto *vector = dyn_cast<FixedVectorType>(access.type);
  uint64_t componentBytes = vector ? access.bytes / vector->getNumElements() : 0;
  if (componentBytes == 0 || elementBytes < componentBytes)
    return nullptr;
  Type *component = vector->getElementType();
  return elementBytes == componentBytes
             ? component
             : FixedVectorType::get(component,
                                    static_cast<unsigned>(elementBytes / componentBytes));
}

void ResourceViews::survey() {
  for (const Access &access : pointers.accesses()) {
    for (unsigned root : pointers.rootsOf(access.pointer)) {
      if (pointers.roots()[root].kind == Root::Kind::Null)
        continue;
      uint64_t bytes = viewBytes(root, access);
      Widths &width = widths[{root, bytes}];
      width.used = true;
      if (access.writes)
        written[root] = true;
      Type *type = pieceType(access, bytes);
      width.isVector |= type && type->isVectorTy();
      width.isAtomic |= access.atomic;
      if (access.untyped && access.bytes == bytes)
        continue;
      if (!type || access.atomic || type->isIntOrIntVectorTy())
        width.isInteger = true;
      else if (width.floating && width.floating != type)
        width.isInteger = true;
      else
        width.floating = type;
    }
  }
}

Type *ResourceViews::elementType(unsigned root, uint64_t bytes) const {
  const Widths &width = widths.at({root, bytes});
  if (width.floating && !width.isInteger)
    return width.floating;
  LLVMContext &context = function.getContext();
  if (!width.isAtomic && (width.isVector || bytes > widestScalarBytes))
    return FixedVectorType::get(integerType(context, wordBytes),
                                static_cast<unsigned>(bytes / wordBytes));
  return integerType(context, bytes);
}

Value *ResourceViews::makeVariable(const Root &root, Type *element, uint64_t count,
                                   uint64_t bytes) {
  Type *type = ArrayType::get(element, count);
  if (root.kind == Root::Kind::Private) {
    BasicBlock &entry = function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    AllocaInst *variable = builder.CreateAlloca(type, nullptr, root.name);
    variable->setAlignment(Align(bytes));
    return variable;
  }
  Module &module = *function.getParent();
  bool constant = root.kind == Root::Kind::Table || root.kind == Root::Kind::Block;
  auto *variable =
      new GlobalVariable(module, type, constant, GlobalValue::ExternalLinkage, nullptr,
                         "khal.view." + root.name, nullptr, GlobalValue::NotThreadLocal, 0);
  variable->setAlignment(Align(bytes));
  return variable;
}

std::vector<Constant *> ResourceViews::tableElements(const Root &root, Type *element,
                                                     uint64_t count, uint64_t bytes) const {
  auto *global = cast<GlobalVariable>(root.value);
  const DataLayout &layout = global->getDataLayout();
  std::map<uint64_t, uint32_t> numbers; // of pointers, by the byte that they are at
  if (pointers.numbers().needed())
    forEachPointerIn(*global->getInitializer(), layout, [&](const Constant &pointer, uint64_t at) {
      numbers[at] = pointers.numberOf(pointer);
    });
  std::vector<Constant *> elements;
  for (uint64_t i = 0; i < count; ++i) {
    if (auto number = numbers.upper_bound(i * bytes); number != numbers.begin()) {
      uint64_t within = i * bytes - std::prev(number)->first;
      if (within < sizeof(uint32_t) && element->isIntegerTy()) {
        elements.push_back(
            ConstantInt::get(element, uint64_t{std::prev(number)->second} >> 8 * within));
        continue;
      }
    }
    Constant *value =
        ConstantFoldLoadFromConst(global->getInitializer(), element, APInt(64, i * bytes), layout);
    // Padding and undefined bytes read as zero, on every machine.
    bool known = value && !isa<UndefValue>(value);
    elements.push_back(known ? value : Constant::getNullValue(element));
  }
  return elements;
}

/// Of an element of the shared span that a root is.
uint64_t ResourceViews::spanBytes(const Root &root) const {
  return kernel.sharedSpans[static_cast<unsigned>(root.sharedSpan)].elementSize;
}

Resource &ResourceViews::view(unsigned rootId, uint64_t bytes) {
  auto [place, isNew] = viewIds.try_emplace({rootId, bytes}, resources.size());
  if (!isNew)
    return resources[place->second];
  const Root &root = pointers.roots()[rootId];
  Resource resource;
  resource.kind = resourceKind(root.kind);
  resource.elementType = elementType(rootId, bytes);
  if (root.kind == Root::Kind::Block)
    resource.elementType = integerType(function.getContext(), wordBytes);
  resource.elementCount =
      root.kind == Root::Kind::Buffer ? 0 : std::max<uint64_t>(1, (root.bytes + bytes - 1) / bytes);
  resource.index = root.buffer;
  if (root.sharedSpan >= 0) {
    resource.sharedSpan = root.sharedSpan;
    resource.elementCount = 0;
    resource.spanFactor = static_cast<uint32_t>(spanBytes(root) / bytes);
  }
  resource.readOnly = !written[rootId];
  resource.name = root.name;
  resource.aliased = root.kind == Root::Kind::Buffer && mayAlias;
  resource.variable = makeVariable(root, resource.elementType, resource.elementCount, bytes);
  if (root.kind == Root::Kind::Table)
    resource.initialiser = tableElements(root, resource.elementType, resource.elementCount, bytes);
  if (root.kind == Root::Kind::Shared)
    sharedTotal = SaturatingAdd(sharedTotal, static_cast<uint32_t>(resource.elementCount * bytes));
  for (Resource &other : resources)
    if (root.kind == Root::Kind::Buffer && other.kind == Resource::Kind::Buffer &&
        other.index == resource.index)
      other.aliased = resource.aliased = true;
  resources.push_back(std::move(resource));
  return resources.back();
}

Value *ResourceViews::address(IRBuilderBase &builder, const Resource &resource, Value *index) {
  Type *array = ArrayType::get(resource.elementType, resource.elementCount);
  return builder.CreateGEP(array, resource.variable, {builder.getInt32(0), index});
}

Value *ResourceViews::emitAtomic(IRBuilderBase &builder, const Access &access, Resource &resource,
                                 Value *index) {
  Instruction *copy = access.instruction->clone();
  for (Use &operand : copy->operands())
    if (operand.get() == access.pointer)
      operand.set(address(builder, resource, index));
  return builder.Insert(copy);
}

/// The block is read as words, of which a narrow value is a part and a wide one is made: the value
/// `furtherBytes` after `offset` units. A unit may be wider than a vector's elements.
Value *ResourceViews::loadFromBlock(IRBuilderBase &builder, Type *type, unsigned root,
                                    Value *offset, uint64_t furtherBytes) {
  uint64_t bytes = bytesOf(type);
  uint64_t unit = pointers.unitOf(root);
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Value *result = PoisonValue::get(vector);
    Type *element = vector->getElementType();
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder.CreateInsertElement(
          result, loadFromBlock(builder, element, root, offset, i * bytesOf(element)), i);
    return result;
  }
  Resource &resource = view(root, wordBytes);
  auto word = [&](Value *index) -> Value * {
    return builder.CreateAlignedLoad(resource.elementType, address(builder, resource, index),
                                     Align(wordBytes));
  };
  if (bytes >= wordBytes && unit >= wordBytes) {
    Value *first = builder.CreateMul(offset, builder.getInt32(uint32_t(unit / wordBytes)));
    first = plus(builder, first, furtherBytes / wordBytes);
    if (bytes == wordBytes)
      return builder.CreateBitCast(word(first), type);
    Value *low = builder.CreateZExt(word(first), builder.getInt64Ty());
    Value *high = builder.CreateZExt(word(plus(builder, first, 1)), builder.getInt64Ty());
    return builder.CreateBitCast(builder.CreateOr(low, builder.CreateShl(high, 32)), type);
  }
  // Byte by byte in units: each lies within one word.
  Type *integer = integerType(builder.getContext(), bytes);
  Value *joined = nullptr;
  for (uint64_t i = 0; i < bytes / unit; ++i) {
    Value *byte = builder.CreateMul(plus(builder, offset, i), builder.getInt32(uint32_t(unit)));
    byte = plus(builder, byte, furtherBytes);
    Value *shift = builder.CreateShl(builder.CreateAnd(byte, 3), 3);
    Value *part = builder.CreateLShr(word(builder.CreateLShr(byte, 2)), shift);
    part = builder.CreateZExtOrTrunc(
        builder.CreateAnd(part, builder.getInt32(uint32_t((uint64_t(1) << (8 * unit)) - 1))),
        integer);
    part = builder.CreateShl(part, 8 * unit * i);
    joined = joined ? builder.CreateOr(joined, part) : part;
  }
  return builder.CreateBitCast(joined, type);
}

Value *ResourceViews::emit(IRBuilderBase &builder, const Access &access, unsigned rootId,
                           Value *offset) {
  const Root &root = pointers.roots()[rootId];
  if (root.kind == Root::Kind::Block)
    return loadFromBlock(builder, access.type, rootId, offset);
  uint64_t bytes = viewBytes(rootId, access);
  Resource &resource = view(rootId, bytes);
  Value *index = divideExact(builder, offset, bytes / pointers.unitOf(rootId));
  if (access.atomic)
    return emitAtomic(builder, access, resource, index);
  auto addressOf = [&](Value *at) { return address(builder, resource, at); };
  if (auto *load = dyn_cast<LoadInst>(access.instruction))
    return ElementAccess(builder, resource.elementType, load->isVolatile(), addressOf)
        .load(access.type, index);
  auto *store = cast<StoreInst>(access.instruction);
  ElementAccess(builder, resource.elementType, store->isVolatile(), addressOf)
      .store(store->getValueOperand(), index);
  return nullptr;
}

} // namespace khalc::shader

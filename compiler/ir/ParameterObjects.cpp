//===- ParameterObjects.cpp - a kernel's parameters put together from buffers and block -------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "ir/ParameterObjects.h"

#include "khal/abi.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc {

namespace {

/// Where a parameter's bytes come from, and where its object is being put together.
class ObjectBuilder {
public:
  ObjectBuilder(IRBuilderBase &builder, DeviceAbi abi, ArrayRef<Value *> buffers, Value *block,
                ArrayRef<Value *> sharedSpans)
      : builder(builder), abi(static_cast<size_t>(abi)), buffers(buffers), block(block),
        sharedSpans(sharedSpans) {}

  Value *build(const Parameter &parameter) {
    if (isPlainPieceOfBlock(parameter))
      return addressInBlock(parameter.leaves.front().blockOffset);
    Value *object = allocate(parameter);
    for (const Leaf &leaf : parameter.leaves)
      store(leaf, object, parameter);
    return object;
  }

private:
  /// An empty struct passed by value has no leaf, and so nothing in the block to point at.
  static bool isPlainPieceOfBlock(const Parameter &parameter) {
    return parameter.form == Parameter::Form::Value && parameter.leaves.size() == 1;
  }

  Value *addressInBlock(uint32_t offset) {
    return builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), block, offset);
  }

  Value *allocate(const Parameter &parameter) {
    auto *type = ArrayType::get(builder.getInt8Ty(), std::max(1u, parameter.objectSize[abi]));
    AllocaInst *object = builder.CreateAlloca(type, nullptr, parameter.name);
    object->setAlignment(objectAlignment(parameter));
    return object;
  }

  Align objectAlignment(const Parameter &parameter) const {
    return Align(std::max(1u, parameter.objectAlignment[abi]));
  }

  void store(const Leaf &leaf, Value *object, const Parameter &parameter) {
    uint32_t offset = leaf.objectOffset[abi];
    Value *to = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), object, offset);
    Align toAlign = commonAlignment(objectAlignment(parameter), offset);
    Align fromAlign = commonAlignment(Align(khal::abi::block_alignment), leaf.blockOffset);
    switch (leaf.kind) {
    case Leaf::Kind::BufferPointer:
      builder.CreateAlignedStore(buffers[leaf.index], to, toAlign);
      return;
    case Leaf::Kind::SharedPointer:
      builder.CreateAlignedStore(sharedSpans[leaf.index], to, toAlign);
      return;
    case Leaf::Kind::BufferLength:
    case Leaf::Kind::SharedLength: {
      Value *length = builder.CreateAlignedLoad(builder.getInt32Ty(),
                                                addressInBlock(leaf.blockOffset), fromAlign);
      builder.CreateAlignedStore(length, to, toAlign);
      return;
    }
    case Leaf::Kind::Uniform:
      builder.CreateMemCpy(to, toAlign, addressInBlock(leaf.blockOffset), fromAlign, leaf.size);
      return;
    }
  }

  IRBuilderBase &builder;
  size_t abi;
  ArrayRef<Value *> buffers;
  Value *block;
  ArrayRef<Value *> sharedSpans;
};

} // namespace

SmallVector<Value *> buildParameterObjects(IRBuilderBase &builder, const KernelInfo &kernel,
                                           DeviceAbi abi, ArrayRef<Value *> buffers, Value *block,
                                           ArrayRef<Value *> sharedSpans) {
  ObjectBuilder objects(builder, abi, buffers, block, sharedSpans);
  SmallVector<Value *> addresses;
  for (const Parameter &parameter : kernel.parameters)
    addresses.push_back(objects.build(parameter));
  return addresses;
}

SmallVector<Value *> placeSharedSpans(IRBuilderBase &builder, const KernelInfo &kernel,
                                      Value *first, Value *block) {
  constexpr uint32_t alignment = khal::abi::shared_span_alignment;
  SmallVector<Value *> addresses;
  Value *begin = builder.getInt32(0);
  for (const SharedSpan &span : kernel.sharedSpans) {
    addresses.push_back(builder.CreateInBoundsGEP(builder.getInt8Ty(), first, begin, span.name));
    // As abi::shared_span_end() has it; the launch has checked that it fits.
    Value *length = builder.CreateAlignedLoad(
        builder.getInt32Ty(),
        builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), block, span.lengthOffset),
        Align(sizeof(uint32_t)));
    Value *bytes =
        builder.CreateMul(length, builder.getInt32(static_cast<uint32_t>(span.elementSize)));
    begin = builder.CreateAnd(
        builder.CreateAdd(builder.CreateAdd(begin, bytes), builder.getInt32(alignment - 1)),
        builder.getInt32(~(alignment - 1)));
  }
  return addresses;
}

} // namespace khalc

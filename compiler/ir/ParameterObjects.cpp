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
  ObjectBuilder(IRBuilderBase &builder, DeviceAbi abi, ArrayRef<Value *> buffers, Value *block)
      : builder(builder), abi(static_cast<size_t>(abi)), buffers(buffers), block(block) {}

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
    case Leaf::Kind::BufferLength: {
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
};

} // namespace

SmallVector<Value *> buildParameterObjects(IRBuilderBase &builder, const KernelInfo &kernel,
                                           DeviceAbi abi, ArrayRef<Value *> buffers, Value *block) {
  ObjectBuilder objects(builder, abi, buffers, block);
  SmallVector<Value *> addresses;
  for (const Parameter &parameter : kernel.parameters)
    addresses.push_back(objects.build(parameter));
  return addresses;
}

} // namespace khalc

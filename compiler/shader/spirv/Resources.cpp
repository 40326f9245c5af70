//===- Resources.cpp - a kernel's memory and inputs as SPIR-V variables --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/spirv/Resources.h"

#include "khal/abi.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using khalc::shader::Resource;

namespace khalc::spirv {

namespace {

/// A uniform buffer's arrays have a stride of 16 bytes (Vulkan 15.6.4, Offset and Stride), so that
/// words lie in vectors of four there.
constexpr uint32_t uniformVectorWords = 4;

const char *nameOf(spv::BuiltIn input) {
  switch (input) {
  case spv::BuiltInWorkgroupId:
    return "group_id";
  case spv::BuiltInLocalInvocationId:
    return "local_id";
  case spv::BuiltInNumWorkgroups:
    return "num_groups";
  case spv::BuiltInSubgroupSize:
    return "subgroup_size";
  case spv::BuiltInSubgroupLocalInvocationId:
    return "subgroup_lane";
  case spv::BuiltInSubgroupId:
    return "subgroup_id";
  case spv::BuiltInNumSubgroups:
    return "num_subgroups";
  default:
    return "";
  }
}

uint32_t bytesOf(const Type *type) {
  return static_cast<uint32_t>(type->getPrimitiveSizeInBits().getFixedValue() / 8);
}

} // namespace

Resources::Resources(const shader::LoweredKernel &kernel, const Form &form, Builder &builder,
                     Types &types)
    : kernel(kernel), form(form), builder(builder), types(types) {
  declareBlock();
  for (const Resource &resource : kernel.resources) {
    byVariable[resource.variable] = &resource;
    switch (resource.kind) {
    case Resource::Kind::Buffer:
      declareBuffer(resource);
      break;
    case Resource::Kind::Shared:
      declareShared(resource);
      break;
    case Resource::Kind::Table:
      declareTable(resource);
      break;
    case Resource::Kind::Block:
    case Resource::Kind::Private: // within the function, see declarePrivates()
      break;
    }
  }
}

Id Resources::namedBlockType(Id member, bool nonWritable, StringRef name) {
  Id type = builder.blockType(member, nonWritable);
  if (form.names) {
    builder.name(type, (name + "_block").str());
    builder.memberName(type, 0, "data");
  }
  return type;
}

void Resources::declareBuffer(const Resource &resource) {
  types.requireStorage(resource.elementType);
  Id array =
      builder.runtimeArrayType(types.type(resource.elementType), bytesOf(resource.elementType));
  Id variable = builder.globalVariable(spv::StorageClassStorageBuffer,
                                       namedBlockType(array, resource.readOnly, resource.name));
  builder.decorate(variable, spv::DecorationDescriptorSet, {khal::abi::descriptor_set});
  builder.decorate(variable, spv::DecorationBinding, {resource.index});
  builder.decorate(variable, resource.aliased ? spv::DecorationAliased : spv::DecorationRestrict);
  if (resource.coherent)
    builder.decorate(variable, spv::DecorationCoherent);
  builder.name(variable, resource.name);
  variables[&resource] = variable;
}

void Resources::declareBlock() {
  const KernelInfo &info = *kernel.info;
  auto buffers = static_cast<uint32_t>(info.buffers.size());
  uint32_t bytes = khal::abi::shader_block_bytes(info.blockSize, buffers);
  if (form.numGroupsInBlock)
    bytes += 3 * sizeof(uint32_t);
  if (bytes == 0)
    return;
  // Arrays in push constants may be indexed by what all work-items agree on, no more.
  const bool canBePushed =
      bytes <= khal::abi::max_push_constant_bytes && !kernel.blockIsIndexedApart;
  if (form.block == Form::Block::PushConstantOrUniform && kernel.blockIsIndexedApart)
    types.requireFeature(khal::abi::feature_uniform_block);
  blockIsUniformBuffer = form.block == Form::Block::Uniform ||
                         (form.block == Form::Block::PushConstantOrUniform && !canBePushed);
  Id word = builder.intType(32);
  if (blockIsUniformBuffer) {
    uint32_t vectors = (bytes / 4 + uniformVectorWords - 1) / uniformVectorWords;
    Id array = builder.arrayType(builder.vectorType(word, uniformVectorWords), vectors,
                                 4 * uniformVectorWords);
    block =
        builder.globalVariable(spv::StorageClassUniform, namedBlockType(array, false, "arguments"));
    builder.decorate(block, spv::DecorationDescriptorSet, {khal::abi::descriptor_set});
    builder.decorate(block, spv::DecorationBinding, {form.blockBinding.value_or(buffers)});
  } else {
    Id array = builder.arrayType(word, bytes / 4, 4);
    block = builder.globalVariable(spv::StorageClassPushConstant,
                                   namedBlockType(array, false, "arguments"));
  }
  builder.name(block, "arguments");
}

void Resources::declareShared(const Resource &resource) {
  types.requireArithmetic(resource.elementType);
  Id element = types.type(resource.elementType), array = 0;
  if (resource.sharedSpan < 0) {
    array = builder.arrayType(element, static_cast<uint32_t>(resource.elementCount), 0);
  } else {
    Id length = builder.specConstantOne(khal::abi::shared_constant_id +
                                        static_cast<uint32_t>(resource.sharedSpan));
    builder.name(length, resource.name + ".size");
    array = builder.arrayTypeOf(element, builder.specProduct(length, resource.spanFactor));
  }
  variables[&resource] = builder.globalVariable(spv::StorageClassWorkgroup, array);
  builder.name(variables[&resource], resource.name);
}

void Resources::declareTable(const Resource &resource) {
  Words elements;
  for (const Constant *element : resource.initialiser)
    elements.push_back(types.constant(element));
  Id array = builder.arrayType(types.type(resource.elementType),
                               static_cast<uint32_t>(resource.elementCount), 0);
  variables[&resource] = builder.globalVariable(spv::StorageClassPrivate, array,
                                                builder.compositeConstant(array, elements));
  builder.name(variables[&resource], resource.name);
}

void Resources::declarePrivates() {
  for (const Resource &resource : kernel.resources) {
    if (resource.kind != Resource::Kind::Private)
      continue;
    Id array = builder.arrayType(types.type(resource.elementType),
                                 static_cast<uint32_t>(resource.elementCount), 0);
    Id pointer = builder.pointerType(spv::StorageClassFunction, array);
    variables[&resource] = builder.emit(spv::OpVariable, pointer, {spv::StorageClassFunction});
    builder.name(variables[&resource], resource.name);
  }
}

Resources::Element Resources::element(const Value *pointer) const {
  if (auto *step = dyn_cast<GEPOperator>(pointer)) {
    auto found = byVariable.find(step->getPointerOperand());
    if (found == byVariable.end())
      return {};
    return {found->second, step->getOperand(step->getNumOperands() - 1)};
  }
  auto found = byVariable.find(pointer);
  if (found == byVariable.end())
    return {};
  return {found->second, nullptr};
}

Id Resources::elementPointer(const Resource &resource, Id index) {
  Id variable = variables.lookup(&resource);
  Id element = types.type(resource.elementType);
  switch (resource.kind) {
  case Resource::Kind::Buffer:
    return builder.emit(spv::OpAccessChain,
                        builder.pointerType(spv::StorageClassStorageBuffer, element),
                        {variable, builder.u32(0), index});
  case Resource::Kind::Block:
    return blockWordPointer(index);
  case Resource::Kind::Shared:
    return builder.emit(spv::OpAccessChain,
                        builder.pointerType(spv::StorageClassWorkgroup, element),
                        {variable, index});
  case Resource::Kind::Table:
    return builder.emit(spv::OpAccessChain, builder.pointerType(spv::StorageClassPrivate, element),
                        {variable, index});
  case Resource::Kind::Private:
    break;
  }
  return builder.emit(spv::OpAccessChain, builder.pointerType(spv::StorageClassFunction, element),
                      {variable, index});
}

Id Resources::blockWordPointer(Id index) {
  Id word = builder.intType(32);
  if (!blockIsUniformBuffer)
    return builder.emit(spv::OpAccessChain,
                        builder.pointerType(spv::StorageClassPushConstant, word),
                        {block, builder.u32(0), index});
  Id vector = 0, component = 0;
  if (std::optional<uint32_t> known = builder.u32Value(index)) {
    vector = builder.u32(*known / uniformVectorWords);
    component = builder.u32(*known % uniformVectorWords);
  } else {
    vector = builder.emit(spv::OpUDiv, word, {index, builder.u32(uniformVectorWords)});
    component = builder.emit(spv::OpUMod, word, {index, builder.u32(uniformVectorWords)});
  }
  return builder.emit(spv::OpAccessChain, builder.pointerType(spv::StorageClassUniform, word),
                      {block, builder.u32(0), vector, component});
}

Id Resources::loadBlockWord(Id index) {
  return builder.emit(spv::OpLoad, builder.intType(32), {blockWordPointer(index)});
}

Id Resources::bufferOffset(uint32_t buffer) {
  if (offsetsConstant == 0) {
    offsetsConstant = builder.specConstantFalse(khal::abi::offsets_constant_id);
    builder.name(offsetsConstant, "buffers_have_offsets");
  }
  Id word = builder.intType(32);
  Id offset = loadBlockWord(builder.u32(kernel.info->blockSize / 4 + buffer));
  return builder.emit(spv::OpSelect, word, {offsetsConstant, offset, builder.u32(0)});
}

Id Resources::loadNumGroups(Id dimension) {
  auto buffers = static_cast<uint32_t>(kernel.info->buffers.size());
  uint32_t first = khal::abi::shader_block_bytes(kernel.info->blockSize, buffers) / 4;
  if (std::optional<uint32_t> known = builder.u32Value(dimension))
    return loadBlockWord(builder.u32(first + *known));
  return loadBlockWord(
      builder.emit(spv::OpIAdd, builder.intType(32), {builder.u32(first), dimension}));
}

Id Resources::loadInput(spv::BuiltIn input) {
  return loadInputOf(input, builder.vectorType(builder.intType(32), 3));
}

Id Resources::loadScalarInput(spv::BuiltIn input) {
  return loadInputOf(input, builder.intType(32));
}

Id Resources::loadInputOf(spv::BuiltIn input, Id type) {
  Id &variable = inputVariables[input];
  if (variable == 0) {
    variable = builder.globalVariable(spv::StorageClassInput, type);
    builder.decorate(variable, spv::DecorationBuiltIn, {static_cast<uint32_t>(input)});
    builder.name(variable, nameOf(input));
    inputs.push_back(variable);
  }
  return builder.emit(spv::OpLoad, type, {variable});
}

} // namespace khalc::spirv

//===- Builder.cpp - a SPIR-V module under construction ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/spirv/Builder.h"

using namespace llvm;

namespace khalc::spirv {

namespace {

/// The generator's number in the header: 0, none registered.
constexpr uint32_t generator = 0;

void append(Words &section, spv::Op op, ArrayRef<uint32_t> operands) {
  section.push_back(static_cast<uint32_t>((operands.size() + 1) << spv::WordCountShift) |
                    static_cast<uint32_t>(op));
  section.insert(section.end(), operands.begin(), operands.end());
}

/// A literal string: UTF-8, zero-terminated, little-endian in words.
void appendLiteral(Words &words, StringRef text) {
  uint32_t word = 0;
  unsigned filled = 0;
  for (char c : text) {
    word |= static_cast<uint32_t>(static_cast<unsigned char>(c)) << (8 * filled);
    if (++filled == 4) {
      words.push_back(word);
      word = 0;
      filled = 0;
    }
  }
  words.push_back(word);
}

} // namespace

Id Builder::type(spv::Op op, ArrayRef<uint32_t> operands) {
  Words key{static_cast<uint32_t>(op)};
  key.insert(key.end(), operands.begin(), operands.end());
  auto [place, isNew] = unique.try_emplace(key, 0);
  if (isNew) {
    place->second = newId();
    Words words{place->second};
    words.insert(words.end(), operands.begin(), operands.end());
    append(globals, op, words);
  }
  return place->second;
}

Id Builder::constant(spv::Op op, Id type, ArrayRef<uint32_t> operands) {
  Words key{static_cast<uint32_t>(op), type};
  key.insert(key.end(), operands.begin(), operands.end());
  auto [place, isNew] = unique.try_emplace(key, 0);
  if (isNew) {
    place->second = newId();
    Words words{type, place->second};
    words.insert(words.end(), operands.begin(), operands.end());
    append(globals, op, words);
  }
  return place->second;
}

Id Builder::arrayType(Id element, uint32_t count, uint32_t stride) {
  Id length = u32(count);
  // The stride is part of the key: equal arrays with and without a layout are two types.
  Words key{spv::OpTypeArray, element, length, stride};
  auto [place, isNew] = unique.try_emplace(key, 0);
  if (isNew) {
    place->second = newId();
    append(globals, spv::OpTypeArray, {place->second, element, length});
    if (stride != 0)
      decorate(place->second, spv::DecorationArrayStride, {stride});
  }
  return place->second;
}

Id Builder::arrayTypeOf(Id element, Id count) {
  Id id = newId();
  append(globals, spv::OpTypeArray, {id, element, count});
  return id;
}

Id Builder::runtimeArrayType(Id element, uint32_t stride) {
  Words key{spv::OpTypeRuntimeArray, element};
  auto [place, isNew] = unique.try_emplace(key, 0);
  if (isNew) {
    place->second = newId();
    append(globals, spv::OpTypeRuntimeArray, {place->second, element});
    decorate(place->second, spv::DecorationArrayStride, {stride});
  }
  return place->second;
}

Id Builder::blockType(Id member, bool nonWritable) {
  Id id = newId();
  append(globals, spv::OpTypeStruct, {id, member});
  decorate(id, spv::DecorationBlock);
  append(decorations, spv::OpMemberDecorate, {id, 0, spv::DecorationOffset, 0});
  if (nonWritable)
    append(decorations, spv::OpMemberDecorate, {id, 0, spv::DecorationNonWritable});
  return id;
}

Id Builder::boolConstant(bool value) {
  return constant(value ? spv::OpConstantTrue : spv::OpConstantFalse, boolType(), {});
}

Id Builder::intConstant(unsigned width, uint64_t value) {
  Id integer = intType(width);
  if (width == 64)
    return constant(spv::OpConstant, integer,
                    {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)});
  uint64_t mask = (uint64_t(1) << width) - 1;
  Id id = constant(spv::OpConstant, integer, {static_cast<uint32_t>(value & mask)});
  if (width == 32)
    u32Values[id] = static_cast<uint32_t>(value);
  return id;
}

std::optional<uint32_t> Builder::u32Value(Id id) const {
  auto found = u32Values.find(id);
  if (found == u32Values.end())
    return std::nullopt;
  return found->second;
}

Id Builder::floatConstant(unsigned width, uint64_t bits) {
  Id floating = floatType(width);
  if (width == 64)
    return constant(spv::OpConstant, floating,
                    {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
  return constant(spv::OpConstant, floating, {static_cast<uint32_t>(bits)});
}

Id Builder::specConstantFalse(uint32_t specId) {
  Id id = newId();
  append(globals, spv::OpSpecConstantFalse, {boolType(), id});
  decorate(id, spv::DecorationSpecId, {specId});
  return id;
}

Id Builder::specConstantOne(uint32_t specId) {
  Id type = intType(32), id = newId();
  append(globals, spv::OpSpecConstant, {type, id, 1});
  decorate(id, spv::DecorationSpecId, {specId});
  return id;
}

Id Builder::specProduct(Id value, uint32_t factor) {
  if (factor == 1)
    return value;
  Id type = intType(32), constant = u32(factor), id = newId();
  append(globals, spv::OpSpecConstantOp, {type, id, spv::OpIMul, value, constant});
  return id;
}

Id Builder::instructionSet(const std::string &name) {
  const auto [place, isNew] = instructionSets.try_emplace(name, 0);
  if (isNew)
    place->second = newId();
  return place->second;
}

void Builder::entryPoint(Id function, StringRef name, ArrayRef<uint32_t> interface) {
  Words words{spv::ExecutionModelGLCompute, function};
  appendLiteral(words, name);
  words.insert(words.end(), interface.begin(), interface.end());
  append(entryPoints, spv::OpEntryPoint, words);
}

void Builder::executionMode(Id function, spv::ExecutionMode mode, ArrayRef<uint32_t> operands) {
  Words words{function, static_cast<uint32_t>(mode)};
  words.insert(words.end(), operands.begin(), operands.end());
  append(executionModes, spv::OpExecutionMode, words);
}

void Builder::name(Id id, StringRef text) {
  if (text.empty())
    return;
  Words words{id};
  appendLiteral(words, text);
  append(names, spv::OpName, words);
}

void Builder::memberName(Id type, uint32_t member, StringRef text) {
  Words words{type, member};
  appendLiteral(words, text);
  append(names, spv::OpMemberName, words);
}

void Builder::decorate(Id id, spv::Decoration decoration, ArrayRef<uint32_t> operands) {
  Words words{id, static_cast<uint32_t>(decoration)};
  words.insert(words.end(), operands.begin(), operands.end());
  append(decorations, spv::OpDecorate, words);
}

Id Builder::string(StringRef text) {
  auto [place, isNew] = strings.try_emplace(text.str(), 0);
  if (isNew) {
    place->second = newId();
    Words words{place->second};
    appendLiteral(words, text);
    append(debugStrings, spv::OpString, words);
  }
  return place->second;
}

void Builder::source(Id file) {
  append(debugStrings, spv::OpSource, {spv::SourceLanguageUnknown, 0, file});
}

Id Builder::globalVariable(spv::StorageClass storage, Id pointee, Id initialiser) {
  Id pointer = pointerType(storage, pointee);
  Id id = newId();
  Words words{pointer, id, static_cast<uint32_t>(storage)};
  if (initialiser != 0)
    words.push_back(initialiser);
  append(globals, spv::OpVariable, words);
  return id;
}

Id Builder::emitGlobal(spv::Op op, Id resultType, ArrayRef<uint32_t> operands) {
  Id id = newId();
  Words words{resultType, id};
  words.insert(words.end(), operands.begin(), operands.end());
  append(globals, op, words);
  return id;
}

void Builder::emit(spv::Op op, ArrayRef<uint32_t> operands) {
  append(functions, op, operands);
}

Id Builder::emit(spv::Op op, Id resultType, ArrayRef<uint32_t> operands) {
  Id id = newId();
  Words words{resultType, id};
  words.insert(words.end(), operands.begin(), operands.end());
  append(functions, op, words);
  return id;
}

Words Builder::finish(uint32_t version) const {
  Words module{spv::MagicNumber, version, generator, nextId, 0};
  for (spv::Capability capability : capabilities)
    append(module, spv::OpCapability, {static_cast<uint32_t>(capability)});
  for (const std::string &extension : extensions) {
    Words words;
    appendLiteral(words, extension);
    append(module, spv::OpExtension, words);
  }
  for (const auto &[name, id] : instructionSets) {
    Words words{id};
    appendLiteral(words, name);
    append(module, spv::OpExtInstImport, words);
  }
  append(module, spv::OpMemoryModel, {spv::AddressingModelLogical, spv::MemoryModelGLSL450});
  for (const Words *section :
       {&entryPoints, &executionModes, &debugStrings, &names, &decorations, &globals, &functions})
    module.insert(module.end(), section->begin(), section->end());
  return module;
}

} // namespace khalc::spirv

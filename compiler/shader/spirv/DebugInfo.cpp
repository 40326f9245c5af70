//===- DebugInfo.cpp - what a GPU debugger shows of a kernel ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instruction set is specified in Khronos' NonSemantic.Shader.DebugInfo.100. All numbers in it
// are ids of constants.
//
//===------------------------------------------------------------------------------------------===//
#include "shader/spirv/DebugInfo.h"

#include "kernel/KernelInfo.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

using namespace llvm;

namespace khalc::spirv {

namespace {

constexpr uint32_t dwarfVersion = 5;
/// An instruction has 16 bits for its length in words.
constexpr size_t maxStringBytes = 60000 * sizeof(uint32_t);

/// The function that the frontend makes around a kernel isn't the user's.
bool isSynthesised(const DISubprogram &subprogram) {
  return subprogram.getName().starts_with(bodyPrefix);
}

/// The call that `location` was inlined at, seen from the user's code.
const DILocation *callOf(const DILocation &location) {
  const DILocation *call = location.getInlinedAt();
  return call && !isSynthesised(*call->getScope()->getSubprogram()) ? call : nullptr;
}

/// What code outside of functions, and blocks within them, are scopes for.
const DIScope &withoutFileChanges(const DIScope &scope) {
  const DIScope *at = &scope;
  while (const auto *block = dyn_cast<DILexicalBlockFile>(at))
    at = block->getScope();
  return *at;
}

/// The kernel as the user wrote it.
const DISubprogram *kernelOf(const Function &function) {
  for (const Instruction &instruction : instructions(function)) {
    const DILocation *location = instruction.getDebugLoc().get();
    if (!location)
      continue;
    while (const DILocation *call = callOf(*location))
      location = call;
    const DISubprogram *subprogram = location->getScope()->getSubprogram();
    if (!isSynthesised(*subprogram))
      return subprogram;
  }
  return nullptr;
}

uint32_t encodingOf(const DIBasicType &type) {
  switch (type.getEncoding()) {
  case dwarf::DW_ATE_boolean:
    return NonSemanticShaderDebugInfo100Boolean;
  case dwarf::DW_ATE_float:
    return NonSemanticShaderDebugInfo100Float;
  case dwarf::DW_ATE_signed:
    return NonSemanticShaderDebugInfo100Signed;
  case dwarf::DW_ATE_signed_char:
    return NonSemanticShaderDebugInfo100SignedChar;
  case dwarf::DW_ATE_unsigned:
    return NonSemanticShaderDebugInfo100Unsigned;
  case dwarf::DW_ATE_unsigned_char:
    return NonSemanticShaderDebugInfo100UnsignedChar;
  default:
    return NonSemanticShaderDebugInfo100Unspecified;
  }
}

/// The first piece of `text` that fits into one string, cut at a line's end where there is one.
StringRef takePiece(StringRef &text) {
  size_t length = text.size();
  if (length > maxStringBytes) {
    const size_t end = text.take_front(maxStringBytes).rfind('\n');
    length = end == StringRef::npos ? maxStringBytes : end + 1;
  }
  const StringRef piece = text.take_front(length);
  text = text.drop_front(length);
  return piece;
}

} // namespace

DebugInfo::DebugInfo(Builder &builder, const Function &function)
    : builder(builder), set(builder.instructionSet("NonSemantic.Shader.DebugInfo.100")),
      kernel(kernelOf(function)) {
  builder.extension("SPV_KHR_non_semantic_info");
}

Id DebugInfo::global(uint32_t instruction, ArrayRef<uint32_t> operands) {
  Words words{set, instruction};
  words.insert(words.end(), operands.begin(), operands.end());
  return builder.emitGlobal(spv::OpExtInst, builder.voidType(), words);
}

void DebugInfo::local(uint32_t instruction, ArrayRef<uint32_t> operands) {
  Words words{set, instruction};
  words.insert(words.end(), operands.begin(), operands.end());
  builder.emit(spv::OpExtInst, builder.voidType(), words);
}

Id DebugInfo::sourceOf(const DIScope &scope) {
  const StringRef path = scope.getFilename();
  const auto [place, isNew] = sources.try_emplace(path, 0);
  if (isNew)
    place->second = makeSource(path);
  return place->second;
}

/// With the file's text, so that a debugger needs no search path. A file that can't be read any
/// more is named alone.
Id DebugInfo::makeSource(StringRef path) {
  const ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path, /*IsText=*/true);
  const Id name = builder.string(path);
  if (!file)
    return global(NonSemanticShaderDebugInfo100DebugSource, {name});
  StringRef text = (*file)->getBuffer();
  const Id source =
      global(NonSemanticShaderDebugInfo100DebugSource, {name, builder.string(takePiece(text))});
  while (!text.empty())
    global(NonSemanticShaderDebugInfo100DebugSourceContinued, {builder.string(takePiece(text))});
  return source;
}

Id DebugInfo::makeFunction(const DISubprogram &subprogram) {
  if (functionType == 0)
    functionType =
        global(NonSemanticShaderDebugInfo100DebugTypeFunction, {number(0), builder.voidType()});
  const Id source = sourceOf(subprogram);
  if (unit == 0)
    unit = global(NonSemanticShaderDebugInfo100DebugCompilationUnit,
                  {number(NonSemanticShaderDebugInfo100Version), number(dwarfVersion), source,
                   number(spv::SourceLanguageUnknown)});
  return global(
      NonSemanticShaderDebugInfo100DebugFunction,
      {builder.string(subprogram.getName()), functionType, source, number(subprogram.getLine()),
       number(0), unit, builder.string(subprogram.getLinkageName()),
       number(NonSemanticShaderDebugInfo100FlagIsDefinition), number(subprogram.getScopeLine())});
}

Id DebugInfo::scopeId(const DIScope &given) {
  const DIScope &scope = withoutFileChanges(given);
  if (const Id known = scopes.lookup(&scope))
    return known;
  Id id = 0;
  if (const auto *block = dyn_cast<DILexicalBlock>(&scope))
    id = global(NonSemanticShaderDebugInfo100DebugLexicalBlock,
                {sourceOf(*block), number(block->getLine()), number(block->getColumn()),
                 scopeId(*block->getScope())});
  else
    id = makeFunction(*cast<DISubprogram>(&scope));
  scopes[&scope] = id;
  return id;
}

Id DebugInfo::inlinedAtId(const DILocation *call) {
  if (!call)
    return 0;
  if (const Id known = calls.lookup(call))
    return known;
  Words operands{number(call->getLine()), scopeId(*call->getScope())};
  if (const Id outer = inlinedAtId(callOf(*call)))
    operands.push_back(outer);
  const Id id = global(NonSemanticShaderDebugInfo100DebugInlinedAt, operands);
  calls[call] = id;
  return id;
}

void DebugInfo::beginFunction(Id function) {
  if (kernel)
    local(NonSemanticShaderDebugInfo100DebugFunctionDefinition, {scopeId(*kernel), function});
}

void DebugInfo::at(const DILocation &location) {
  if (location.getLine() == 0 || isSynthesised(*location.getScope()->getSubprogram()))
    return;
  const Place place{scopeId(*location.getScope()), inlinedAtId(callOf(location)),
                    sourceOf(*location.getScope()), location.getLine(), location.getColumn()};
  if (place.scope != current.scope || place.inlinedAt != current.inlinedAt) {
    Words operands{place.scope};
    if (place.inlinedAt != 0)
      operands.push_back(place.inlinedAt);
    local(NonSemanticShaderDebugInfo100DebugScope, operands);
  }
  if (place != current) {
    const Id line = number(place.line), column = number(place.column);
    local(NonSemanticShaderDebugInfo100DebugLine, {place.file, line, line, column, column});
  }
  current = place;
}

/// 0 for a type that isn't a number or truth value, by whatever name.
Id DebugInfo::basicType(const DIType *type) {
  while (const auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
    if (derived->getTag() != dwarf::DW_TAG_typedef &&
        derived->getTag() != dwarf::DW_TAG_const_type &&
        derived->getTag() != dwarf::DW_TAG_volatile_type)
      return 0;
    type = derived->getBaseType();
  }
  const auto *basic = dyn_cast_or_null<DIBasicType>(type);
  if (!basic)
    return 0;
  Id &id = types[basic];
  if (id == 0)
    id = global(NonSemanticShaderDebugInfo100DebugTypeBasic,
                {builder.string(basic->getName()),
                 number(static_cast<uint32_t>(basic->getSizeInBits())), number(encodingOf(*basic)),
                 number(0)});
  return id;
}

Id DebugInfo::variableId(const DILocalVariable &variable, Id type) {
  if (const Id known = variables.lookup(&variable))
    return known;
  Words operands{builder.string(variable.getName()),
                 type,
                 sourceOf(*variable.getScope()),
                 number(variable.getLine()),
                 number(0),
                 scopeId(*variable.getScope()),
                 number(0)};
  if (variable.getArg() != 0)
    operands.push_back(number(variable.getArg()));
  const Id id = global(NonSemanticShaderDebugInfo100DebugLocalVariable, operands);
  variables[&variable] = id;
  return id;
}

/// True if the variable is the value as it is. For SPIR-V, Clang says before all else that an address
/// would be in memory of kind 0.
static bool isPlain(const DIExpression &expression) {
  constexpr uint64_t memoryKind[] = {dwarf::DW_OP_constu, 0, dwarf::DW_OP_swap,
                                     dwarf::DW_OP_xderef};
  const ArrayRef<uint64_t> elements = expression.getElements();
  return elements.empty() || elements == ArrayRef(memoryKind);
}

void DebugInfo::value(const DbgVariableRecord &record, Id id) {
  const DILocalVariable &variable = *record.getVariable();
  const DILocation *location = record.getDebugLoc().get();
  if (id == 0 || !location || !isPlain(*record.getExpression()) ||
      isSynthesised(*variable.getScope()->getSubprogram()))
    return;
  // A narrow value may be one that is only loaded, converted and stored, which the device need not be
  // able to do more with (Types.h); debug information would count as more.
  constexpr unsigned wordBits = 32;
  const Type &valueType = *record.getVariableLocationOp(0)->getType();
  if (!valueType.isIntegerTy(1) && valueType.getScalarSizeInBits() < wordBits)
    return;
  const Id type = basicType(variable.getType());
  if (type == 0)
    return;
  // A debugger takes the variable's call from the scope that the statement is in.
  at(*location);
  if (noOperations == 0)
    noOperations = global(NonSemanticShaderDebugInfo100DebugExpression, {});
  local(NonSemanticShaderDebugInfo100DebugValue, {variableId(variable, type), id, noOperations});
}

} // namespace khalc::spirv

//===- Builder.h - a SPIR-V module under construction --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ids, types and constants (each made once), the module's sections in the order that the
// specification wants (SPIR-V 2.4, Logical Layout of a Module), and capabilities as they are asked
// for. Knows nothing of LLVM.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_BUILDER_H
#define KHALC_SHADER_SPIRV_BUILDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace khalc::spirv {

using Id = uint32_t;
using Words = std::vector<uint32_t>;

class Builder {
public:
  Id newId() { return nextId++; }

  // Types. A layout stride of 0 means that the type has no explicit layout.
  Id voidType() { return type(spv::OpTypeVoid, {}); }
  Id boolType() { return type(spv::OpTypeBool, {}); }
  Id intType(unsigned width) { return type(spv::OpTypeInt, {width, 0}); }
  Id floatType(unsigned width) { return type(spv::OpTypeFloat, {width}); }
  Id vectorType(Id component, unsigned count) {
    return type(spv::OpTypeVector, {component, count});
  }
  Id functionType(Id result) { return type(spv::OpTypeFunction, {result}); }
  Id pointerType(spv::StorageClass storage, Id pointee) {
    return type(spv::OpTypePointer, {static_cast<uint32_t>(storage), pointee});
  }
  Id arrayType(Id element, uint32_t count, uint32_t stride);
  /// An array whose count is a (specialisation) constant, without a layout. New on each call.
  Id arrayTypeOf(Id element, Id count);
  Id runtimeArrayType(Id element, uint32_t stride);
  /// A struct with one member at offset 0, decorated Block. New on each call: its decorations
  /// belong to one variable.
  Id blockType(Id member, bool nonWritable);

  // Constants.
  Id boolConstant(bool value);
  Id intConstant(unsigned width, uint64_t value);
  Id u32(uint32_t value) { return intConstant(32, value); }
  /// The value of a 32-bit integer constant made here; nothing for any other id.
  std::optional<uint32_t> u32Value(Id id) const;
  Id floatConstant(unsigned width, uint64_t bits);
  Id nullConstant(Id type) { return constant(spv::OpConstantNull, type, {}); }
  Id compositeConstant(Id type, llvm::ArrayRef<uint32_t> parts) {
    return constant(spv::OpConstantComposite, type, parts);
  }
  Id specConstantFalse(uint32_t specId);
  /// A u32 that is 1 unless specialised.
  Id specConstantOne(uint32_t specId);
  /// `value * factor` of a specialisation constant.
  Id specProduct(Id value, uint32_t factor);

  // Module-level declarations.
  void capability(spv::Capability capability) { capabilities.insert(capability); }
  void extension(const std::string &name) { extensions.insert(name); }
  Id glslInstructions() { return instructionSet("GLSL.std.450"); }
  Id instructionSet(const std::string &name);
  void entryPoint(Id function, llvm::StringRef name, llvm::ArrayRef<uint32_t> interface);
  void executionMode(Id function, spv::ExecutionMode mode, llvm::ArrayRef<uint32_t> operands);
  void name(Id id, llvm::StringRef text);
  void memberName(Id type, uint32_t member, llvm::StringRef text);
  void decorate(Id id, spv::Decoration decoration, llvm::ArrayRef<uint32_t> operands = {});
  Id string(llvm::StringRef text);
  void source(Id file);
  Id globalVariable(spv::StorageClass storage, Id pointee, Id initialiser = 0);

  /// Appends an instruction with a result to the types, constants and variables.
  Id emitGlobal(spv::Op op, Id resultType, llvm::ArrayRef<uint32_t> operands);
  /// Appends an instruction to the function section; the form with a type gives its result id.
  void emit(spv::Op op, llvm::ArrayRef<uint32_t> operands);
  Id emit(spv::Op op, Id resultType, llvm::ArrayRef<uint32_t> operands);

  /// The finished module for SPIR-V `version` (0x00010300 for 1.3).
  Words finish(uint32_t version) const;

private:
  Id type(spv::Op op, llvm::ArrayRef<uint32_t> operands);
  Id constant(spv::Op op, Id type, llvm::ArrayRef<uint32_t> operands);

  Id nextId = 1;
  std::map<Words, Id> unique; ///< types and constants by opcode and operands
  std::map<std::string, Id> strings;
  std::map<Id, uint32_t> u32Values;
  std::set<spv::Capability> capabilities;
  std::set<std::string> extensions;
  std::map<std::string, Id> instructionSets;
  Words entryPoints, executionModes, debugStrings, names, decorations, globals, functions;
};

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_BUILDER_H

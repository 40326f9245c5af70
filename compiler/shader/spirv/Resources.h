//===- Resources.h - a kernel's memory and inputs as SPIR-V variables ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_RESOURCES_H
#define KHALC_SHADER_SPIRV_RESOURCES_H

#include "shader/Lowered.h"
#include "shader/spirv/Form.h"
#include "shader/spirv/Types.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace khalc::spirv {

/// Declares each resource of a kernel once, with its decorations, and names elements of it.
class Resources {
public:
  Resources(const shader::LoweredKernel &kernel, const Form &form, Builder &builder, Types &types);

  /// The resource and element that a load's, store's or atomic's pointer operand names.
  struct Element {
    const shader::Resource *resource = nullptr;
    const llvm::Value *index = nullptr; ///< null for element 0
  };
  Element element(const llvm::Value *pointer) const;

  /// Emits a pointer to an element, at `index` (a u32 id).
  Id elementPointer(const shader::Resource &resource, Id index);
  /// Emits a load of word `index` of the argument block (see abi.h).
  Id loadBlockWord(Id index);
  /// Emits the byte offset of a buffer from its descriptor.
  Id bufferOffset(uint32_t buffer);
  /// Emits the vector of three that a SPIR-V built-in input holds.
  Id loadInput(spv::BuiltIn input);
  /// Emits the number that a SPIR-V built-in input holds.
  Id loadScalarInput(spv::BuiltIn input);
  /// Emits a load of a component of the number of groups where it follows the block (see Form).
  Id loadNumGroups(Id dimension);

  /// Function-storage variables, to be declared at the start of the function.
  void declarePrivates();
  const std::vector<uint32_t> &interface() const { return inputs; }

private:
  void declareBuffer(const shader::Resource &resource);
  void declareBlock();
  Id namedBlockType(Id member, bool nonWritable, llvm::StringRef name);
  void declareShared(const shader::Resource &resource);
  void declareTable(const shader::Resource &resource);
  Id blockWordPointer(Id index);
  Id loadInputOf(spv::BuiltIn input, Id type);

  const shader::LoweredKernel &kernel;
  const Form &form;
  Builder &builder;
  Types &types;
  llvm::DenseMap<const llvm::Value *, const shader::Resource *> byVariable;
  llvm::DenseMap<const shader::Resource *, Id> variables;
  Id block = 0;
  bool blockIsUniformBuffer = false;
  Id offsetsConstant = 0;
  std::map<spv::BuiltIn, Id> inputVariables;
  std::vector<uint32_t> inputs;
};

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_RESOURCES_H

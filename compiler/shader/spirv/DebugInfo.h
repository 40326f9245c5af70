//===- DebugInfo.h - what a GPU debugger shows of a kernel ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_DEBUGINFO_H
#define KHALC_SHADER_SPIRV_DEBUGINFO_H

#include "shader/spirv/Builder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace llvm {
class DbgVariableRecord;
class DILocalVariable;
class DILocation;
class DIScope;
class DISubprogram;
class DIType;
class Function;
} // namespace llvm

namespace khalc::spirv {

/// Says in NonSemantic.Shader.DebugInfo.100 what LLVM's debug information says of a function into
/// which everything was inlined: files with their text, functions, scopes, the place of each
/// instruction with the calls that led there, and variables of scalar types that are in a value.
///
///   %x = add i32 …, !dbg line 7 of helper, called at line 12 of kernel
///   =>   DebugScope %helper (DebugInlinedAt 12 %kernel)
///        DebugLine %file 7
///        %x = OpIAdd …
///
/// Consumers that don't know the instruction set skip it.
class DebugInfo {
public:
  DebugInfo(Builder &builder, const llvm::Function &function);

  /// To be called in the function's first block, behind its variables.
  void beginFunction(Id function);
  /// Says where the instructions that follow come from, if that is new.
  void at(const llvm::DILocation &location);
  /// Says that a variable has the value `id` from here on. Variables of other than scalar types, and
  /// parts of variables, are passed over.
  void value(const llvm::DbgVariableRecord &record, Id id);
  /// A new block begins: scope and line end with the block.
  void forget() { current = Place(); }

private:
  struct Place {
    Id scope = 0, inlinedAt = 0, file = 0;
    unsigned line = 0, column = 0;
    bool operator==(const Place &) const = default;
  };
  /// A place and the function or block that it is in.
  struct Frame {
    const llvm::DIScope *scope;
    unsigned line;
  };

  Id global(uint32_t instruction, llvm::ArrayRef<uint32_t> operands);
  void local(uint32_t instruction, llvm::ArrayRef<uint32_t> operands);
  Id number(uint32_t value) { return builder.u32(value); }
  Id sourceOf(const llvm::DIScope &scope);
  Id makeSource(llvm::StringRef path);
  Id scopeId(const llvm::DIScope &scope);
  Id makeFunction(const llvm::DISubprogram &subprogram);
  Id basicType(const llvm::DIType *type);
  Id variableId(const llvm::DILocalVariable &variable, Id type);
  Id inlinedAtId(const llvm::DILocation *call);

  Builder &builder;
  Id set; ///< the import
  Id unit = 0;
  Id functionType = 0;
  Id noOperations = 0; ///< the expression of a variable that is just a value
  const llvm::DISubprogram *kernel = nullptr;
  llvm::StringMap<Id> sources;
  llvm::DenseMap<const llvm::DIScope *, Id> scopes;
  llvm::DenseMap<const llvm::DIType *, Id> types;
  llvm::DenseMap<const llvm::DILocalVariable *, Id> variables;
  llvm::DenseMap<const llvm::DILocation *, Id> calls;
  Place current;
};

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_DEBUGINFO_H

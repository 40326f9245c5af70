//===- Resources.h - a kernel's memory and inputs as WGSL variables -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_WGSL_RESOURCES_H
#define KHALC_SHADER_WGSL_RESOURCES_H

#include "shader/Lowered.h"
#include "shader/wgsl/Names.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace llvm {
class raw_ostream;
}

namespace khalc::wgsl {

/// `f32`, `u32`, `bool` or `f16`.
llvm::StringRef typeName(const llvm::Type *type);
/// A constant of the types above. Numbers that WGSL has no literal for are made at run time.
std::string literal(const llvm::Constant *constant);
/// The number that run-time constants are made of; see literal().
inline constexpr char zeroVariable[] = "khal_zero";

/// Declares each resource of a kernel once and names elements of it.
class Resources {
public:
  Resources(const shader::LoweredKernel &kernel, Names &names);

  struct Element {
    const shader::Resource *resource = nullptr;
    const llvm::Value *index = nullptr; ///< null for element 0
  };
  Element element(const llvm::Value *pointer) const;

  /// Its elements are atomic: accesses go through atomicLoad and atomicStore.
  bool isAtomic(const shader::Resource &resource) const;
  /// Its atomics compare as i32, which its elements then are.
  bool isSigned(const shader::Resource &resource) const;
  llvm::StringRef nameOf(const shader::Resource &resource) const;

  /// `arguments[1].z` for a constant word, with a computed index else.
  std::string blockWord(uint32_t word);
  std::string blockWord(const std::string &index);
  /// The byte offset of a buffer from its binding.
  std::string bufferOffset(uint32_t buffer);
  /// An input of the entry point: "workgroup_id", "local_invocation_id" or "num_workgroups", vectors,
  /// or "subgroup_size" or "subgroup_invocation_id".
  std::string input(llvm::StringRef builtin);

  /// `workgroupBarrier();` and `storageBarrier();`, as far as the kernel's memory needs them.
  bool sharesWorkgroupMemory() const { return hasShared; }
  bool sharesStorage() const { return hasReadWrite; }

  void declareGlobals(llvm::raw_ostream &out) const;
  void declarePrivates(llvm::raw_ostream &out) const;
  void declareInputs(llvm::raw_ostream &out) const;
  /// The block's declaration goes with the inputs that were asked for, so that globals come last.
  bool usesBlock() const { return blockUsed; }

private:
  struct Use {
    std::string name;
    std::string lengthName; ///< of a shared span
    bool atomic = false;
    bool signedOrder = false;
    bool read = false;
    bool written = false;
  };

  void survey();
  void declareBuffer(llvm::raw_ostream &out, const shader::Resource &resource) const;
  void declareTable(llvm::raw_ostream &out, const shader::Resource &resource) const;
  void declareShared(llvm::raw_ostream &out, const shader::Resource &resource) const;
  std::string elementTypeOf(const shader::Resource &resource) const;

  const shader::LoweredKernel &kernel;
  llvm::DenseMap<const llvm::Value *, const shader::Resource *> byVariable;
  std::map<const shader::Resource *, Use> uses;
  std::string blockName, offsetsName;
  bool blockUsed = false, offsetsUsed = false;
  bool hasShared = false, hasReadWrite = false;
  std::map<std::string, std::string> inputs; ///< name by builtin
  Names &names;
};

} // namespace khalc::wgsl

#endif // KHALC_SHADER_WGSL_RESOURCES_H

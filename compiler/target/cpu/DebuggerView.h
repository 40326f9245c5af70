//===- DebuggerView.h - where a debugger sees that a work-item is -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_DEBUGGERVIEW_H
#define KHALC_TARGET_CPU_DEBUGGERVIEW_H

#include "llvm/IR/IRBuilder.h"

#include <array>

namespace llvm {
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace khalc::cpu {

/// Makes `print khal::global_id()` work in a debugger that has stopped in a kernel. With -g and -O0
/// khal/kernel/index.hpp defines a function that calls all of khal's functions of the index, so that
/// they are there as functions of their own; they then read a thread's variable to which each
/// work-item writes where it is before it begins.
///
///   call i32 @__khal_local_id(i32 %d)   =>   load i32, ptr (@__khal_debugger_here + 3 + %d)
class DebuggerView {
public:
  explicit DebuggerView(llvm::Module &module);

  bool isWanted() const { return here != nullptr; }

  /// In the order of Builtin's index builtins: group id, local id, number of groups, group size.
  using Place = std::array<std::array<llvm::Value *, 3>, 4>;
  void noteWorkItem(llvm::IRBuilder<> &builder, const Place &place) const;

  /// Lets the index functions read what was noted; returns the one that keeps them, to be kept.
  llvm::Function *finish() const;

private:
  void readInsteadOfCalls(llvm::Function &function) const;

  llvm::Function *calls = nullptr; ///< of the index functions, by khal/kernel/index.hpp
  llvm::GlobalVariable *here = nullptr;
};

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_DEBUGGERVIEW_H

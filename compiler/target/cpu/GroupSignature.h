//===- GroupSignature.h - arguments of a work-group function ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_GROUPSIGNATURE_H
#define KHALC_TARGET_CPU_GROUPSIGNATURE_H

#include "kernel/KernelInfo.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

namespace khalc::cpu {

/// What a function that runs a whole work-group takes, and first of all the item function that it
/// is made from, which takes its local id besides:
///
///   void group(buffer 0 … buffer n-1, shared span 0 … shared span m-1, block, group id x y z,
///              number of groups x y z, shared, context)
///   void item(the same …, local id x y z)
class GroupSignature {
public:
  explicit GroupSignature(const KernelInfo &kernel)
      : bufferCount(kernel.buffers.size()), sharedSpanCount(kernel.sharedSpans.size()) {}

  unsigned buffer(unsigned index) const { return index; }
  unsigned sharedSpan(unsigned index) const { return bufferCount + index; }
  unsigned block() const { return bufferCount + sharedSpanCount; }
  unsigned groupId(unsigned dimension) const { return block() + 1 + dimension; }
  unsigned numGroups(unsigned dimension) const { return block() + 4 + dimension; }
  /// Work-group memory: the kernel's shared variables.
  unsigned shared() const { return block() + 7; }
  /// Memory for what work-items keep across barriers.
  unsigned context() const { return block() + 8; }
  unsigned groupArguments() const { return block() + 9; }
  unsigned localId(unsigned dimension) const { return groupArguments() + dimension; }

  llvm::FunctionType *groupType(llvm::LLVMContext &context) const {
    return llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters(context), false);
  }
  llvm::FunctionType *itemType(llvm::LLVMContext &context) const {
    llvm::SmallVector<llvm::Type *> types = parameters(context);
    types.append(3, llvm::Type::getInt32Ty(context));
    return llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  }

private:
  llvm::SmallVector<llvm::Type *> parameters(llvm::LLVMContext &context) const {
    llvm::Type *pointer = llvm::PointerType::get(context, 0);
    llvm::SmallVector<llvm::Type *> types(block() + 1, pointer);
    types.append(6, llvm::Type::getInt32Ty(context));
    types.append(2, pointer);
    return types;
  }

  unsigned bufferCount;
  unsigned sharedSpanCount;
};

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_GROUPSIGNATURE_H

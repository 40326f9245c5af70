//===- SubgroupBuiltins.h - subgroups as warps ------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_SUBGROUPBUILTINS_H
#define KHALC_TARGET_NVPTX_SUBGROUPBUILTINS_H

#include "ir/Builtins.h"
#include "kernel/KernelInfo.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class CallBase;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace khalc::nvptx {

/// The value of a subgroup builtin in terms of warps of 32, null for a builtin that isn't one or
/// gives none:
///
///   __khal_subgroup_ballot(p, 0)      => vote.sync.ballot.b32 p, activemask
///   __khal_subgroup_shuffle(from_xor, v, m) => shfl.sync.bfly.b32 v, m, 31, activemask
///   __khal_subgroup_id()              => local index / 32: warps are cut from it in order
///
/// The combine builtins never come here: the kernel headers build them from shuffles.
/// `localIndex` makes the work-item's number in its group.
llvm::Value *lowerSubgroupBuiltin(llvm::IRBuilderBase &builder, llvm::CallBase &call,
                                  Builtin builtin, const KernelInfo &kernel,
                                  llvm::function_ref<llvm::Value *()> localIndex);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_SUBGROUPBUILTINS_H

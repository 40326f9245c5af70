//===- SubgroupBuiltins.h - subgroups of one work-item ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SUBGROUPBUILTINS_H
#define KHALC_TARGET_CPU_SUBGROUPBUILTINS_H

#include "ir/Builtins.h"

namespace llvm {
class CallBase;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace khalc::cpu {

/// True for the builtins that lowerSubgroupBuiltin() takes.
bool isSubgroupBuiltin(Builtin builtin);

/// The value of a subgroup builtin, null for one that gives none. Work-items run one after another
/// between barriers, or in vectors that `simd/` makes of them, so that each is a subgroup by itself:
///
///   __khal_subgroup_size()              => 1
///   __khal_subgroup_shuffle(…, v, …)    => v
///   __khal_subgroup_combine_u32(add, all, v) => v, and 0 for an exclusive scan
///
/// `localIndex` is the work-item's number in its group, `groupItems` how many the group has.
llvm::Value *lowerSubgroupBuiltin(llvm::IRBuilderBase &builder, llvm::CallBase &call,
                                  Builtin builtin, llvm::Value *localIndex, unsigned groupItems);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_SUBGROUPBUILTINS_H

//===- ItemFunction.h - a kernel as a function of one work-item ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_ITEMFUNCTION_H
#define KHALC_TARGET_CPU_ITEMFUNCTION_H

#include "kernel/KernelInfo.h"

#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace khalc::diag {
class Engine;
}

namespace khalc::cpu {

struct ItemFunction {
  llvm::Function *function = nullptr; ///< of GroupSignature::itemType()
  uint32_t sharedBytes = 0;           ///< work-group memory that it uses
};

/// Builds the function that does what one work-item does, everything inlined. Where it is comes in
/// by arguments; shared variables are pieces of the shared argument; the only builtins left are
/// barriers:
///
///   kernel(a) { tile[local_id(0)] = a[group_id(0)]; barrier(); … }
///     =>
///   item(a, …, gx, …, shared, …, lx, …) { shared[lx] = a[gx]; barrier(); … }
///
/// With `keepVariables` (-O0), variables stay in memory. `function` is null after an error, which
/// `diagnostics` then has.
ItemFunction buildItemFunction(llvm::Module &module, const KernelInfo &kernel, bool keepVariables,
                               diag::Engine &diagnostics);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_ITEMFUNCTION_H

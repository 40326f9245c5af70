//===- DivergentCalls.h - barriers and shuffles that some work-items can miss -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_CHECK_DIVERGENTBARRIERS_H
#define KHALC_CHECK_DIVERGENTBARRIERS_H

namespace llvm {
class Module;
}

namespace khalc {

struct KernelFile;
namespace diag {
class Engine;
}

namespace check {

/// Warns of each barrier, once, that is reached or not by a condition which depends on a work-item's
/// id, with a note at the condition:
///
///   if (global_index() >= n)   <- note
///     return;
///   barrier();                 <- warning
///
/// and likewise of each shuffle of a subgroup that some of its lanes can miss, but where the lane to
/// read from was found among the active ones by a ballot. The other operations of subgroups are the
/// active lanes' by their definition, and have one right result in any control flow.
///
/// Only what is provable is said: conditions on arguments, group ids and memory at addresses that
/// all work-items agree on are taken to be uniform. `module` is the frontend's for any ABI and isn't
/// changed; what can't be inlined is passed over, its target reports it.
void warnOfDivergentCalls(const llvm::Module &module, const KernelFile &file,
                          diag::Engine &diagnostics);

} // namespace check
} // namespace khalc

#endif // KHALC_CHECK_DIVERGENTBARRIERS_H

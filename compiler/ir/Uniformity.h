//===- Uniformity.h - which values the work-items of a group agree on -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's uniformity analysis (Rosemann, Moll and Hack, "An Abstract Interpretation for SPMD
// Divergence on Reducible Control Flow Graphs", POPL 2021; extended to cycles by LLVM) with khal's
// device builtins as the sources of divergence.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_UNIFORMITY_H
#define KHALC_IR_UNIFORMITY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace khalc {

/// What isn't known to be the same for all work-items nor to differ: what a work-item's own memory
/// holds, what an unknown call returns.
enum class Unknown {
  Divergent, ///< a value called uniform is uniform: what a transformation needs
  Uniform,   ///< a value called divergent comes from a work-item's id: what a warning needs
  /// As Divergent, and no more than WGSL's own analysis finds: what is loaded from memory that the
  /// kernel writes may differ, and the rounds of loops aren't counted.
  AsInWgsl
};

/// Those among whom a value is the same or differs.
enum class Among { Group, Subgroup };

/// Uniformity of one function whose calls have been inlined (see Prepare.h), among the work-items
/// of a work-group, or among the active lanes of a subgroup. The function's arguments are taken to be uniform, but for
/// those in `divergent`. A load from a buffer or from
/// shared memory at a uniform address is uniform, since one load may serve all.
///
///   %i = call i32 @__khal_local_id(i32 0)   divergent
///   %g = call i32 @__khal_group_id(i32 0)   uniform
///   %v = load float, ptr %p                 as %p, unless %p is a work-item's own variable
///
/// A loop whose number of rounds is the same for all is left by all in the same round, even where
/// its counter starts at a work-item's id.
///
/// Refers to the function: valid as long as that isn't changed. `analyses` are only used by the
/// constructor. Queries change nothing and may be made from several threads.
class Uniformity {
public:
  Uniformity(llvm::Function &function, llvm::FunctionAnalysisManager &analyses, Unknown unknown,
             Among among = Among::Group, llvm::ArrayRef<const llvm::Argument *> divergent = {});

  /// At its definition: in a loop that work-items leave in different rounds, a value that is
  /// uniform inside can differ among its users outside. isUniformAt() knows that.
  bool isUniform(const llvm::Value &value) const { return info->isUniform(&value); }
  bool isUniformAt(const llvm::Use &use) const { return !info->isDivergentUse(use); }
  /// True if the work-items that are in `block` together all go the same way out of it.
  bool leavesUniformly(const llvm::BasicBlock &block) const {
    return !info->hasDivergentTerminator(block);
  }

private:
  llvm::FunctionAnalysisManager own; ///< with khal's abstract machine for its target
  llvm::UniformityInfo *info;
};

} // namespace khalc

#endif // KHALC_IR_UNIFORMITY_H

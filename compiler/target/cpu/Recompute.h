//===- Recompute.h - cheap values computed again where they are used -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_RECOMPUTE_H
#define KHALC_TARGET_CPU_RECOMPUTE_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace khalc::cpu {

/// Of `values`, computes those again in every block that uses them that follow from arguments and
/// the argument block by a few instructions:
///
///   entry: %i = add %gx, %lx            entry: …
///   …                             =>    …
///   far:   use %i                       far:   %i.again = add %gx, %lx; use %i.again
///
/// Addresses in what arguments point to and in variables are always computed again, if need be from
/// indices that are kept: one that came back from memory would be taken for another object's, since
/// arguments alias nothing and a variable's address was never seen to be stored.
void recomputeInsteadOfKeeping(llvm::Function &item, llvm::ArrayRef<llvm::Instruction *> values);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_RECOMPUTE_H

//===- LiveAcross.h - what lives across barriers ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_LIVEACROSS_H
#define KHALC_TARGET_CPU_LIVEACROSS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class BasicBlock;
class Function;
class Instruction;
} // namespace llvm

namespace khalc::cpu {

/// Instructions of `function`, in order, whose value is used behind one of `barrierBlocks` that
/// was computed before it. Static allocas don't count.
llvm::SmallVector<llvm::Instruction *>
valuesLiveAcross(llvm::Function &function, llvm::ArrayRef<llvm::BasicBlock *> barrierBlocks);

/// True if what is stored in `variable` before one of `barrierBlocks` may be read behind it.
/// Lifetime markers are believed; an address that gets out of sight is taken as used everywhere.
bool contentsLiveAcross(llvm::AllocaInst &variable,
                        llvm::ArrayRef<llvm::BasicBlock *> barrierBlocks);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_LIVEACROSS_H

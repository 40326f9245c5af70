//===- RepairDominance.cpp - values that not all ways to a use pass ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/VectorRegions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace khalc::cpu::simd {

void repairDominance(Function &function) {
  removeUnreachableBlocks(function);
  DominatorTree dominators(function);
  SmallVector<Instruction *> broken;
  for (Instruction &instruction : instructions(function))
    if (any_of(instruction.uses(),
               [&](const Use &use) { return !dominators.dominates(&instruction, use); }))
      broken.push_back(&instruction);
  for (Instruction *instruction : broken)
    DemoteRegToStack(*instruction, /*VolatileLoads=*/false,
                     function.getEntryBlock().getFirstInsertionPt());
}

} // namespace khalc::cpu::simd

//===- HoistIndices.cpp - what follows from indices alone, computed once --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/HoistIndices.h"

#include "ir/Passes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

/// A whole address computation at most, not an algorithm.
constexpr unsigned maxInstructions = 6;

bool isCheapInteger(const Instruction &instruction) {
  return instruction.getType()->isIntegerTy() && !instruction.getType()->isIntegerTy(1) &&
         instruction.getType()->getIntegerBitWidth() <= 64 && !instruction.isIntDivRem() &&
         (isa<BinaryOperator>(instruction) || isa<ZExtInst, SExtInst, TruncInst>(instruction));
}

} // namespace

void hoistIndices(Function &function) {
  DenseMap<const Value *, unsigned> costs; // of what is in the entry block for all to use
  Instruction *end = function.getEntryBlock().getTerminator();
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &instruction : make_early_inc_range(*block)) {
      if (!isCheapInteger(instruction))
        continue;
      unsigned cost = 1;
      bool isFree = all_of(instruction.operands(), [&](const Use &operand) {
        auto known = costs.find(operand);
        cost += known == costs.end() ? 0 : known->second;
        return isa<Constant, Argument>(operand) || known != costs.end();
      });
      if (!isFree || cost > maxInstructions)
        continue;
      costs[&instruction] = cost;
      if (block != &function.getEntryBlock())
        instruction.moveBefore(end->getIterator());
    }
  Passes passes;
  FunctionPassManager cleanup;
  cleanup.addPass(EarlyCSEPass());
  cleanup.addPass(InstSimplifyPass());
  cleanup.run(function, passes.functions);
}

} // namespace khalc::cpu

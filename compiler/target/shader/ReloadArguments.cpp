//===- ReloadArguments.cpp - arguments read where a loop uses them ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/ReloadArguments.h"

#include "target/shader/DivergentArguments.h"

#include "shader/Lowered.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

namespace {

class Reloading {
public:
  explicit Reloading(const LoopInfo &loops) : loops(loops) {}

  /// `value` is a load, or a bitcast of one.
  void sinkIntoLoops(Instruction &value) {
    DenseMap<BasicBlock *, SmallVector<Use *>> usesInLoops;
    for (Use &use : value.uses()) {
      auto *user = cast<Instruction>(use.getUser());
      const Loop *loop = loops.getLoopFor(user->getParent());
      if (!isa<PHINode>(user) && loop && !loop->contains(&value))
        usesInLoops[user->getParent()].push_back(&use);
    }
    for (auto &[block, uses] : usesInLoops) {
      Instruction *copy = copyTo(*block, value);
      for (Use *use : uses)
        use->set(copy);
    }
  }

private:
  static Instruction *copyTo(BasicBlock &block, Instruction &value) {
    Instruction *copy = value.clone();
    copy->insertBefore(block.getFirstInsertionPt());
    if (auto *cast = dyn_cast<BitCastInst>(copy))
      cast->setOperand(0, copyTo(block, *llvm::cast<Instruction>(cast->getOperand(0))));
    return copy;
  }

  const LoopInfo &loops;
};

} // namespace

void reloadArguments(Function &function, const LoweredKernel &kernel) {
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  SmallVector<Instruction *> loads;
  for (Instruction &instruction : instructions(function))
    if (isArgumentLoad(instruction, kernel))
      loads.push_back(&instruction);
  Reloading reloading(loops);
  for (Instruction *load : loads) {
    for (User *user : make_early_inc_range(load->users()))
      if (auto *cast = dyn_cast<BitCastInst>(user))
        reloading.sinkIntoLoops(*cast);
    reloading.sinkIntoLoops(*load);
  }
}

} // namespace khalc::shader

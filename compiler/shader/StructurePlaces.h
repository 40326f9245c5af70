//===- StructurePlaces.h - where each block goes in the tree ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_STRUCTUREPLACES_H
#define KHALC_SHADER_STRUCTUREPLACES_H

#include "shader/StructureVariables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

#include <vector>

namespace khalc::shader {

/// Decides where the blocks of a reducible function are placed. A block goes
///   - into the branch that leads to it, when there is only one (inline);
///   - after the piece of its immediate dominator, when several paths meet in it;
///   - after a loop, when its immediate dominator is in the loop but it isn't, and control
///     should be back together when it runs.
/// Of the blocks a loop is left for, one always goes after the loop: the one that the others lead
/// to, or the one with the most left to do. A block with little to do on the way there, such as
/// `{ found = i; break; }`, stays where it was written.
class Places {
public:
  explicit Places(llvm::Function &function);

  const llvm::Loop *loopHeadedBy(const llvm::BasicBlock *block) const;
  /// The innermost loop of the tree that a block's code is printed in.
  const llvm::Loop *loopAround(const llvm::BasicBlock *block) const;
  /// The same for the place a jump to the block goes to: before its loop if it heads one.
  const llvm::Loop *loopAroundStart(const llvm::BasicBlock *block) const;
  bool isBackEdge(const llvm::BasicBlock *from, const llvm::BasicBlock *to) const;
  bool isInline(const llvm::BasicBlock *block) const { return info(block).isInline; }
  /// The number of instructions in the block and all that it dominates.
  unsigned sizeBelow(const llvm::BasicBlock *block) const { return info(block).size; }
  /// Blocks placed after a block's piece, in order.
  llvm::ArrayRef<const llvm::BasicBlock *> meetingAfter(const llvm::BasicBlock *block) const;
  /// Blocks placed after a loop, in order.
  llvm::ArrayRef<const llvm::BasicBlock *> afterLoop(const llvm::Loop *loop) const;

  /// Gives each value that is used in a block placed after a loop, but comes from inside it, a phi
  /// in that block. What the loop's printed form encloses is then only used there.
  void passThroughPhis(Variables variables);

private:
  using Blocks = llvm::SmallVector<llvm::BasicBlock *, 4>;
  struct BlockInfo {
    unsigned position = 0;              ///< in reverse post-order
    unsigned size = 0;                  ///< instructions here and below
    bool loops = false;                 ///< heads a loop, or a block below does
    bool converges = false;             ///< makes convergent calls, or a block below does
    bool synchronises = false;          ///< calls a barrier, or a block below does
    bool isInline = false;              ///< placed in the branch that leads to it
    const llvm::Loop *after = nullptr;  ///< the loop it is placed after
    const llvm::Loop *around = nullptr; ///< the loop of the tree its start is in
    llvm::BasicBlock *placed = nullptr; ///< it or the nearest dominator that is placed after a loop
    llvm::SmallVector<const llvm::BasicBlock *, 2> meeting;
  };

  const BlockInfo &info(const llvm::BasicBlock *block) const;
  BlockInfo &info(const llvm::BasicBlock *block);
  llvm::BasicBlock *dominatorOf(const llvm::BasicBlock *block) const;
  bool hasOneWayIn(const llvm::BasicBlock *block) const;

  void measure();
  llvm::DenseMap<const llvm::Loop *, Blocks> leftFor() const;
  void chooseWhatFollows(const llvm::Loop *loop, llvm::ArrayRef<llvm::BasicBlock *> leftFor);
  bool leadsToAnother(llvm::BasicBlock *block, llvm::ArrayRef<llvm::BasicBlock *> others) const;
  bool isNaturalExit(const llvm::Loop *loop, const llvm::BasicBlock *from) const;
  bool isNaturallyLeftFor(const llvm::Loop *loop, const llvm::BasicBlock *block) const;
  bool isFollowedByOther(const llvm::Loop *loop, llvm::ArrayRef<llvm::BasicBlock *> leftFor) const;
  const llvm::Loop *requiredPlace(llvm::BasicBlock *block) const;
  void place();
  llvm::BasicBlock *wayOut(const llvm::BasicBlock *definition, const llvm::BasicBlock *use) const;

  llvm::Function &function;
  llvm::DominatorTree dominators;
  llvm::LoopInfo loops;
  std::vector<llvm::BasicBlock *> order; ///< reverse post-order
  llvm::DenseMap<const llvm::BasicBlock *, BlockInfo> infos;
  llvm::DenseMap<const llvm::Loop *, llvm::SmallVector<const llvm::BasicBlock *, 2>> following;
};

} // namespace khalc::shader

#endif // KHALC_SHADER_STRUCTUREPLACES_H

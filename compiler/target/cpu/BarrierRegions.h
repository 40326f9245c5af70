//===- BarrierRegions.h - a kernel cut at its barriers ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_BARRIERREGIONS_H
#define KHALC_TARGET_CPU_BARRIERREGIONS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AllocaInst;
class Argument;
class BasicBlock;
class Function;
} // namespace llvm

namespace khalc::cpu {

/// Part of an item function that runs without meeting a barrier: all that is reachable from
/// `entry`, up to barrier blocks and returns. Regions may share blocks.
struct Region {
  llvm::BasicBlock *entry = nullptr;
  llvm::SmallVector<llvm::BasicBlock *> blocks; ///< in reverse post-order, `entry` first
  /// Numbers of the regions that may follow, each behind one barrier block; without the end.
  llvm::SetVector<unsigned> next;
  bool mayEnd = false; ///< a work-item can return here
  /// Slots that are read here, or later, before they are written.
  llvm::SetVector<llvm::AllocaInst *> liveIn;
  llvm::SetVector<llvm::AllocaInst *> written; ///< slots that are stored to
};

/// True if no atomic or fence of the region orders other accesses. Between two barriers the
/// language lets no work-item touch what another writes, but by atomics; where those order other
/// accesses, that says nothing of them.
bool itemsAreIndependent(const Region &region);

/// An item function cut at its barriers. Region 0 is where it starts; every barrier leads to one
/// region. Which region comes next is the same for all work-items of a group.
struct BarrierRegions {
  llvm::SmallVector<Region> regions;
  /// Barrier blocks, which hold a barrier and a branch: blocks[i] leads to region i + 1.
  llvm::SmallVector<llvm::BasicBlock *> barrierBlocks;
  /// Scalars that live across a barrier: each is loaded and stored as a whole only.
  llvm::SetVector<llvm::AllocaInst *> slots;
  /// Those of them whose value is the same for all work-items of the group: it is kept once. A
  /// work-item that doesn't come to where such a value is computed has no use for it.
  llvm::SetVector<llvm::AllocaInst *> uniformSlots;
  /// Variables whose contents live across a barrier: each work-item needs one of its own.
  llvm::SetVector<llvm::AllocaInst *> arrays;

  bool isBarrierBlock(const llvm::BasicBlock *block) const;
  /// The region behind a barrier block.
  unsigned regionAfter(const llvm::BasicBlock *barrierBlock) const;
};

/// Cuts `item` at its barriers and frees every region from values of others:
///
///   %i = phi …                              %i = phi …; store %i, %slot
///   call @__khal_barrier()           =>     call @__khal_barrier()
///   use %i                                  %j = load %slot; use %j
///
/// `localIds` are the arguments that differ from work-item to work-item.
///
/// Values that arguments alone give are computed again instead. After this, no SSA value is used
/// across a barrier, but for static allocas.
BarrierRegions formBarrierRegions(llvm::Function &item,
                                  llvm::ArrayRef<const llvm::Argument *> localIds);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_BARRIERREGIONS_H

//===- ItemLoop.h - the loop nest over the work-items of a group -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_ITEMLOOP_H
#define KHALC_TARGET_CPU_ITEMLOOP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <array>
#include <cstdint>

namespace khalc::cpu {

/// The work-items that an ItemLoop runs over in one dimension: first, first + step, … below end.
struct ItemRange {
  uint32_t first = 0;
  uint32_t end = 1;
  uint32_t step = 1;

  bool isOne() const { return first + step >= end; }
};

/// One loop a dimension with more than one round, x innermost:
///
///   do { do { do { body } while (++x < sx) } while (++y < sy) } while (++z < sz)
///
/// Made in this order: the constructor opens the loops and leaves `builder` at the start of the
/// body; beginLatch() makes the block that every way through the body ends in; finish() closes the
/// loops and leaves `builder` behind them.
class ItemLoop {
public:
  /// Over all work-items of a group, one at a time.
  ItemLoop(llvm::IRBuilder<> &builder, const std::array<uint32_t, 3> &groupSize);
  /// Over some of them.
  ItemLoop(llvm::IRBuilder<> &builder, const std::array<uint32_t, 3> &groupSize,
           const std::array<ItemRange, 3> &ranges);

  llvm::Value *localId(unsigned dimension) const { return ids[dimension]; }
  /// The linear number of the work-item, 64 bits wide.
  llvm::Value *index() const { return linear; }

  /// The latch's phi is for what the body decided: an i32 from each way into it.
  llvm::PHINode *beginLatch(llvm::IRBuilder<> &builder);

  /// Says of the innermost loop that its iterations depend on each other in nothing that
  /// `accesses` do. Before finish().
  void declareIndependent(llvm::ArrayRef<llvm::Instruction *> accesses);

  void finish(llvm::IRBuilder<> &builder);

private:
  llvm::MDNode *loopId(llvm::LLVMContext &context, bool innermost) const;

  std::array<ItemRange, 3> ranges;
  std::array<llvm::Value *, 3> ids{};
  std::array<llvm::BasicBlock *, 3> headers{}; ///< null where there is no loop
  llvm::Value *linear = nullptr;
  llvm::BasicBlock *latch = nullptr;
  llvm::MDNode *accessGroup = nullptr;
};

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_ITEMLOOP_H

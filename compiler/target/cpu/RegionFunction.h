//===- RegionFunction.h - a barrier region as a function of its own ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_REGIONFUNCTION_H
#define KHALC_TARGET_CPU_REGIONFUNCTION_H

#include "kernel/KernelInfo.h"

namespace llvm {
class Function;
}

namespace khalc::cpu {

struct BarrierRegions;
class ContextLayout;

/// What the work-items of a region decide: the number of the region that follows, or this.
inline constexpr uint32_t endOfKernel = ~0u;

/// The function that runs one region for one work-item:
///
///   void region(what an item function takes …, i64 item, ptr decision, ptr slot, ptr next …)
///     { load slots from the context; the region's blocks; store slots; *decision = what follows }
///
/// `item` is the work-item's linear number, `decision` an i32 that all work-items of the group
/// write the same to. For each uniform slot there are two addresses: the region reads what the slot
/// held before it, and writes what it will hold after it, since work-items come to the region one
/// after another. Simplified, without slots left.
llvm::Function *buildRegionFunction(llvm::Function &item, const BarrierRegions &regions,
                                    unsigned number, const KernelInfo &kernel,
                                    const ContextLayout &layout);

/// Where its own are among a region function's arguments.
struct RegionSignature {
  explicit RegionSignature(const KernelInfo &kernel);
  unsigned uniformSlot(unsigned number) const { return decision + 1 + 2 * number; }
  unsigned nextOfUniformSlot(unsigned number) const { return uniformSlot(number) + 1; }
  unsigned item;
  unsigned decision;
};

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_REGIONFUNCTION_H

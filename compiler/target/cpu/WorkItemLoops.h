//===- WorkItemLoops.h - a work-group as loops over its work-items ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_WORKITEMLOOPS_H
#define KHALC_TARGET_CPU_WORKITEMLOOPS_H

#include "kernel/KernelInfo.h"

#include <cstdint>

#include <string>

namespace llvm {
class Function;
}

namespace khalc::cpu {

struct BarrierRegions;

namespace simd {
class VectorRegions;
struct VectorUnit;
} // namespace simd

struct GroupFunction {
  llvm::Function *function = nullptr; ///< of GroupSignature::groupType()
  uint64_t contextBytes = 0;          ///< memory for what work-items keep across barriers
};

/// Builds the function that runs a whole work-group, one loop nest a region:
///
///   region 0            for z, y, x: region 0 for work-item (x, y, z)
///   barrier        =>   then, as the work-items decided (all the same):
///   region 1            for z, y, x: region 1 for work-item (x, y, z) …
///
/// Slots and arrays that live across barriers are kept in the context argument for each work-item.
/// The innermost loop says that its iterations are independent where nothing speaks against it.
///
/// Regions that `vectors` has are run for several work-items at once, see simd/VectorRegions.h.
/// `name` is the function's. `item` isn't changed, so that this can be done for each level.
GroupFunction buildWorkItemLoops(llvm::Function &item, const BarrierRegions &regions,
                                 const KernelInfo &kernel, const simd::VectorRegions &vectors,
                                 const simd::VectorUnit &unit, const std::string &name);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_WORKITEMLOOPS_H

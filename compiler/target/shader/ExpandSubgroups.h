//===- ExpandSubgroups.h - subgroup operations that a language lacks --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_EXPANDSUBGROUPS_H
#define KHALC_TARGET_SHADER_EXPANDSUBGROUPS_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// The subgroup operations of a language beyond those that all have: size, lane, votes, ballots, a
/// value of any lane, combinations of all active lanes' 32-bit values, and scans of sums and
/// products.
struct SubgroupForms {
  bool ids = false;     ///< a subgroup's number in its work-group, and how many there are
  bool anyLane = false; ///< shuffles by a distance or mask that differs among lanes
  bool scans = false;   ///< of minima, maxima and bits
  bool int64 = false;   ///< combinations and scans of 64-bit numbers
  bool operator==(const SubgroupForms &) const = default;
};
inline constexpr SubgroupForms everySubgroupForm{true, true, true, true};

/// Puts the others together from those that all languages have.
///
///   subgroup_id()            subgroups count themselves in work-group memory at the kernel's start
///   shuffle_xor(%v, %mask)   shuffle(%v, lane ^ %mask)
///   inclusive_max(%v)        a loop over the subgroup's lanes, which takes in the active ones' values
///
/// Called once everything is inlined.
void expandSubgroups(llvm::Function &function, SubgroupForms has);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_EXPANDSUBGROUPS_H

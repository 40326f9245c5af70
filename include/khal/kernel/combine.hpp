//===- khal/kernel/combine.hpp - how subgroups combine and move values ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of the __khal_subgroup_ builtins, for kernels and the compiler alike. Includes nothing.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_COMBINE_HPP
#define KHAL_KERNEL_COMBINE_HPP

namespace khal::detail {

/// The operation of __khal_subgroup_combine_*.
enum class Combine : unsigned { add, multiply, minimum, maximum, bit_and, bit_or, bit_xor };

/// Which values a work-item's result is made of.
enum class CombineOver : unsigned {
  all,       ///< those of all active lanes
  inclusive, ///< those of active lanes up to its own
  exclusive  ///< those of active lanes before its own
};

/// Where __khal_subgroup_shuffle gets a lane's value from, given its operand.
enum class Shuffle : unsigned { from_lane, from_xor, from_below, from_above };

} // namespace khal::detail

#endif // KHAL_KERNEL_COMBINE_HPP

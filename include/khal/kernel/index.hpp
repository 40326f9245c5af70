//===- khal/kernel/index.hpp - where a work-item is -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The three-dimensional forms give a uint3, the linear ones a u32 that counts along x first, then
// y, then z. Only khalc gives the functions below a meaning; elsewhere they parse and don't link.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_INDEX_HPP
#define KHAL_KERNEL_INDEX_HPP

#include "vector.hpp"

extern "C" {
khal::u32 __khal_group_id(khal::u32 dimension);
khal::u32 __khal_local_id(khal::u32 dimension);
khal::u32 __khal_num_groups(khal::u32 dimension);
khal::u32 __khal_group_size(khal::u32 dimension);
}

namespace khal {

/// Which work-group this is, counted in work-groups.
inline uint3 group_id() {
  return {__khal_group_id(0), __khal_group_id(1), __khal_group_id(2)};
}

/// Which work-item of its work-group this is.
inline uint3 local_id() {
  return {__khal_local_id(0), __khal_local_id(1), __khal_local_id(2)};
}

/// The size given in [[khal::kernel(x, y, z)]]; a constant.
inline uint3 group_size() {
  return {__khal_group_size(0), __khal_group_size(1), __khal_group_size(2)};
}

/// How many work-groups the launch has.
inline uint3 num_groups() {
  return {__khal_num_groups(0), __khal_num_groups(1), __khal_num_groups(2)};
}

/// How many work-items the launch has.
inline uint3 global_size() {
  return num_groups() * group_size();
}

/// Which work-item of the whole launch this is.
inline uint3 global_id() {
  return group_id() * group_size() + local_id();
}

/// local_id() as one number, from 0 to the work-group's size.
inline u32 local_index() {
  const uint3 id = local_id();
  const uint3 size = group_size();
  return (id.z * size.y + id.y) * size.x + id.x;
}

/// group_id() as one number, from 0 to the number of work-groups.
inline u32 group_index() {
  const uint3 id = group_id();
  const uint3 count = num_groups();
  return (id.z * count.y + id.y) * count.x + id.x;
}

/// global_id() as one number, from 0 to the number of work-items.
inline u32 global_index() {
  const uint3 id = global_id();
  const uint3 size = global_size();
  return (id.z * size.y + id.y) * size.x + id.x;
}

} // namespace khal

#if defined(__KHAL_DEBUGGER__)
/// For `print khal::global_id()` in a debugger: functions that nothing calls aren't in the program.
extern "C" [[gnu::used]] inline void __khal_debugger_calls() {
  (void)khal::global_id();
  (void)khal::global_size();
  (void)khal::global_index();
  (void)khal::local_index();
  (void)khal::group_index();
}
#endif

#endif // KHAL_KERNEL_INDEX_HPP

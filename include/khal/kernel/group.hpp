//===- khal/kernel/group.hpp - a work-group computes together ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function here is a barrier: all work-items of the group call it, or none. Values are integers
// and floating-point numbers of any width, and vectors of them, by component; work-items count in
// the order of local_index(). Each result is the same on every target to the last bit, sums of
// floating-point numbers included: they are always added up in the same order.
//
// Uses shared memory of its own: one word, or two, for each work-item of the group.
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_GROUP_HPP
#define KHAL_KERNEL_GROUP_HPP

#include "index.hpp"
#include "subgroup.hpp"
#include "sync.hpp"
#include "target.hpp"

namespace khal {

namespace detail {

inline u32 group_items() {
  return __khal_group_size(0) * __khal_group_size(1) * __khal_group_size(2);
}

template <class T, u32 N> inline T &group_slot_of(u32 index) {
  [[khal::shared]] static T slots[N];
  return slots[index];
}
/// Shared memory with a T for each work-item. The size of the group is a constant of the kernel, of
/// which one of these remains.
template <class T> inline T &group_slot(u32 index) {
  const u32 items = group_items();
  if (items <= 32)
    return group_slot_of<T, 32>(index);
  if (items <= 64)
    return group_slot_of<T, 64>(index);
  if (items <= 128)
    return group_slot_of<T, 128>(index);
  if (items <= 256)
    return group_slot_of<T, 256>(index);
  if (items <= 512)
    return group_slot_of<T, 512>(index);
  return group_slot_of<T, 1024>(index);
}

// So many work-items combine a part each; then every one combines the parts.
inline constexpr u32 group_parts = 32;

template <Combine O, class T> inline T combine_group(T value) {
  const u32 items = group_items(), index = local_index();
  group_slot<T>(index) = value;
  barrier();
  if (items > group_parts) {
    if (index < group_parts) {
      T part = value;
      for (u32 i = index + group_parts; i < items; i += group_parts)
        part = combined<O>(part, group_slot<T>(i));
      group_slot<T>(index) = part;
    }
    barrier();
  }
  T result = group_slot<T>(0);
  for (u32 i = 1; i < (items < group_parts ? items : group_parts); ++i)
    result = combined<O>(result, group_slot<T>(i));
  barrier(); // before the memory is used again
  return result;
}

/// The inclusive scan of all values, by one work-item: what one thread does for a group on the CPU, in
/// the order in which the work-items of other targets' groups add up.
template <Combine O, class T> inline void scan_parts(u32 items, u32 part_items) {
  T before = group_slot<T>(0); // of all earlier parts
  for (u32 first = 0; first < items; first += part_items) {
    const u32 end = first + part_items < items ? first + part_items : items;
    T sum = group_slot<T>(first);
    for (u32 i = first;;) {
      const T all = first > 0 ? combined<O>(before, sum) : sum;
      group_slot<T>(i) = all;
      if (++i == end) {
        before = all;
        break;
      }
      sum = combined<O>(sum, group_slot<T>(i));
    }
  }
}

/// Scans: `included` says whether a work-item's own value counts.
template <Combine O, bool included, class T> inline T scan_group(T value) {
  const u32 items = group_items(), index = local_index();
  const u32 part_items = (items + group_parts - 1) / group_parts;
  group_slot<T>(index) = value;
  barrier();
  if constexpr (target::cpu) {
    if (index == 0)
      scan_parts<O, T>(items, part_items);
    barrier();
    const T result = included    ? group_slot<T>(index)
                     : index > 0 ? group_slot<T>(index - 1)
                                 : neutral<O, T>();
    barrier();
    return result;
  }
  if (part_items > 1) {
    const u32 first = index * part_items; // of the part that this work-item scans
    if (first < items) {
      const u32 end = first + part_items < items ? first + part_items : items;
      T sum = group_slot<T>(first);
      for (u32 i = first + 1; i < end; ++i)
        group_slot<T>(i) = sum = combined<O>(sum, group_slot<T>(i));
    }
    barrier();
  }
  T result = neutral<O, T>();
  if (included || index > 0) {
    const u32 last = included ? index : index - 1;
    result = group_slot<T>(part_items - 1 < last ? part_items - 1 : last);
    for (u32 i = part_items; i <= last; i += part_items) {
      const u32 end = i + part_items - 1;
      result = combined<O>(result, group_slot<T>(end < last ? end : last));
    }
  }
  barrier();
  return result;
}

template <Combine O, class T> inline T group_combine(const T &value) {
  if constexpr (Arithmetic<T>)
    return static_cast<T>(combine_group<O>(static_cast<widened<T>>(value)));
  else
    return map(value, [](auto component) { return group_combine<O>(component); });
}
template <Combine O, bool included, class T> inline T group_scan(const T &value) {
  if constexpr (Arithmetic<T>)
    return narrowed<O, T>(scan_group<O, included>(static_cast<widened<T>>(value)));
  else
    return map(value, [](auto component) { return group_scan<O, included>(component); });
}

} // namespace detail

// For each operation: over all work-items; over those up to this one; over those before this one,
// which gives the first the operation's neutral element.
#define KHAL_GROUP_FUNCTION(name, Kind, ...)                                                       \
  template <class T>                                                                               \
    requires Kind<detail::component_of<T>>                                                         \
  inline T name(const T &value) {                                                                  \
    return detail::__VA_ARGS__(value);                                                             \
  }
#define KHAL_GROUP_COMBINE(name, operation, Kind)                                                  \
  KHAL_GROUP_FUNCTION(group_##name, Kind, group_combine<detail::Combine::operation>)               \
  KHAL_GROUP_FUNCTION(group_inclusive_##name, Kind, group_scan<detail::Combine::operation, true>)  \
  KHAL_GROUP_FUNCTION(group_exclusive_##name, Kind, group_scan<detail::Combine::operation, false>)
KHAL_GROUP_COMBINE(add, add, Arithmetic)
KHAL_GROUP_COMBINE(mul, multiply, Arithmetic)
KHAL_GROUP_COMBINE(min, minimum, Arithmetic)
KHAL_GROUP_COMBINE(max, maximum, Arithmetic)
KHAL_GROUP_COMBINE(and, bit_and, Integer)
KHAL_GROUP_COMBINE(or, bit_or, Integer)
KHAL_GROUP_COMBINE(xor, bit_xor, Integer)
#undef KHAL_GROUP_COMBINE
#undef KHAL_GROUP_FUNCTION

// Templates, so that a file that doesn't use them doesn't pay for them.

/// True if `condition` holds for any work-item of the group.
template <class = void> inline bool group_any(bool condition) {
  return detail::combine_group<detail::Combine::bit_or>(u32{condition}) != 0;
}
template <class = void> inline bool group_all(bool condition) {
  return detail::combine_group<detail::Combine::bit_and>(u32{condition}) != 0;
}
/// For how many work-items of the group `condition` holds.
template <class = void> inline u32 group_count(bool condition) {
  return detail::combine_group<detail::Combine::add>(u32{condition});
}

/// The value of the work-item whose local_index() is `index`; the same index for all.
template <Arithmetic T> inline T group_broadcast(T value, u32 index) {
  using Wide = detail::widened<T>;
  if (local_index() == index)
    detail::group_slot<Wide>(0) = static_cast<Wide>(value);
  barrier();
  const Wide result = detail::group_slot<Wide>(0);
  barrier();
  return static_cast<T>(result);
}
template <Arithmetic T, u32 N> inline vec<T, N> group_broadcast(const vec<T, N> &value, u32 index) {
  return detail::map(value, [=](T component) { return group_broadcast(component, index); });
}

} // namespace khal

#endif // KHAL_KERNEL_GROUP_HPP

//===- khal/kernel/atomic.hpp - atomic operations on global and shared memory -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   atomic_add(histogram[bin], 1u);                        // short form: relaxed, device scope
//   atomic_ref<u32, scope::group>(count).fetch_add(1);     // the interface of std::atomic_ref
//
// For i32, u32, i64, u64, float and double in buffers and in shared memory.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_ATOMIC_HPP
#define KHAL_KERNEL_ATOMIC_HPP

#include "sync.hpp"

namespace khal {

/// As std::memory_order.
enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST
};
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

/// What can be operated on atomically.
template <class T>
concept AtomicValue = (Integer<T> && sizeof(T) >= 4) || (FloatingPoint<T> && sizeof(T) >= 4);

namespace detail {

// Clang's builtins carry the scope; where they are missing, this is no device.
#if defined(__has_builtin)
#if __has_builtin(__scoped_atomic_load)
#define KHAL_SCOPED_ATOMICS 1
#endif
#endif
#if defined(KHAL_SCOPED_ATOMICS)
template <scope S> inline constexpr int memory_scope = __MEMORY_SCOPE_DEVICE;
template <> inline constexpr int memory_scope<scope::group> = __MEMORY_SCOPE_WRKGRP;
#define KHAL_ATOMIC(operation, ...) __scoped_atomic_##operation(__VA_ARGS__, memory_scope<S>)
#else
#define KHAL_ATOMIC(operation, ...) __atomic_##operation(__VA_ARGS__)
#endif

#if defined(__clang__)
#pragma clang diagnostic push
// Devices with 32-bit pointers have 64-bit atomics all the same.
#pragma clang diagnostic ignored "-Watomic-alignment"
#endif

// `order` is an __ATOMIC_ number. These are inlined so that it is a constant where it was one.
#define KHAL_ATOMIC_FUNCTION template <scope S, class T> [[gnu::always_inline]] inline

KHAL_ATOMIC_FUNCTION T atomic_load(T *object, int order) {
  T value;
  KHAL_ATOMIC(load, object, &value, order);
  return value;
}
KHAL_ATOMIC_FUNCTION void atomic_store(T *object, T value, int order) {
  KHAL_ATOMIC(store, object, &value, order);
}
KHAL_ATOMIC_FUNCTION T atomic_swap(T *object, T value, int order) {
  T old;
  KHAL_ATOMIC(exchange, object, &value, &old, order);
  return old;
}
/// Stores `desired` if the object has the bytes of `expected`, which gets what was there.
KHAL_ATOMIC_FUNCTION bool atomic_cas(T *object, T *expected, T desired, int success, int failure) {
  return KHAL_ATOMIC(compare_exchange, object, expected, &desired, false, success, failure);
}
/// What a failed compare-exchange of a read-modify-write is ordered by.
constexpr int failure_order(int order) {
  return order == __ATOMIC_ACQ_REL   ? __ATOMIC_ACQUIRE
         : order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                     : order;
}
/// Replaces the value by change(value); gives the value before.
template <scope S, class T, class F>
[[gnu::always_inline]] inline T atomic_update(T *object, int order, F change) {
  T old = atomic_load<S>(object, __ATOMIC_RELAXED);
  while (!atomic_cas<S>(object, &old, change(old), order, failure_order(order)))
    ;
  return old;
}

KHAL_ATOMIC_FUNCTION T atomic_fetch_add(T *object, T value, int order) {
#if defined(KHAL_SCOPED_ATOMICS)
  return KHAL_ATOMIC(fetch_add, object, value, order);
#else
  if constexpr (Integer<T>)
    return KHAL_ATOMIC(fetch_add, object, value, order);
  else
    return atomic_update<S>(object, order, [=](T old) { return old + value; });
#endif
}
KHAL_ATOMIC_FUNCTION T atomic_fetch_sub(T *object, T value, int order) {
  if constexpr (Integer<T>)
    return KHAL_ATOMIC(fetch_sub, object, value, order);
  else
    return atomic_fetch_add<S>(object, static_cast<T>(-value), order);
}
KHAL_ATOMIC_FUNCTION T atomic_fetch_and(T *object, T value, int order) {
  return KHAL_ATOMIC(fetch_and, object, value, order);
}
KHAL_ATOMIC_FUNCTION T atomic_fetch_or(T *object, T value, int order) {
  return KHAL_ATOMIC(fetch_or, object, value, order);
}
KHAL_ATOMIC_FUNCTION T atomic_fetch_xor(T *object, T value, int order) {
  return KHAL_ATOMIC(fetch_xor, object, value, order);
}
KHAL_ATOMIC_FUNCTION T atomic_fetch_min(T *object, T value, int order) {
#if defined(KHAL_SCOPED_ATOMICS)
  if constexpr (Integer<T>)
    return KHAL_ATOMIC(fetch_min, object, value, order);
#endif
  return atomic_update<S>(object, order, [=](T old) { return value < old ? value : old; });
}
KHAL_ATOMIC_FUNCTION T atomic_fetch_max(T *object, T value, int order) {
#if defined(KHAL_SCOPED_ATOMICS)
  if constexpr (Integer<T>)
    return KHAL_ATOMIC(fetch_max, object, value, order);
#endif
  return atomic_update<S>(object, order, [=](T old) { return old < value ? value : old; });
}

#undef KHAL_ATOMIC_FUNCTION
#undef KHAL_ATOMIC
#undef KHAL_SCOPED_ATOMICS
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

} // namespace detail

/// Atomic operations on a T that lives elsewhere. While one exists, the T should be touched through
/// such references alone. The T must be aligned to its size.
template <AtomicValue T, scope S = scope::device> class atomic_ref {
public:
  using value_type = T;
  using difference_type = T;
  static constexpr u32 required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;

  explicit atomic_ref(T &object) : object(&object) {}
  atomic_ref(const atomic_ref &) = default;
  atomic_ref &operator=(const atomic_ref &) = delete;

  T load(memory_order order = memory_order::relaxed) const {
    return detail::atomic_load<S>(object, static_cast<int>(order));
  }
  void store(T value, memory_order order = memory_order::relaxed) const {
    detail::atomic_store<S>(object, value, static_cast<int>(order));
  }
  T exchange(T value, memory_order order = memory_order::relaxed) const {
    return detail::atomic_swap<S>(object, value, static_cast<int>(order));
  }
  bool compare_exchange_strong(T &expected, T desired, memory_order success,
                               memory_order failure) const {
    return detail::atomic_cas<S>(object, &expected, desired, static_cast<int>(success),
                                 static_cast<int>(failure));
  }
  bool compare_exchange_strong(T &expected, T desired,
                               memory_order order = memory_order::relaxed) const {
    return detail::atomic_cas<S>(object, &expected, desired, static_cast<int>(order),
                                 detail::failure_order(static_cast<int>(order)));
  }
  /// Doesn't fail without cause here; there for code written for std::atomic_ref.
  bool compare_exchange_weak(T &expected, T desired, memory_order success,
                             memory_order failure) const {
    return compare_exchange_strong(expected, desired, success, failure);
  }
  bool compare_exchange_weak(T &expected, T desired,
                             memory_order order = memory_order::relaxed) const {
    return compare_exchange_strong(expected, desired, order);
  }

#define KHAL_ATOMIC_FETCH(name)                                                                    \
  T name(T value, memory_order order = memory_order::relaxed) const {                              \
    return detail::atomic_##name<S>(object, value, static_cast<int>(order));                       \
  }
#define KHAL_ATOMIC_FETCH_BITS(name)                                                               \
  T name(T value, memory_order order = memory_order::relaxed) const                                \
    requires Integer<T>                                                                            \
  {                                                                                                \
    return detail::atomic_##name<S>(object, value, static_cast<int>(order));                       \
  }
  // Each gives the value before.
  KHAL_ATOMIC_FETCH(fetch_add)
  KHAL_ATOMIC_FETCH(fetch_sub)
  KHAL_ATOMIC_FETCH(fetch_min)
  KHAL_ATOMIC_FETCH(fetch_max)
  KHAL_ATOMIC_FETCH_BITS(fetch_and)
  KHAL_ATOMIC_FETCH_BITS(fetch_or)
  KHAL_ATOMIC_FETCH_BITS(fetch_xor)
#undef KHAL_ATOMIC_FETCH
#undef KHAL_ATOMIC_FETCH_BITS

  operator T() const { return load(); }
  T operator=(T value) const {
    store(value);
    return value;
  }
  T operator+=(T value) const { return fetch_add(value) + value; }
  T operator-=(T value) const { return fetch_sub(value) - value; }
  T operator&=(T value) const { return fetch_and(value) & value; }
  T operator|=(T value) const { return fetch_or(value) | value; }
  T operator^=(T value) const { return fetch_xor(value) ^ value; }
  T operator++() const { return fetch_add(T(1)) + T(1); }
  T operator--() const { return fetch_sub(T(1)) - T(1); }
  T operator++(int) const { return fetch_add(T(1)); }
  T operator--(int) const { return fetch_sub(T(1)); }

private:
  T *object;
};

// Short forms: relaxed, device scope; each gives the value before.
#define KHAL_ATOMIC_SHORT(name, function, Kind)                                                    \
  template <AtomicValue T>                                                                         \
    requires Kind<T>                                                                               \
  inline T name(T &object, detail::identity<T> value) {                                            \
    return detail::function<scope::device>(&object, value, __ATOMIC_RELAXED);                      \
  }
KHAL_ATOMIC_SHORT(atomic_add, atomic_fetch_add, AtomicValue)
KHAL_ATOMIC_SHORT(atomic_sub, atomic_fetch_sub, AtomicValue)
KHAL_ATOMIC_SHORT(atomic_min, atomic_fetch_min, AtomicValue)
KHAL_ATOMIC_SHORT(atomic_max, atomic_fetch_max, AtomicValue)
KHAL_ATOMIC_SHORT(atomic_and, atomic_fetch_and, Integer)
KHAL_ATOMIC_SHORT(atomic_or, atomic_fetch_or, Integer)
KHAL_ATOMIC_SHORT(atomic_xor, atomic_fetch_xor, Integer)
KHAL_ATOMIC_SHORT(atomic_exchange, atomic_swap, AtomicValue)
#undef KHAL_ATOMIC_SHORT

/// Stores `desired` if the object has the value `expected`; gives the value before, whichever it
/// was.
template <AtomicValue T>
inline T atomic_compare_exchange(T &object, detail::identity<T> expected,
                                 detail::identity<T> desired) {
  detail::atomic_cas<scope::device>(&object, &expected, desired, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
  return expected;
}

} // namespace khal

#endif // KHAL_KERNEL_ATOMIC_HPP

//===- safe.hpp - operations that are defined for all values ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs are made of these, so that none has undefined behaviour.
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

namespace safe {

using namespace khal;

/// The unsigned type in which arithmetic on T wraps: never narrower than int.
template <class T> struct Wrapping {
  using type = u32;
};
template <> struct Wrapping<i64> {
  using type = u64;
};
template <> struct Wrapping<u64> {
  using type = u64;
};
template <class T> using wrapping = typename Wrapping<T>::type;

template <class T> constexpr u32 bits = sizeof(T) * 8;
template <class T> constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
template <class T>
constexpr T lowest = is_signed<T> ? static_cast<T>(u64{1} << (bits<T> - 1)) : T(0);

template <class T> inline T add(T a, T b) {
  return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b));
}
template <class T> inline T sub(T a, T b) {
  return static_cast<T>(static_cast<wrapping<T>>(a) - static_cast<wrapping<T>>(b));
}
template <class T> inline T mul(T a, T b) {
  return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b));
}
template <class T> inline T neg(T a) {
  return static_cast<T>(wrapping<T>{0} - static_cast<wrapping<T>>(a));
}
template <class T> inline bool can_divide(T a, T b) {
  return b != 0 && !(is_signed<T> && a == lowest<T> && b == static_cast<T>(-1));
}
template <class T> inline T div(T a, T b) {
  return can_divide(a, b) ? static_cast<T>(a / b) : a;
}
template <class T> inline T rem(T a, T b) {
  return can_divide(a, b) ? static_cast<T>(a % b) : b;
}
template <class T> inline T shl(T a, u32 count) {
  return static_cast<T>(static_cast<wrapping<T>>(a) << (count & (bits<T> - 1)));
}
template <class T> inline T shr(T a, u32 count) {
  return static_cast<T>(a >> (count & (bits<T> - 1)));
}

/// A float that is no NaN, infinity, zero or subnormal, and small enough that a few operations on
/// such values stay so too: devices may flush subnormals and choose the bits of a NaN.
template <class T> inline T tame(T value) {
  const T size = value < 0 ? -value : value;
  return size >= T(1e-6) && size <= T(1e6) ? value : T(1.5);
}

/// A tame float as an integer.
template <class To, class From> inline To truncate(From value) {
  if constexpr (sizeof(To) == 8 && is_signed<To>)
    return static_cast<To>(value);
  else if constexpr (sizeof(To) == 8 || (sizeof(To) == 4 && !is_signed<To>))
    return static_cast<To>(value < 0 ? -value : value);
  else
    return static_cast<To>(static_cast<i32>(value));
}

/// The value that begins at a byte which need not be aligned for it.
template <class T> inline T load(const u8 *bytes) {
  T value;
  __builtin_memcpy(&value, bytes, sizeof(T));
  return value;
}
template <class T> inline void store(u8 *bytes, T value) {
  __builtin_memcpy(bytes, &value, sizeof(T));
}

template <class T> inline u32 mix(u32 hash, T value) {
  u64 number = 0;
  if constexpr (khal::FloatingPoint<T>)
    number = bit_cast<detail::unsigned_of<T>>(tame(value));
  else
    number = static_cast<u64>(value);
  const u32 word = static_cast<u32>(number) ^ (static_cast<u32>(number >> 32) * 0x9e3779b1u);
  hash = (hash ^ word) * 0x85ebca6bu;
  return hash ^ (hash >> 15);
}
template <class T> inline u32 mix_all(u32 hash, const T *values, u32 count) {
  for (u32 i = 0; i < count; ++i)
    hash = mix(hash, values[i]);
  return hash;
}

/// Waits for the work-group before and after: `from`'s value in the slot of another.
template <class T> inline T exchange(T *slots, u32 own, T value, u32 from) {
  slots[own] = value;
  barrier();
  const T result = slots[from];
  barrier();
  return result;
}

} // namespace safe

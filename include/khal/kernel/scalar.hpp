//===- khal/kernel/scalar.hpp - the scalar types of kernels and host --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sizes and the identities of these types are the same on the host and on every target: u64 is
// std::uint64_t, and so on. Safe to include anywhere; includes nothing.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_SCALAR_HPP
#define KHAL_KERNEL_SCALAR_HPP

namespace khal {

using i8 = signed char;
using i16 = short;
using i32 = int;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
// The platform's own choice for std::int64_t, spelled out: a compiler's __INT64_TYPE__ is another
// type for some device ABIs than for the host.
#if defined(__LP64__) && !defined(__APPLE__)
using i64 = long;
using u64 = unsigned long;
#else
using i64 = long long;
using u64 = unsigned long long;
#endif

static_assert(sizeof(i16) == 2 && sizeof(i32) == 4 && sizeof(i64) == 8);

#if defined(__FLT16_MANT_DIG__)
#define KHAL_HAS_F16 1
/// IEEE 754 half precision. Only there when the compiler has it.
using f16 = _Float16;
#else
#define KHAL_HAS_F16 0
#endif

struct bf16; // bf16.hpp

namespace detail {

template <class T, class U> inline constexpr bool is_same = false;
template <class T> inline constexpr bool is_same<T, T> = true;

template <class T> struct Identity {
  using type = T;
};
/// A function parameter of this type converts its argument instead of deducing T from it.
template <class T> using identity = typename Identity<T>::type;

template <class T> struct RemoveConst {
  using type = T;
};
template <class T> struct RemoveConst<const T> {
  using type = T;
};
template <class T> using remove_const = typename RemoveConst<T>::type;

/// What a type counts as. One look-up: constraints are checked often.
enum class NumberKind { none, signed_integer, unsigned_integer, floating, narrow_floating };
template <class T> inline constexpr NumberKind number_kind = NumberKind::none;
template <> inline constexpr NumberKind number_kind<i8> = NumberKind::signed_integer;
template <> inline constexpr NumberKind number_kind<i16> = NumberKind::signed_integer;
template <> inline constexpr NumberKind number_kind<i32> = NumberKind::signed_integer;
template <> inline constexpr NumberKind number_kind<long> = NumberKind::signed_integer;
template <> inline constexpr NumberKind number_kind<long long> = NumberKind::signed_integer;
template <> inline constexpr NumberKind number_kind<u8> = NumberKind::unsigned_integer;
template <> inline constexpr NumberKind number_kind<u16> = NumberKind::unsigned_integer;
template <> inline constexpr NumberKind number_kind<u32> = NumberKind::unsigned_integer;
template <> inline constexpr NumberKind number_kind<unsigned long> = NumberKind::unsigned_integer;
template <>
inline constexpr NumberKind number_kind<unsigned long long> = NumberKind::unsigned_integer;
template <> inline constexpr NumberKind number_kind<float> = NumberKind::floating;
template <> inline constexpr NumberKind number_kind<double> = NumberKind::floating;
template <> inline constexpr NumberKind number_kind<bf16> = NumberKind::narrow_floating;
#if KHAL_HAS_F16
template <> inline constexpr NumberKind number_kind<f16> = NumberKind::narrow_floating;
#endif

} // namespace detail

/// f16, where the compiler has it, and bf16.
template <class T>
concept NarrowFloatingPoint = detail::number_kind<T> == detail::NumberKind::narrow_floating;

/// float, double, f16 and bf16.
template <class T>
concept FloatingPoint = detail::number_kind<T> >= detail::NumberKind::floating;

/// Integers of 8 to 64 bits; not bool.
template <class T>
concept SignedInteger = detail::number_kind<T> == detail::NumberKind::signed_integer;
template <class T>
concept UnsignedInteger = detail::number_kind<T> == detail::NumberKind::unsigned_integer;
template <class T>
concept Integer = detail::number_kind<T> == detail::NumberKind::signed_integer ||
                  detail::number_kind<T> == detail::NumberKind::unsigned_integer;

/// What vectors are made of and the maths functions take.
template <class T>
concept Arithmetic = detail::number_kind<T> != detail::NumberKind::none;

} // namespace khal

#endif // KHAL_KERNEL_SCALAR_HPP

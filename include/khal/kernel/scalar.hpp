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

} // namespace detail

/// float, double and, where the compiler has it, f16.
template <class T>
concept FloatingPoint = detail::is_same<T, float> || detail::is_same<T, double>
#if KHAL_HAS_F16
                        || detail::is_same<T, f16>
#endif
    ;

/// Integers of 8 to 64 bits; not bool.
template <class T>
concept SignedInteger =
    detail::is_same<T, i8> || detail::is_same<T, i16> || detail::is_same<T, i32> ||
    detail::is_same<T, long> || detail::is_same<T, long long>;
template <class T>
concept UnsignedInteger =
    detail::is_same<T, u8> || detail::is_same<T, u16> || detail::is_same<T, u32> ||
    detail::is_same<T, unsigned long> || detail::is_same<T, unsigned long long>;
template <class T>
concept Integer = SignedInteger<T> || UnsignedInteger<T>;

/// What vectors are made of and the maths functions take.
template <class T>
concept Arithmetic = FloatingPoint<T> || Integer<T>;

} // namespace khal

#endif // KHAL_KERNEL_SCALAR_HPP

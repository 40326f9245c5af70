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

/// True for one value twice. Where the values are an enumeration's, a compiler that looks for `==`
/// of it in every template takes a fair part of the time that this library costs.
template <auto A, auto B> inline constexpr bool is_equal = false;
template <auto A> inline constexpr bool is_equal<A, A> = true;

/// What a type counts as. One look-up, of numbers and not of an enumeration's: constraints are
/// checked often.
namespace number {
inline constexpr int none = 0, signed_integer = 1, unsigned_integer = 2, floating = 3,
                     narrow_floating = 4;
}
template <class T> inline constexpr int number_kind = number::none;
template <> inline constexpr int number_kind<i8> = number::signed_integer;
template <> inline constexpr int number_kind<i16> = number::signed_integer;
template <> inline constexpr int number_kind<i32> = number::signed_integer;
template <> inline constexpr int number_kind<long> = number::signed_integer;
template <> inline constexpr int number_kind<long long> = number::signed_integer;
template <> inline constexpr int number_kind<u8> = number::unsigned_integer;
template <> inline constexpr int number_kind<u16> = number::unsigned_integer;
template <> inline constexpr int number_kind<u32> = number::unsigned_integer;
template <> inline constexpr int number_kind<unsigned long> = number::unsigned_integer;
template <> inline constexpr int number_kind<unsigned long long> = number::unsigned_integer;
template <> inline constexpr int number_kind<float> = number::floating;
template <> inline constexpr int number_kind<double> = number::floating;
template <> inline constexpr int number_kind<bf16> = number::narrow_floating;
#if KHAL_HAS_F16
template <> inline constexpr int number_kind<f16> = number::narrow_floating;
#endif

} // namespace detail

/// f16, where the compiler has it, and bf16.
template <class T>
concept NarrowFloatingPoint = detail::number_kind<T> == detail::number::narrow_floating;

/// float, double, f16 and bf16.
template <class T>
concept FloatingPoint = detail::number_kind<T> >= detail::number::floating;

/// Integers of 8 to 64 bits; not bool.
template <class T>
concept SignedInteger = detail::number_kind<T> == detail::number::signed_integer;
template <class T>
concept UnsignedInteger = detail::number_kind<T> == detail::number::unsigned_integer;
template <class T>
concept Integer = SignedInteger<T> || UnsignedInteger<T>;

/// What vectors are made of and the maths functions take.
template <class T>
concept Arithmetic = detail::number_kind<T> != detail::number::none;

} // namespace khal

#endif // KHAL_KERNEL_SCALAR_HPP

//===- khal/kernel/vector.hpp - vectors of two, three and four elements -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// float2, int3, ulong4 (of u64) and so on: one template, the same layout on the host and every
// target:
//   | elements | size             | alignment                                       |
//   | 2        | 2 x element      | its size                                        |
//   | 3        | 3 x element      | the element's                                   |
//   | 4        | 4 x element      | its size, at most 16                            |
// Trivial types: an array of them is what it looks like, and one that isn't initialised has no
// value.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_VECTOR_HPP
#define KHAL_KERNEL_VECTOR_HPP

#include "bf16.hpp"

namespace khal {

/// N elements of T named x, y, z, w. T is an arithmetic type or bool.
template <class T, u32 N> struct vec;

// Swizzles: v.xy(), v.zyx(), v.xxz(): any two or three of the elements in any order; of four
// elements, all four in any order too.
// clang-format off
#define KHAL_SWIZZLE_2(a, b) constexpr two a##b() const { return {a, b}; }
#define KHAL_SWIZZLE_3(a, b, c) constexpr three a##b##c() const { return {a, b, c}; }
#define KHAL_SWIZZLE_4(a, b, c, d) constexpr four a##b##c##d() const { return {a, b, c, d}; }

#define KHAL_ENDINGS_2(m, ...)                                                                     \
  m(__VA_ARGS__, x) m(__VA_ARGS__, y)
#define KHAL_ENDINGS2_2(m, ...)                                                                    \
  KHAL_ENDINGS_2(m, __VA_ARGS__, x)                                                                \
  KHAL_ENDINGS_2(m, __VA_ARGS__, y)
#define KHAL_SWIZZLES_2                                                                            \
  KHAL_ENDINGS_2(KHAL_SWIZZLE_2, x) KHAL_ENDINGS2_2(KHAL_SWIZZLE_3, x)                             \
  KHAL_ENDINGS_2(KHAL_SWIZZLE_2, y) KHAL_ENDINGS2_2(KHAL_SWIZZLE_3, y)
#define KHAL_ENDINGS_3(m, ...)                                                                     \
  m(__VA_ARGS__, x) m(__VA_ARGS__, y) m(__VA_ARGS__, z)
#define KHAL_ENDINGS2_3(m, ...)                                                                    \
  KHAL_ENDINGS_3(m, __VA_ARGS__, x)                                                                \
  KHAL_ENDINGS_3(m, __VA_ARGS__, y)                                                                \
  KHAL_ENDINGS_3(m, __VA_ARGS__, z)
#define KHAL_SWIZZLES_3                                                                            \
  KHAL_ENDINGS_3(KHAL_SWIZZLE_2, x) KHAL_ENDINGS2_3(KHAL_SWIZZLE_3, x)                             \
  KHAL_ENDINGS_3(KHAL_SWIZZLE_2, y) KHAL_ENDINGS2_3(KHAL_SWIZZLE_3, y)                             \
  KHAL_ENDINGS_3(KHAL_SWIZZLE_2, z) KHAL_ENDINGS2_3(KHAL_SWIZZLE_3, z)
#define KHAL_ENDINGS_4(m, ...)                                                                     \
  m(__VA_ARGS__, x) m(__VA_ARGS__, y) m(__VA_ARGS__, z) m(__VA_ARGS__, w)
#define KHAL_ENDINGS2_4(m, ...)                                                                    \
  KHAL_ENDINGS_4(m, __VA_ARGS__, x)                                                                \
  KHAL_ENDINGS_4(m, __VA_ARGS__, y)                                                                \
  KHAL_ENDINGS_4(m, __VA_ARGS__, z)                                                                \
  KHAL_ENDINGS_4(m, __VA_ARGS__, w)
#define KHAL_SWIZZLES_4                                                                            \
  KHAL_ENDINGS_4(KHAL_SWIZZLE_2, x) KHAL_ENDINGS2_4(KHAL_SWIZZLE_3, x)                             \
  KHAL_ENDINGS_4(KHAL_SWIZZLE_2, y) KHAL_ENDINGS2_4(KHAL_SWIZZLE_3, y)                             \
  KHAL_ENDINGS_4(KHAL_SWIZZLE_2, z) KHAL_ENDINGS2_4(KHAL_SWIZZLE_3, z)                             \
  KHAL_ENDINGS_4(KHAL_SWIZZLE_2, w) KHAL_ENDINGS2_4(KHAL_SWIZZLE_3, w)
#define KHAL_ORDERS                                                                                \
  KHAL_SWIZZLE_4(x, y, z, w) KHAL_SWIZZLE_4(x, y, w, z) KHAL_SWIZZLE_4(x, z, y, w)                 \
  KHAL_SWIZZLE_4(x, z, w, y) KHAL_SWIZZLE_4(x, w, y, z) KHAL_SWIZZLE_4(x, w, z, y)                 \
  KHAL_SWIZZLE_4(y, x, z, w) KHAL_SWIZZLE_4(y, x, w, z) KHAL_SWIZZLE_4(y, z, x, w)                 \
  KHAL_SWIZZLE_4(y, z, w, x) KHAL_SWIZZLE_4(y, w, x, z) KHAL_SWIZZLE_4(y, w, z, x)                 \
  KHAL_SWIZZLE_4(z, x, y, w) KHAL_SWIZZLE_4(z, x, w, y) KHAL_SWIZZLE_4(z, y, x, w)                 \
  KHAL_SWIZZLE_4(z, y, w, x) KHAL_SWIZZLE_4(z, w, x, y) KHAL_SWIZZLE_4(z, w, y, x)                 \
  KHAL_SWIZZLE_4(w, x, y, z) KHAL_SWIZZLE_4(w, x, z, y) KHAL_SWIZZLE_4(w, y, x, z)                 \
  KHAL_SWIZZLE_4(w, y, z, x) KHAL_SWIZZLE_4(w, z, x, y) KHAL_SWIZZLE_4(w, z, y, x)
// clang-format on

// Element by number; no check. Not through a pointer while a constant is being worked out.
#define KHAL_VECTOR_COMMON                                                                         \
  using element_type = T;                                                                          \
  using two = vec<T, 2>;                                                                           \
  using three = vec<T, 3>;                                                                         \
  using four = vec<T, 4>;                                                                          \
  constexpr T operator[](u32 i) const {                                                            \
    return __builtin_is_constant_evaluated() ? detail::element(*this, i)                           \
                                             : reinterpret_cast<const T *>(this)[i];               \
  }                                                                                                \
  T &operator[](u32 i) {                                                                           \
    return reinterpret_cast<T *>(this)[i];                                                         \
  }                                                                                                \
  vec() = default;

namespace detail {

template <class T, u32 N> constexpr T element(const vec<T, N> &v, u32 i) {
  if constexpr (N >= 4)
    if (i == 3)
      return v.w;
  if constexpr (N >= 3)
    if (i == 2)
      return v.z;
  return i == 1 ? v.y : v.x;
}

constexpr u32 vector_alignment(u32 bytes) {
  return bytes < 16 ? bytes : 16;
}

} // namespace detail

template <class T> struct alignas(detail::vector_alignment(2 * sizeof(T))) vec<T, 2> {
  T x, y;

  KHAL_VECTOR_COMMON
  constexpr explicit vec(T all) : x(all), y(all) {}
  constexpr vec(T x, T y) : x(x), y(y) {}
  template <class U>
  constexpr explicit vec(const vec<U, 2> &v) : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)) {}
  KHAL_SWIZZLES_2
};

template <class T> struct vec<T, 3> {
  T x, y, z;

  KHAL_VECTOR_COMMON
  constexpr explicit vec(T all) : x(all), y(all), z(all) {}
  constexpr vec(T x, T y, T z) : x(x), y(y), z(z) {}
  constexpr vec(const vec<T, 2> &xy, T z) : x(xy.x), y(xy.y), z(z) {}
  constexpr vec(T x, const vec<T, 2> &yz) : x(x), y(yz.x), z(yz.y) {}
  template <class U>
  constexpr explicit vec(const vec<U, 3> &v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}
  KHAL_SWIZZLES_3
};

template <class T> struct alignas(detail::vector_alignment(4 * sizeof(T))) vec<T, 4> {
  T x, y, z, w;

  KHAL_VECTOR_COMMON
  constexpr explicit vec(T all) : x(all), y(all), z(all), w(all) {}
  constexpr vec(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}
  constexpr vec(const vec<T, 2> &xy, T z, T w) : x(xy.x), y(xy.y), z(z), w(w) {}
  constexpr vec(const vec<T, 2> &xy, const vec<T, 2> &zw) : x(xy.x), y(xy.y), z(zw.x), w(zw.y) {}
  constexpr vec(const vec<T, 3> &xyz, T w) : x(xyz.x), y(xyz.y), z(xyz.z), w(w) {}
  constexpr vec(T x, const vec<T, 3> &yzw) : x(x), y(yzw.x), z(yzw.y), w(yzw.z) {}
  template <class U>
  constexpr explicit vec(const vec<U, 4> &v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)),
        w(static_cast<T>(v.w)) {}
  KHAL_SWIZZLES_4
  KHAL_ORDERS
};

#undef KHAL_VECTOR_COMMON
#undef KHAL_ORDERS
#undef KHAL_SWIZZLES_2
#undef KHAL_SWIZZLE_2
#undef KHAL_ENDINGS_2
#undef KHAL_ENDINGS2_2
#undef KHAL_SWIZZLES_3
#undef KHAL_SWIZZLE_3
#undef KHAL_ENDINGS_3
#undef KHAL_ENDINGS2_3
#undef KHAL_SWIZZLES_4
#undef KHAL_SWIZZLE_4
#undef KHAL_ENDINGS_4
#undef KHAL_ENDINGS2_4

// Component-wise operators; a scalar stands for a vector of it.
#define KHAL_VECTOR_BINARY(op)                                                                     \
  template <class T, u32 N>                                                                        \
  constexpr vec<T, N> operator op(const vec<T, N> &a, const vec<T, N> &b) {                        \
    vec<T, N> result;                                                                              \
    result.x = T(a.x op b.x);                                                                      \
    result.y = T(a.y op b.y);                                                                      \
    if constexpr (N >= 3)                                                                          \
      result.z = T(a.z op b.z);                                                                    \
    if constexpr (N >= 4)                                                                          \
      result.w = T(a.w op b.w);                                                                    \
    return result;                                                                                 \
  }                                                                                                \
  template <class T, u32 N>                                                                        \
  constexpr vec<T, N> operator op(const vec<T, N> &a, detail::identity<T> b) {                     \
    return a op vec<T, N>(b);                                                                      \
  }                                                                                                \
  template <class T, u32 N>                                                                        \
  constexpr vec<T, N> operator op(detail::identity<T> a, const vec<T, N> &b) {                     \
    return vec<T, N>(a) op b;                                                                      \
  }                                                                                                \
  template <class T, u32 N>                                                                        \
  constexpr vec<T, N> &operator op## = (vec<T, N> & a, const vec<T, N> &b) {                       \
    return a = a op b;                                                                             \
  }                                                                                                \
  template <class T, u32 N>                                                                        \
  constexpr vec<T, N> &operator op## = (vec<T, N> & a, detail::identity<T> b) {                    \
    return a = a op b;                                                                             \
  }
KHAL_VECTOR_BINARY(+)
KHAL_VECTOR_BINARY(-)
KHAL_VECTOR_BINARY(*)
KHAL_VECTOR_BINARY(/)
KHAL_VECTOR_BINARY(%)
KHAL_VECTOR_BINARY(&)
KHAL_VECTOR_BINARY(|)
KHAL_VECTOR_BINARY(^)
KHAL_VECTOR_BINARY(<<)
KHAL_VECTOR_BINARY(>>)
#undef KHAL_VECTOR_BINARY

#define KHAL_VECTOR_UNARY(op)                                                                      \
  template <class T, u32 N> constexpr vec<T, N> operator op(const vec<T, N> &a) {                  \
    vec<T, N> result;                                                                              \
    result.x = T(op a.x);                                                                          \
    result.y = T(op a.y);                                                                          \
    if constexpr (N >= 3)                                                                          \
      result.z = T(op a.z);                                                                        \
    if constexpr (N >= 4)                                                                          \
      result.w = T(op a.w);                                                                        \
    return result;                                                                                 \
  }
KHAL_VECTOR_UNARY(+)
KHAL_VECTOR_UNARY(-)
KHAL_VECTOR_UNARY(~)
KHAL_VECTOR_UNARY(!)
#undef KHAL_VECTOR_UNARY

/// True when all elements are equal.
template <class T, u32 N> constexpr bool operator==(const vec<T, N> &a, const vec<T, N> &b) {
  bool same = a.x == b.x && a.y == b.y;
  if constexpr (N >= 3)
    same = same && a.z == b.z;
  if constexpr (N >= 4)
    same = same && a.w == b.w;
  return same;
}

// Component-wise comparisons, for any(), all() and select().
#define KHAL_VECTOR_COMPARE(name, op)                                                              \
  template <class T, u32 N> constexpr vec<bool, N> name(const vec<T, N> &a, const vec<T, N> &b) {  \
    vec<bool, N> result;                                                                           \
    result.x = a.x op b.x;                                                                         \
    result.y = a.y op b.y;                                                                         \
    if constexpr (N >= 3)                                                                          \
      result.z = a.z op b.z;                                                                       \
    if constexpr (N >= 4)                                                                          \
      result.w = a.w op b.w;                                                                       \
    return result;                                                                                 \
  }
KHAL_VECTOR_COMPARE(equal, ==)
KHAL_VECTOR_COMPARE(not_equal, !=)
KHAL_VECTOR_COMPARE(less_than, <)
KHAL_VECTOR_COMPARE(less_equal, <=)
KHAL_VECTOR_COMPARE(greater_than, >)
KHAL_VECTOR_COMPARE(greater_equal, >=)
#undef KHAL_VECTOR_COMPARE

template <u32 N> constexpr bool any(const vec<bool, N> &v) {
  return !(v == vec<bool, N>(false));
}
template <u32 N> constexpr bool all(const vec<bool, N> &v) {
  return v == vec<bool, N>(true);
}

/// Element by element, `a` where `condition` holds and `b` where it doesn't.
template <class T, u32 N>
constexpr vec<T, N> select(const vec<bool, N> &condition, const vec<T, N> &a, const vec<T, N> &b) {
  if constexpr (N == 2)
    return {condition.x ? a.x : b.x, condition.y ? a.y : b.y};
  else if constexpr (N == 3)
    return {condition.x ? a.x : b.x, condition.y ? a.y : b.y, condition.z ? a.z : b.z};
  else
    return {condition.x ? a.x : b.x, condition.y ? a.y : b.y, condition.z ? a.z : b.z,
            condition.w ? a.w : b.w};
}

#define KHAL_VECTOR_NAMES(name, T)                                                                 \
  using name##2 = vec<T, 2>;                                                                       \
  using name##3 = vec<T, 3>;                                                                       \
  using name##4 = vec<T, 4>;
KHAL_VECTOR_NAMES(float, float)
KHAL_VECTOR_NAMES(double, double)
KHAL_VECTOR_NAMES(char, i8)
KHAL_VECTOR_NAMES(uchar, u8)
KHAL_VECTOR_NAMES(short, i16)
KHAL_VECTOR_NAMES(ushort, u16)
KHAL_VECTOR_NAMES(int, i32)
KHAL_VECTOR_NAMES(uint, u32)
KHAL_VECTOR_NAMES(long, i64)
KHAL_VECTOR_NAMES(ulong, u64)
KHAL_VECTOR_NAMES(bool, bool)
KHAL_VECTOR_NAMES(bfloat, bf16)
#if KHAL_HAS_F16
KHAL_VECTOR_NAMES(half, f16)
#endif
#undef KHAL_VECTOR_NAMES

} // namespace khal

#endif // KHAL_KERNEL_VECTOR_HPP

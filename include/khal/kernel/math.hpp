//===- khal/kernel/math.hpp - mathematical functions of scalars and vectors -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names and meanings of <cmath>, and those of GLSL that <cmath> lacks, for float, double and
// f16 (worked out in float), and element by element for vectors. Angles are in radians.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_MATH_HPP
#define KHAL_KERNEL_MATH_HPP

#include "vector.hpp"

namespace khal {

namespace detail {

/// What a function of `a` is worked out in: float for narrower types.
template <FloatingPoint T> constexpr auto working(T a) {
  if constexpr (NarrowFloatingPoint<T>)
    return static_cast<float>(a);
  else
    return a;
}

} // namespace detail

// A scalar function of one argument, and the same for each element of a vector.
#define KHAL_MATH_ELEMENTWISE_1(name)                                                              \
  template <class T, u32 N> constexpr vec<T, N> name(const vec<T, N> &a) {                         \
    vec<T, N> result;                                                                              \
    result.x = name(a.x);                                                                          \
    result.y = name(a.y);                                                                          \
    if constexpr (N >= 3)                                                                          \
      result.z = name(a.z);                                                                        \
    if constexpr (N >= 4)                                                                          \
      result.w = name(a.w);                                                                        \
    return result;                                                                                 \
  }
#define KHAL_MATH_ELEMENTWISE_2(name)                                                              \
  template <class T, u32 N> constexpr vec<T, N> name(const vec<T, N> &a, const vec<T, N> &b) {     \
    vec<T, N> result;                                                                              \
    result.x = name(a.x, b.x);                                                                     \
    result.y = name(a.y, b.y);                                                                     \
    if constexpr (N >= 3)                                                                          \
      result.z = name(a.z, b.z);                                                                   \
    if constexpr (N >= 4)                                                                          \
      result.w = name(a.w, b.w);                                                                   \
    return result;                                                                                 \
  }                                                                                                \
  template <class T, u32 N> constexpr vec<T, N> name(const vec<T, N> &a, detail::identity<T> b) {  \
    return name(a, vec<T, N>(b));                                                                  \
  }
#define KHAL_MATH_ELEMENTWISE_3(name)                                                              \
  template <class T, u32 N>                                                                        \
  constexpr vec<T, N> name(const vec<T, N> &a, const vec<T, N> &b, const vec<T, N> &c) {           \
    vec<T, N> result;                                                                              \
    result.x = name(a.x, b.x, c.x);                                                                \
    result.y = name(a.y, b.y, c.y);                                                                \
    if constexpr (N >= 3)                                                                          \
      result.z = name(a.z, b.z, c.z);                                                              \
    if constexpr (N >= 4)                                                                          \
      result.w = name(a.w, b.w, c.w);                                                              \
    return result;                                                                                 \
  }

#define KHAL_MATH_UNARY(name, builtin)                                                             \
  template <FloatingPoint T> constexpr T name(T a) {                                               \
    if constexpr (sizeof(T) == 8)                                                                  \
      return __builtin_##builtin(a);                                                               \
    else                                                                                           \
      return static_cast<T>(__builtin_##builtin##f(a));                                            \
  }                                                                                                \
  KHAL_MATH_ELEMENTWISE_1(name)
#define KHAL_MATH_BINARY(name, builtin)                                                            \
  template <FloatingPoint T> constexpr T name(T a, detail::identity<T> b) {                        \
    if constexpr (sizeof(T) == 8)                                                                  \
      return __builtin_##builtin(a, b);                                                            \
    else                                                                                           \
      return static_cast<T>(__builtin_##builtin##f(a, b));                                         \
  }                                                                                                \
  KHAL_MATH_ELEMENTWISE_2(name)

KHAL_MATH_UNARY(sqrt, sqrt)
KHAL_MATH_UNARY(sin, sin)
KHAL_MATH_UNARY(cos, cos)
KHAL_MATH_UNARY(tan, tan)
KHAL_MATH_UNARY(asin, asin)
KHAL_MATH_UNARY(acos, acos)
KHAL_MATH_UNARY(atan, atan)
KHAL_MATH_UNARY(sinh, sinh)
KHAL_MATH_UNARY(cosh, cosh)
KHAL_MATH_UNARY(tanh, tanh)
KHAL_MATH_UNARY(asinh, asinh)
KHAL_MATH_UNARY(acosh, acosh)
KHAL_MATH_UNARY(atanh, atanh)
KHAL_MATH_UNARY(exp, exp)
KHAL_MATH_UNARY(exp2, exp2)
KHAL_MATH_UNARY(exp10, exp10)
KHAL_MATH_UNARY(expm1, expm1) ///< exp(a) - 1, precise near 0
KHAL_MATH_UNARY(log, log)
KHAL_MATH_UNARY(log1p, log1p) ///< log(1 + a), precise near 0
KHAL_MATH_UNARY(log2, log2)
KHAL_MATH_UNARY(log10, log10)
KHAL_MATH_UNARY(cbrt, cbrt)
KHAL_MATH_UNARY(erf, erf)
KHAL_MATH_UNARY(erfc, erfc)
KHAL_MATH_UNARY(tgamma, tgamma)
KHAL_MATH_UNARY(lgamma, lgamma) ///< log |tgamma(a)|
KHAL_MATH_UNARY(floor, floor)
KHAL_MATH_UNARY(ceil, ceil)
KHAL_MATH_UNARY(trunc, trunc)
KHAL_MATH_UNARY(round, round) ///< halves away from zero
#if __has_builtin(__builtin_roundevenf)
KHAL_MATH_UNARY(round_even, roundeven) ///< halves to the even neighbour
#else
KHAL_MATH_UNARY(round_even, rint) // under the default rounding mode
#endif
KHAL_MATH_BINARY(pow, pow)
KHAL_MATH_BINARY(atan2, atan2)
KHAL_MATH_BINARY(hypot, hypot) ///< the root of a * a + b * b
KHAL_MATH_BINARY(fmod, fmod)   ///< the remainder of a / b, with the sign of a
KHAL_MATH_BINARY(copysign, copysign)

#undef KHAL_MATH_BINARY
#undef KHAL_MATH_UNARY

/// a * b + c, rounded once.
template <FloatingPoint T> constexpr T fma(T a, detail::identity<T> b, detail::identity<T> c) {
  if constexpr (sizeof(T) == 8)
    return __builtin_fma(a, b, c);
  else
    return static_cast<T>(__builtin_fmaf(a, b, c));
}
KHAL_MATH_ELEMENTWISE_3(fma)

/// 1 / sqrt(a), by the target's own instruction where it has one, but under --fp=strict.
template <FloatingPoint T> constexpr T rsqrt(T a) {
// Not on processors, whose estimates LLVM refines to NaN at 0.
#if defined(__KHAL__) && !defined(__KHAL_FP_STRICT__) && !__KHAL_TARGET_CPU__
#pragma clang fp reciprocal(on)
#endif
  return static_cast<T>(1 / sqrt(detail::working(a)));
}
KHAL_MATH_ELEMENTWISE_1(rsqrt)

/// The lowest integer is its own absolute value.
template <Arithmetic T> constexpr T abs(T a) {
  if constexpr (detail::is_same<T, double>)
    return __builtin_fabs(a);
  else if constexpr (FloatingPoint<T>)
    return static_cast<T>(__builtin_fabsf(a));
  else if constexpr (UnsignedInteger<T>)
    return a;
  else // negated as unsigned, where nothing overflows
    return a < 0 ? static_cast<T>(0 - static_cast<u64>(a)) : a;
}
KHAL_MATH_ELEMENTWISE_1(abs)

/// -1, 0 or 1.
template <Arithmetic T> constexpr T sign(T a) {
  return T(T(a > T(0)) - T(a < T(0)));
}
KHAL_MATH_ELEMENTWISE_1(sign)

/// The smaller; if just one is not a number, the other.
template <Arithmetic T> constexpr T min(T a, detail::identity<T> b) {
  if constexpr (detail::is_same<T, double>)
    return __builtin_fmin(a, b);
  else if constexpr (FloatingPoint<T>)
    return static_cast<T>(__builtin_fminf(a, b));
  else
    return b < a ? b : a;
}
KHAL_MATH_ELEMENTWISE_2(min)

/// The larger; if just one is not a number, the other.
template <Arithmetic T> constexpr T max(T a, detail::identity<T> b) {
  if constexpr (detail::is_same<T, double>)
    return __builtin_fmax(a, b);
  else if constexpr (FloatingPoint<T>)
    return static_cast<T>(__builtin_fmaxf(a, b));
  else
    return a < b ? b : a;
}
KHAL_MATH_ELEMENTWISE_2(max)

/// `a`, but not below `low` and not above `high`. `low` must not be above `high`.
template <Arithmetic T> constexpr T clamp(T a, detail::identity<T> low, detail::identity<T> high) {
  return min(max(a, low), high);
}
KHAL_MATH_ELEMENTWISE_3(clamp)
template <class T, u32 N>
constexpr vec<T, N> clamp(const vec<T, N> &a, detail::identity<T> low, detail::identity<T> high) {
  return min(max(a, low), high);
}

/// clamp(a, 0, 1).
template <FloatingPoint T> constexpr T saturate(T a) {
  return clamp(a, T(0), T(1));
}
KHAL_MATH_ELEMENTWISE_1(saturate)

/// a - floor(a).
template <FloatingPoint T> constexpr T fract(T a) {
  return static_cast<T>(a - floor(a));
}
KHAL_MATH_ELEMENTWISE_1(fract)

/// a - b * floor(a / b): the remainder with the sign of b, as GLSL's mod.
template <FloatingPoint T> constexpr T mod(T a, detail::identity<T> b) {
  const auto x = detail::working(a), y = detail::working(b);
  return static_cast<T>(x - y * floor(x / y));
}
KHAL_MATH_ELEMENTWISE_2(mod)

/// a * (1 - t) + b * t.
template <FloatingPoint T> constexpr T mix(T a, detail::identity<T> b, detail::identity<T> t) {
  const auto x = detail::working(a), y = detail::working(b), s = detail::working(t);
  return static_cast<T>(x * (1 - s) + y * s);
}
KHAL_MATH_ELEMENTWISE_3(mix)
template <class T, u32 N>
constexpr vec<T, N> mix(const vec<T, N> &a, const vec<T, N> &b, detail::identity<T> t) {
  return mix(a, b, vec<T, N>(t));
}

/// 0 below `edge`, 1 from it on.
template <FloatingPoint T> constexpr T step(T edge, detail::identity<T> a) {
  return a < edge ? T(0) : T(1);
}
KHAL_MATH_ELEMENTWISE_2(step)

/// From 0 at `low` to 1 at `high` along a cubic with flat ends. `low` must be below `high`.
template <FloatingPoint T>
constexpr T smoothstep(T low, detail::identity<T> high, detail::identity<T> a) {
  const auto from = detail::working(low), to = detail::working(high);
  const auto t = saturate((detail::working(a) - from) / (to - from));
  return static_cast<T>(t * t * (3 - 2 * t));
}
KHAL_MATH_ELEMENTWISE_3(smoothstep)

template <FloatingPoint T> constexpr T radians(T degrees) {
  const auto x = detail::working(degrees);
  return static_cast<T>(x * static_cast<decltype(+x)>(0.017453292519943295769));
}
template <FloatingPoint T> constexpr T degrees(T radians) {
  const auto x = detail::working(radians);
  return static_cast<T>(x * static_cast<decltype(+x)>(57.295779513082320877));
}

template <FloatingPoint T> constexpr bool isnan(T a) {
  return __builtin_isnan(detail::working(a));
}
template <FloatingPoint T> constexpr bool isinf(T a) {
  return __builtin_isinf(detail::working(a));
}
template <FloatingPoint T> constexpr bool isfinite(T a) {
  return __builtin_isfinite(detail::working(a));
}

#undef KHAL_MATH_ELEMENTWISE_3
#undef KHAL_MATH_ELEMENTWISE_2
#undef KHAL_MATH_ELEMENTWISE_1

// Geometry.

template <class T, u32 N> constexpr T dot(const vec<T, N> &a, const vec<T, N> &b) {
  if constexpr (N == 2)
    return T(a.x * b.x + a.y * b.y);
  else if constexpr (N == 3)
    return T(a.x * b.x + a.y * b.y + a.z * b.z);
  else
    return T(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}

template <class T> constexpr vec<T, 3> cross(const vec<T, 3> &a, const vec<T, 3> &b) {
  return {T(a.y * b.z - a.z * b.y), T(a.z * b.x - a.x * b.z), T(a.x * b.y - a.y * b.x)};
}

template <FloatingPoint T, u32 N> constexpr T length(const vec<T, N> &a) {
  return sqrt(dot(a, a));
}

template <FloatingPoint T, u32 N> constexpr T distance(const vec<T, N> &a, const vec<T, N> &b) {
  return length(a - b);
}

/// `a` scaled to length 1. A vector of length 0 gives elements that are not numbers.
template <FloatingPoint T, u32 N> constexpr vec<T, N> normalize(const vec<T, N> &a) {
  return a / length(a);
}

/// `incident` mirrored at a surface whose `normal` has length 1.
template <FloatingPoint T, u32 N>
constexpr vec<T, N> reflect(const vec<T, N> &incident, const vec<T, N> &normal) {
  return incident - normal * (T(2) * dot(normal, incident));
}

/// `incident` bent at a surface whose `normal` has length 1, as `incident` does, by the ratio of
/// refractive indices `eta`; zero where all is reflected.
template <FloatingPoint T, u32 N>
constexpr vec<T, N> refract(const vec<T, N> &incident, const vec<T, N> &normal,
                            detail::identity<T> eta) {
  const T along = dot(normal, incident);
  const T k = T(T(1) - eta * eta * (T(1) - along * along));
  if (k < T(0))
    return vec<T, N>(T(0));
  return incident * eta - normal * T(eta * along + sqrt(k));
}

/// `normal`, or its opposite, so that it points against `incident` as `reference` does.
template <FloatingPoint T, u32 N>
constexpr vec<T, N> faceforward(const vec<T, N> &normal, const vec<T, N> &incident,
                                const vec<T, N> &reference) {
  return dot(reference, incident) < T(0) ? normal : -normal;
}

} // namespace khal

#endif // KHAL_KERNEL_MATH_HPP

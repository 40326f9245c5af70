//===- khal/kernel/quaternion.hpp - rotations in space -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_QUATERNION_HPP
#define KHAL_KERNEL_QUATERNION_HPP

#include "math.hpp"
#include "matrix.hpp"

namespace khal {

/// w + x i + y j + z k, in memory x, y, z, w. Of length 1 it is a rotation.
template <FloatingPoint T> struct alignas(detail::vector_alignment(4 * sizeof(T))) quaternion {
  using element_type = T;
  T x, y, z, w;

  quaternion() = default;
  constexpr quaternion(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}
  constexpr quaternion(const vec<T, 3> &xyz, T w) : x(xyz.x), y(xyz.y), z(xyz.z), w(w) {}
  constexpr explicit quaternion(const vec<T, 4> &v) : x(v.x), y(v.y), z(v.z), w(v.w) {}

  /// No rotation.
  static constexpr quaternion identity() { return {T(0), T(0), T(0), T(1)}; }
  constexpr vec<T, 3> xyz() const { return {x, y, z}; }
  constexpr explicit operator vec<T, 4>() const { return {x, y, z, w}; }
  constexpr bool operator==(const quaternion &) const = default;
};

using quat = quaternion<float>;
using dquat = quaternion<double>;

/// First the rotation `b`, then `a`.
template <class T>
constexpr quaternion<T> operator*(const quaternion<T> &a, const quaternion<T> &b) {
  return {T(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y),
          T(a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z),
          T(a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x),
          T(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z)};
}
template <class T>
constexpr quaternion<T> operator+(const quaternion<T> &a, const quaternion<T> &b) {
  return {T(a.x + b.x), T(a.y + b.y), T(a.z + b.z), T(a.w + b.w)};
}
template <class T> constexpr quaternion<T> operator-(const quaternion<T> &a) {
  return {T(-a.x), T(-a.y), T(-a.z), T(-a.w)};
}
template <class T>
constexpr quaternion<T> operator*(const quaternion<T> &a, detail::identity<T> factor) {
  return {T(a.x * factor), T(a.y * factor), T(a.z * factor), T(a.w * factor)};
}

template <class T> constexpr T dot(const quaternion<T> &a, const quaternion<T> &b) {
  return T(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
}
template <class T> constexpr T length(const quaternion<T> &a) {
  return sqrt(dot(a, a));
}
template <class T> constexpr quaternion<T> normalize(const quaternion<T> &a) {
  return a * T(T(1) / length(a));
}
template <class T> constexpr quaternion<T> conjugate(const quaternion<T> &a) {
  return {T(-a.x), T(-a.y), T(-a.z), a.w};
}
/// What undoes `a`: of a rotation the conjugate.
template <class T> constexpr quaternion<T> inverse(const quaternion<T> &a) {
  return conjugate(a) * T(T(1) / dot(a, a));
}

/// The rotation by `angle` radians about `axis`, which has length 1; counterclockwise as seen from
/// the axis' tip, in a right-handed system.
template <FloatingPoint T>
constexpr quaternion<T> rotation(const vec<T, 3> &axis, detail::identity<T> angle) {
  const T half = T(angle * T(0.5));
  return {axis * sin(half), cos(half)};
}

/// `v` turned by the rotation `q`.
template <FloatingPoint T> constexpr vec<T, 3> rotate(const quaternion<T> &q, const vec<T, 3> &v) {
  const vec<T, 3> twice = cross(q.xyz(), v) * T(2);
  return v + twice * q.w + cross(q.xyz(), twice);
}

/// The matrix that turns column vectors as the rotation `q` does.
template <FloatingPoint T> constexpr mat<T, 3, 3> to_matrix(const quaternion<T> &q) {
  const T one = T(1), two = T(2);
  return {vec<T, 3>(T(one - two * (q.y * q.y + q.z * q.z)), T(two * (q.x * q.y + q.w * q.z)),
                    T(two * (q.x * q.z - q.w * q.y))),
          vec<T, 3>(T(two * (q.x * q.y - q.w * q.z)), T(one - two * (q.x * q.x + q.z * q.z)),
                    T(two * (q.y * q.z + q.w * q.x))),
          vec<T, 3>(T(two * (q.x * q.z + q.w * q.y)), T(two * (q.y * q.z - q.w * q.x)),
                    T(one - two * (q.x * q.x + q.y * q.y)))};
}

/// The rotation of a matrix that only rotates; of the two quaternions that with the largest element
/// positive (S. W. Shepperd, "Quaternion from Rotation Matrix", 1978).
template <FloatingPoint T> constexpr quaternion<T> to_quaternion(const mat<T, 3, 3> &m) {
  const T trace = T(m[0].x + m[1].y + m[2].z);
  const auto finish = [](T largest, T x, T y, T z, T w) {
    return quaternion<T>(x, y, z, w) * T(T(0.5) / sqrt(largest));
  };
  if (trace >= m[0].x && trace >= m[1].y && trace >= m[2].z) {
    const T t = T(T(1) + trace);
    return finish(t, T(m[1].z - m[2].y), T(m[2].x - m[0].z), T(m[0].y - m[1].x), t);
  }
  if (m[0].x >= m[1].y && m[0].x >= m[2].z) {
    const T t = T(T(1) + m[0].x - m[1].y - m[2].z);
    return finish(t, t, T(m[0].y + m[1].x), T(m[2].x + m[0].z), T(m[1].z - m[2].y));
  }
  if (m[1].y >= m[2].z) {
    const T t = T(T(1) + m[1].y - m[0].x - m[2].z);
    return finish(t, T(m[0].y + m[1].x), t, T(m[1].z + m[2].y), T(m[2].x - m[0].z));
  }
  const T t = T(T(1) + m[2].z - m[0].x - m[1].y);
  return finish(t, T(m[2].x + m[0].z), T(m[1].z + m[2].y), t, T(m[0].y - m[1].x));
}

/// From `a` at t = 0 to `b` at t = 1 along the shorter arc, at a steady speed.
template <FloatingPoint T>
constexpr quaternion<T> slerp(const quaternion<T> &a, const quaternion<T> &b,
                              detail::identity<T> t) {
  const T cosine = dot(a, b);
  const quaternion<T> near = cosine < T(0) ? -b : b;
  const T size = abs(cosine);
  // Where the arc is so short that its sine loses its digits, it is as good as straight.
  if (size > T(0.9995))
    return normalize(a * T(T(1) - t) + near * t);
  const T angle = acos(size);
  return (a * sin(T((T(1) - t) * angle)) + near * sin(T(t * angle))) * T(T(1) / sin(angle));
}

} // namespace khal

#endif // KHAL_KERNEL_QUATERNION_HPP

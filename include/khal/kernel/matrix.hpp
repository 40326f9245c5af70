//===- khal/kernel/matrix.hpp - matrices of two to four columns and rows ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// float2x3 has 2 columns of 3 rows, as in GLSL and glm: m[column][row], and a float2x3 times a
// float2 is a float3. In memory it is an array of its columns, each a vector of vector.hpp.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_KERNEL_MATRIX_HPP
#define KHAL_KERNEL_MATRIX_HPP

#include "vector.hpp"

namespace khal {

/// C columns of R elements. Trivial, as vectors are.
template <class T, u32 C, u32 R> struct mat {
  static_assert(C >= 2 && C <= 4 && R >= 2 && R <= 4);
  using element_type = T;
  using column_type = vec<T, R>;

  vec<T, R> columns[C];

  mat() = default;
  /// `diagonal` where row and column are the same, 0 elsewhere: mat(1) is the identity.
  constexpr explicit mat(T diagonal) : columns{} {
    for (u32 c = 0; c < C; ++c)
      columns[c] = column_with(c, diagonal);
  }
  template <class... Columns>
    requires(sizeof...(Columns) == C - 1)
  constexpr mat(const vec<T, R> &first, const Columns &...others)
      : columns{first, static_cast<const vec<T, R> &>(others)...} {}
  template <class U> constexpr explicit mat(const mat<U, C, R> &m) : columns{} {
    for (u32 c = 0; c < C; ++c)
      columns[c] = vec<T, R>(m.columns[c]);
  }

  constexpr const vec<T, R> &operator[](u32 column) const { return columns[column]; }
  constexpr vec<T, R> &operator[](u32 column) { return columns[column]; }

private:
  static constexpr vec<T, R> column_with(u32 row, T value) {
    vec<T, R> column(T(0));
    if (row == 0)
      column.x = value;
    else if (row == 1)
      column.y = value;
    if constexpr (R >= 3)
      if (row == 2)
        column.z = value;
    if constexpr (R >= 4)
      if (row == 3)
        column.w = value;
    return column;
  }
};

namespace detail {

/// A matrix of change(column) or combine(column, column) for each column.
template <class T, u32 C, u32 R, class F>
constexpr mat<T, C, R> by_column(const mat<T, C, R> &a, F change) {
  mat<T, C, R> result(T(0));
  for (u32 c = 0; c < C; ++c)
    result.columns[c] = change(a.columns[c]);
  return result;
}
template <class T, u32 C, u32 R, class F>
constexpr mat<T, C, R> by_column(const mat<T, C, R> &a, const mat<T, C, R> &b, F combine) {
  mat<T, C, R> result(T(0));
  for (u32 c = 0; c < C; ++c)
    result.columns[c] = combine(a.columns[c], b.columns[c]);
  return result;
}

template <class T, u32 C, u32 R> constexpr vec<T, C> row_of(const mat<T, C, R> &m, u32 row) {
  if constexpr (C == 2)
    return {element(m.columns[0], row), element(m.columns[1], row)};
  else if constexpr (C == 3)
    return {element(m.columns[0], row), element(m.columns[1], row), element(m.columns[2], row)};
  else
    return {element(m.columns[0], row), element(m.columns[1], row), element(m.columns[2], row),
            element(m.columns[3], row)};
}

template <class T> constexpr vec<T, 3> cross_product(const vec<T, 3> &a, const vec<T, 3> &b) {
  return {T(a.y * b.z - a.z * b.y), T(a.z * b.x - a.x * b.z), T(a.x * b.y - a.y * b.x)};
}

/// What products of two columns of a 4x4 matrix give: all 2x2 determinants of their rows.
template <class T> struct Minors {
  T xy, xz, xw, yz, yw, zw;
  constexpr Minors(const vec<T, 4> &a, const vec<T, 4> &b)
      : xy(a.x * b.y - a.y * b.x), xz(a.x * b.z - a.z * b.x), xw(a.x * b.w - a.w * b.x),
        yz(a.y * b.z - a.z * b.y), yw(a.y * b.w - a.w * b.y), zw(a.z * b.w - a.w * b.z) {}
};

} // namespace detail

#define KHAL_MATRIX_ADDITIVE(op)                                                                   \
  template <class T, u32 C, u32 R>                                                                 \
  constexpr mat<T, C, R> operator op(const mat<T, C, R> &a, const mat<T, C, R> &b) {               \
    return detail::by_column(a, b, [](const vec<T, R> &x, const vec<T, R> &y) { return x op y; }); \
  }                                                                                                \
  template <class T, u32 C, u32 R>                                                                 \
  constexpr mat<T, C, R> &operator op## = (mat<T, C, R> & a, const mat<T, C, R> &b) {              \
    return a = a op b;                                                                             \
  }
KHAL_MATRIX_ADDITIVE(+)
KHAL_MATRIX_ADDITIVE(-)
#undef KHAL_MATRIX_ADDITIVE

template <class T, u32 C, u32 R> constexpr mat<T, C, R> operator-(const mat<T, C, R> &m) {
  return detail::by_column(m, [](const vec<T, R> &x) { return -x; });
}
template <class T, u32 C, u32 R>
constexpr mat<T, C, R> operator*(const mat<T, C, R> &m, detail::identity<T> factor) {
  return detail::by_column(m, [=](const vec<T, R> &x) { return x * factor; });
}
template <class T, u32 C, u32 R>
constexpr mat<T, C, R> operator*(detail::identity<T> factor, const mat<T, C, R> &m) {
  return m * factor;
}
template <class T, u32 C, u32 R>
constexpr mat<T, C, R> operator/(const mat<T, C, R> &m, detail::identity<T> divisor) {
  return detail::by_column(m, [=](const vec<T, R> &x) { return x / divisor; });
}

/// `m` times the column vector `v`.
template <class T, u32 C, u32 R>
constexpr vec<T, R> operator*(const mat<T, C, R> &m, const vec<T, C> &v) {
  vec<T, R> sum = m.columns[0] * v.x + m.columns[1] * v.y;
  if constexpr (C >= 3)
    sum = sum + m.columns[2] * v.z;
  if constexpr (C >= 4)
    sum = sum + m.columns[3] * v.w;
  return sum;
}

/// The row vector `v` times `m`.
template <class T, u32 C, u32 R>
constexpr vec<T, C> operator*(const vec<T, R> &v, const mat<T, C, R> &m) {
  vec<T, C> sum = detail::row_of(m, 0) * v.x + detail::row_of(m, 1) * v.y;
  if constexpr (R >= 3)
    sum = sum + detail::row_of(m, 2) * v.z;
  if constexpr (R >= 4)
    sum = sum + detail::row_of(m, 3) * v.w;
  return sum;
}

/// The product of matrices: (a * b) * v is a * (b * v).
template <class T, u32 C, u32 K, u32 R>
constexpr mat<T, C, R> operator*(const mat<T, K, R> &a, const mat<T, C, K> &b) {
  mat<T, C, R> product(T(0));
  for (u32 c = 0; c < C; ++c)
    product.columns[c] = a * b.columns[c];
  return product;
}
template <class T, u32 N>
constexpr mat<T, N, N> &operator*=(mat<T, N, N> &a, const mat<T, N, N> &b) {
  return a = a * b;
}
template <class T, u32 C, u32 R>
constexpr mat<T, C, R> &operator*=(mat<T, C, R> &m, detail::identity<T> factor) {
  return m = m * factor;
}

/// True when all elements are equal.
template <class T, u32 C, u32 R>
constexpr bool operator==(const mat<T, C, R> &a, const mat<T, C, R> &b) {
  bool same = true;
  for (u32 c = 0; c < C; ++c)
    same = same && a.columns[c] == b.columns[c];
  return same;
}

/// Rows become columns.
template <class T, u32 C, u32 R> constexpr mat<T, R, C> transpose(const mat<T, C, R> &m) {
  mat<T, R, C> result(T(0));
  for (u32 r = 0; r < R; ++r)
    result.columns[r] = detail::row_of(m, r);
  return result;
}

/// Element by element, where operator* is the product of matrices.
template <class T, u32 C, u32 R>
constexpr mat<T, C, R> component_multiply(const mat<T, C, R> &a, const mat<T, C, R> &b) {
  return detail::by_column(a, b, [](const vec<T, R> &x, const vec<T, R> &y) { return x * y; });
}

/// The column vector `column` times the row vector `row`.
template <class T, u32 R, u32 C>
constexpr mat<T, C, R> outer_product(const vec<T, R> &column, const vec<T, C> &row) {
  mat<T, C, R> result(T(0));
  for (u32 c = 0; c < C; ++c)
    result.columns[c] = column * detail::element(row, c);
  return result;
}

template <class T> constexpr T determinant(const mat<T, 2, 2> &m) {
  return T(m[0].x * m[1].y - m[1].x * m[0].y);
}
template <class T> constexpr T determinant(const mat<T, 3, 3> &m) {
  const vec<T, 3> normal = detail::cross_product(m[1], m[2]);
  return T(m[0].x * normal.x + m[0].y * normal.y + m[0].z * normal.z);
}
template <class T> constexpr T determinant(const mat<T, 4, 4> &m) {
  // Laplace's expansion by pairs of columns.
  const detail::Minors<T> a(m[0], m[1]), b(m[2], m[3]);
  return T(a.xy * b.zw - a.xz * b.yw + a.xw * b.yz + a.yz * b.xw - a.yw * b.xz + a.zw * b.xy);
}

/// The matrix whose product with `m` is the identity, by Cramer's rule. One of determinant 0 has
/// none: its elements are infinite or not numbers.
template <FloatingPoint T> constexpr mat<T, 2, 2> inverse(const mat<T, 2, 2> &m) {
  const mat<T, 2, 2> adjugate(vec<T, 2>(m[1].y, -m[0].y), vec<T, 2>(-m[1].x, m[0].x));
  return adjugate * T(T(1) / determinant(m));
}
template <FloatingPoint T> constexpr mat<T, 3, 3> inverse(const mat<T, 3, 3> &m) {
  const mat<T, 3, 3> rows(detail::cross_product(m[1], m[2]), detail::cross_product(m[2], m[0]),
                          detail::cross_product(m[0], m[1]));
  return transpose(rows) * T(T(1) / determinant(m));
}
template <FloatingPoint T> constexpr mat<T, 4, 4> inverse(const mat<T, 4, 4> &m) {
  const detail::Minors<T> a(m[0], m[1]), b(m[2], m[3]);
  const T scale = T(T(1) / determinant(m));
  const auto cofactors = [](const vec<T, 4> &v, const detail::Minors<T> &n) {
    return vec<T, 4>(
        T(v.y * n.zw - v.z * n.yw + v.w * n.yz), T(v.z * n.xw - v.x * n.zw - v.w * n.xz),
        T(v.x * n.yw - v.y * n.xw + v.w * n.xy), T(v.y * n.xz - v.x * n.yz - v.z * n.xy));
  };
  const mat<T, 4, 4> rows(cofactors(m[1], b), -cofactors(m[0], b), cofactors(m[3], a),
                          -cofactors(m[2], a));
  return transpose(rows) * scale;
}

#define KHAL_MATRIX_NAMES(name, T)                                                                 \
  using name##2x2 = mat<T, 2, 2>;                                                                  \
  using name##2x3 = mat<T, 2, 3>;                                                                  \
  using name##2x4 = mat<T, 2, 4>;                                                                  \
  using name##3x2 = mat<T, 3, 2>;                                                                  \
  using name##3x3 = mat<T, 3, 3>;                                                                  \
  using name##3x4 = mat<T, 3, 4>;                                                                  \
  using name##4x2 = mat<T, 4, 2>;                                                                  \
  using name##4x3 = mat<T, 4, 3>;                                                                  \
  using name##4x4 = mat<T, 4, 4>;
KHAL_MATRIX_NAMES(float, float)
KHAL_MATRIX_NAMES(double, double)
#if KHAL_HAS_F16
KHAL_MATRIX_NAMES(half, f16)
#endif
#undef KHAL_MATRIX_NAMES

} // namespace khal

#endif // KHAL_KERNEL_MATRIX_HPP

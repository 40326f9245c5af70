//===- curve.hpp - the curve y^2 = x^3 + 7 and multiples of its base point --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_EXAMPLES_SECP256K1_CURVE_HPP
#define KHAL_EXAMPLES_SECP256K1_CURVE_HPP

#include "field.hpp"

namespace secp256k1 {

/// A point by its coordinates. The point at infinity is (0, 0), which isn't on the curve.
struct Point {
  Number x, y;

  friend constexpr bool operator==(const Point &a, const Point &b) {
    return a.x == b.x && a.y == b.y;
  }
};

inline constexpr Point base{{{0x16f81798, 0x59f2815b, 0x2dce28d9, 0x029bfcdb, 0xce870b07,
                              0x55a06295, 0xf9dcbbac, 0x79be667e}},
                            {{0xfb10d4b8, 0x9c47d08f, 0xa6855419, 0xfd17b448, 0x0e1108a8,
                              0x5da4fbfc, 0x26a3c465, 0x483ada77}}};

/// Jacobian coordinates, (x / z^2, y / z^3), which need no division on the way.
struct Jacobian {
  Number x, y, z;
};

constexpr Jacobian twice(const Jacobian &p) {
  const Number ySquare = square(p.y);
  const Number slope = add(add(square(p.x), square(p.x)), square(p.x));
  Number middle = multiply(p.x, ySquare);
  middle = add(middle, middle);
  middle = add(middle, middle);
  Number drop = square(ySquare);
  drop = add(drop, drop);
  drop = add(drop, drop);
  drop = add(drop, drop);
  const Number x = subtract(square(slope), add(middle, middle));
  const Number y = subtract(multiply(slope, subtract(middle, x)), drop);
  const Number yz = multiply(p.y, p.z);
  return {x, y, add(yz, yz)};
}

/// p + q for two points neither of which is infinity, the other or the other's opposite.
constexpr Jacobian sum_of_distinct(const Jacobian &p, const Point &q) {
  const Number zSquare = square(p.z);
  const Number across = subtract(multiply(q.x, zSquare), p.x);
  const Number up = subtract(multiply(q.y, multiply(zSquare, p.z)), p.y);
  const Number acrossSquare = square(across);
  const Number acrossCube = multiply(acrossSquare, across);
  const Number middle = multiply(p.x, acrossSquare);
  const Number x = subtract(square(up), add(acrossCube, add(middle, middle)));
  const Number y = subtract(multiply(up, subtract(middle, x)), multiply(p.y, acrossCube));
  return {x, y, multiply(p.z, across)};
}

/// k times the base point, for k below the order of the curve. From the highest bit of k down, the
/// multiple so far is at least 2 and at most the order minus 2 when the base point is added to it,
/// so that the two are always distinct.
constexpr Point multiple_of_base(const Number &k) {
  u32 i = 256;
  while (i > 0 && !k.bit(i - 1))
    --i;
  if (i == 0)
    return {zero, zero};
  Jacobian sum{base.x, base.y, one};
  for (--i; i-- > 0;) {
    sum = twice(sum);
    if (k.bit(i))
      sum = sum_of_distinct(sum, base);
  }
  const Number inverse = invert(sum.z);
  const Number inverseSquare = square(inverse);
  return {multiply(sum.x, inverseSquare), multiply(sum.y, multiply(inverseSquare, inverse))};
}

constexpr bool is_on_curve(const Point &p) {
  return square(p.y) == add(multiply(square(p.x), p.x), Number{{7}});
}

} // namespace secp256k1

#endif // KHAL_EXAMPLES_SECP256K1_CURVE_HPP

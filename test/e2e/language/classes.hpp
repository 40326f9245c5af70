//===- classes.hpp - the language table's classes, templates and lambdas ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace language {

using namespace khal;
using Input = span<const u32>;

// --- lambdas and templates ----------------------------------------------------------------------

inline u32 generic_lambda(u32 x, Input in) {
  const auto twice = [](auto value) { return value + value; };
  return twice(x) + static_cast<u32>(twice(static_cast<u8>(in[3]))) +
         static_cast<u32>(twice(static_cast<i64>(in[x & 31])));
}
inline auto adder(u32 amount) {
  return [amount](u32 value) { return value + amount; };
}
inline u32 returned_lambda(u32 x, Input in) {
  const auto add = adder(in[x & 31]);
  const auto addMore = adder(add(x));
  return addMore(add(1));
}
inline u32 mutable_lambda(u32 x, Input in) {
  auto next = [state = in[x & 31]]() mutable { return state = state * 1664525u + 1013904223u; };
  u32 sum = 0;
  for (u32 i = 0; i < 5; ++i)
    sum ^= next();
  return sum;
}
inline u32 lambda_captures_array(u32 x, Input in) {
  u32 values[6];
  for (u32 i = 0; i < 6; ++i)
    values[i] = in[i] + x;
  const auto at = [values](u32 i) { return values[i % 6]; };
  values[0] = 0;
  return at(x) * 3 + at(x + 1) + values[0];
}
template <class... F> inline u32 composed(u32 x, F... f) {
  ((x = f(x)), ...);
  return x;
}
inline u32 lambda_pack(u32 x, Input in) {
  return composed(
      x, [&](u32 v) { return v + in[v & 31]; }, [](u32 v) { return v * 3; },
      [=](u32 v) { return v ^ (x << 4); });
}
template <class... T> inline u32 sum_of(T... values) {
  return (static_cast<u32>(values) + ... + 0u);
}
inline u32 fold_expression(u32 x, Input in) {
  return sum_of(x, static_cast<u8>(in[x & 31]), static_cast<i64>(in[2]), 7, true);
}
template <class T>
concept HasArea = requires(T shape) { shape.area(); };
struct Square {
  u32 side;
  u32 area() const { return side * side; }
};
struct Segment {
  u32 length;
};
template <class T> inline u32 size_of(const T &shape) {
  if constexpr (HasArea<T>)
    return shape.area();
  else
    return shape.length;
}
inline u32 concepts(u32 x, Input in) {
  return size_of(Square{in[x & 31]}) * 3 + size_of(Segment{x});
}
template <class Shape> struct Scaled {
  u32 scaled(u32 by) const { return static_cast<const Shape *>(this)->size() * by; }
};
struct Pair : Scaled<Pair> {
  u32 a, b;
  Pair(u32 a, u32 b) : a(a), b(b) {}
  u32 size() const { return a + b; }
};
inline u32 static_polymorphism(u32 x, Input in) {
  return Pair(x, in[x & 31]).scaled(5);
}
template <u32 N> constexpr u32 factorial() {
  if constexpr (N == 0)
    return 1;
  else
    return N * factorial<N - 1>();
}
inline u32 template_recursion(u32 x, Input in) {
  return factorial<6>() * x + factorial<3>() + in[0];
}

// --- classes ------------------------------------------------------------------------------------

enum class Colour : u8 { red, green = 5, blue };
inline u32 enums(u32 x, Input in) {
  using enum Colour;
  const Colour colour = in[x & 31] % 3 == 0 ? red : in[x & 31] % 3 == 1 ? green : blue;
  switch (colour) {
  case red:
    return 1 + x;
  case green:
    return static_cast<u32>(colour) * 10;
  case blue:
    return static_cast<u32>(blue) + 100;
  }
  return 0;
}
struct Packed {
  u32 low : 5;
  u32 middle : 11;
  u32 high : 16;
  i32 level : 7;
};
inline u32 bit_fields(u32 x, Input in) {
  Packed packed{};
  packed.low = x;
  packed.middle = in[x & 31];
  packed.high = packed.low * packed.middle;
  packed.level = static_cast<i32>(x & 63) - 32;
  packed.middle += 3;
  return packed.low + packed.middle * 32 + packed.high * 7 + static_cast<u32>(packed.level) * 5;
}
struct Fraction {
  i32 top, bottom = 1;
  constexpr auto operator<=>(const Fraction &other) const {
    return top * other.bottom <=> other.top * bottom;
  }
  constexpr bool operator==(const Fraction &other) const = default;
  explicit operator bool() const { return top != 0; }
  Fraction operator-() const { return {-top, bottom}; }
};
inline u32 three_way(u32 x, Input in) {
  const Fraction a{static_cast<i32>(in[x & 31] & 15), 3}, b{static_cast<i32>(x & 7)};
  return u32(a < b) + u32(a >= b) * 2 + u32(a == b) * 4 + u32(bool(b)) * 8 + u32(-a < b) * 16;
}
class Counter {
public:
  explicit Counter(u32 start) : value(start) {}
  Counter &operator++() {
    value += step;
    return *this;
  }
  u32 operator[](u32 index) const { return value * index; }
  u32 operator()(u32 a, u32 b = 3) const { return value + a * b; }
  static constexpr u32 step = 7;

private:
  u32 value;
};
inline u32 class_operators(u32 x, Input in) {
  Counter counter(in[x & 31]);
  ++ ++counter;
  return counter[3] + counter(x) * 5 + counter(x, 1);
}
struct Guard {
  u32 &count;
  explicit Guard(u32 &count) : count(count) { count += 1; }
  ~Guard() { count *= 3; }
};
inline u32 destructors(u32 x, Input in) {
  u32 count = x;
  for (u32 i = 0; i < 6; ++i) {
    Guard guard(count);
    if (in[i] % 3 == x % 3)
      continue;
    if (in[i] % 7 == 0)
      break;
    count ^= in[i];
  }
  return count;
}
struct Engine {
  u32 power = 3;
};
struct Wheels {
  u32 number = 4;
  u16 size;
};
struct Car : Engine, Wheels {
  u32 seats = 5;
};
inline u32 multiple_bases(u32 x, Input in) {
  Car car;
  car.size = static_cast<u16>(in[x & 31]);
  Wheels &wheels = car;
  wheels.number += x;
  return car.power * 3 + car.number * 5 + car.size * 7u + car.seats;
}
struct Rational {
  u32 a, b, c;
};
inline u32 member_pointer(u32 x, Input in) {
  const Rational value{in[0], in[x & 31], x};
  u32 Rational::*const members[] = {&Rational::a, &Rational::b, &Rational::c};
  return value.*members[0] + value.*members[1] * 3 + value.*members[2] * 5;
}
inline u32 anonymous_union(u32 x, Input in) {
  struct {
    u32 kind;
    union {
      u32 number;
      u8 bytes[4];
      struct {
        u16 low, high;
      };
    };
  } value;
  value.kind = x & 3;
  value.number = in[x & 31] * 77777u;
  value.bytes[x & 3] ^= 0x5a;
  return value.kind + value.number * 3 + value.low * 5u + value.high * 7u;
}
inline u32 triple(u32 value) {
  return value * 3;
}
inline u32 quintuple(u32 value) {
  return value * 5;
}
inline u32 known_function_pointer(u32 x, Input in) {
  u32 (*const function)(u32) = triple;
  u32 (*const other)(u32) = quintuple;
  return function(x) + other(in[x & 31]);
}
inline u32 initialisers(u32 x, Input in) {
  u32 sum = 0;
  if (const u32 value = in[x & 31]; value > 500)
    sum += value;
  else
    sum += value * 2;
  switch (const u32 kind = x & 3; kind) {
  case 2:
    return sum + kind * 1000;
  default:
    return sum;
  }
}
inline u32 array_references(u32 x, Input in) {
  u32 rows[3][4];
  for (u32(&row)[4] : rows)
    for (u32 &cell : row)
      cell = in[x & 15] + static_cast<u32>(&cell - &row[0]);
  const u32(*row)[4] = &rows[x % 3];
  return (*row)[x & 3] * 3 + row[0][0];
}
inline u32 string_table(u32 x, Input in) {
  constexpr const char *hex = "0123456789abcdef";
  const char name[] = "khal";
  return static_cast<u32>(hex[in[x & 31] & 15]) * 256 + static_cast<u32>(name[x & 3]);
}
inline u32 static_table(u32 x, Input in) {
  static constexpr u16 squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
  return squares[in[x & 31] & 7] * 3u + squares[x & 7];
}
inline constexpr auto made = [] {
  std::array<u32, 16> table{};
  u32 value = 1;
  for (u32 &entry : table)
    entry = value = value * 3 + 1;
  return table;
}();
inline u32 computed_table(u32 x, Input in) {
  return made[in[x & 31] & 15] ^ made[x & 15];
}

// --- more classes ----------------------------------------------------------------------------------------

struct Base {
  u32 value;
  u32 twice() const { return value * 2; }
};
struct Derived : Base {
  u32 extra;
  Derived(u32 v, u32 e) : Base{v}, extra(e) {}
  u32 sum() const { return twice() + extra; }
};
inline u32 inheritance(u32 x, Input in) {
  Derived d(in[x & 31], x);
  Base &base = d;
  base.value += 1;
  return d.sum();
}

struct Complex {
  i32 re, im;
  friend Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  Complex &operator+=(Complex o) {
    re += o.re;
    im += o.im;
    return *this;
  }
};
inline u32 operators(u32 x, Input in) {
  Complex z{1, 0}, sum{0, 0};
  for (u32 i = 0; i < 6; ++i) {
    z = z * Complex{static_cast<i32>(in[i] & 3), static_cast<i32>(x & 3)};
    sum += z;
  }
  return static_cast<u32>(sum.re * 1001 + sum.im);
}

template <class F, u32 N> u32 fold(const u32 (&values)[N], u32 start, F f) {
  for (u32 value : values)
    start = f(start, value);
  return start;
}
inline u32 templates(u32 x, Input in) {
  const u32 values[5] = {in[0], in[x & 31], x, in[7], 3};
  return fold(values, x, [](u32 a, u32 b) { return a * 5 + b; }) +
         fold(values, 1u, [x](u32 a, u32 b) { return a ^ (b + x); });
}

struct Both {
  u32 quotient, rest;
};
inline Both divide(u32 a, u32 b) {
  return {a / b, a % b};
}
inline u32 structured_binding(u32 x, Input in) {
  auto [quotient, rest] = divide(in[x & 31] * 77, x + 3);
  return quotient * 1000 + rest;
}

} // namespace language

//===- library.hpp - the language table's C++: classes, lambdas, std:: algorithms -------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
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

// --- the standard library -----------------------------------------------------------------------

using Eight = std::array<u32, 8>;
inline Eight eight(u32 x, Input in) {
  Eight values;
  for (u32 i = 0; i < values.size(); ++i)
    values[i] = in[(x + i * 5) & 31] % 100;
  return values;
}
inline u32 digest(const Eight &values) {
  u32 sum = 0;
  for (const u32 value : values)
    sum = sum * 31 + value;
  return sum;
}

inline u32 std_array(u32 x, Input in) {
  Eight values = eight(x, in), other = values;
  other.fill(x);
  std::swap(values[0], values[7]);
  other.back() = values.front();
  return digest(values) + digest(other) + (values == other) + (values < other) * 3u;
}
inline u32 std_accumulate(u32 x, Input in) {
  const Eight values = eight(x, in);
  return std::accumulate(values.begin(), values.end(), x) +
         std::inner_product(values.begin(), values.end(), values.rbegin(), 0u);
}
inline u32 std_find(u32 x, Input in) {
  const Eight values = eight(x, in);
  const auto found = std::find_if(values.begin(), values.end(), [](u32 v) { return v > 60; });
  const auto *least = std::min_element(values.begin(), values.end());
  return static_cast<u32>(found - values.begin()) * 100 + static_cast<u32>(least - values.begin()) +
         static_cast<u32>(std::count(values.begin(), values.end(), values[x & 7])) * 1000;
}
inline u32 std_buffer_find(u32 x, Input in) {
  const u32 *found = std::find(in.begin(), in.end(), in[x & 63]);
  return static_cast<u32>(found - in.begin()) +
         static_cast<u32>(std::count_if(in.begin(), in.end(), [x](u32 v) { return v > x; })) * 100;
}
inline u32 std_search_sorted(u32 x, Input in) {
  Eight values;
  std::iota(values.begin(), values.end(), in[0]);
  const auto *place = std::lower_bound(values.begin(), values.end(), in[0] + x % 11);
  return static_cast<u32>(place - values.begin()) * 2 +
         std::binary_search(values.begin(), values.end(), in[0] + x % 11);
}
inline u32 std_reorder(u32 x, Input in) {
  Eight values = eight(x, in);
  std::reverse(values.begin(), values.begin() + 5);
  std::rotate(values.begin(), values.begin() + (x & 7), values.end());
  std::swap_ranges(values.begin(), values.begin() + 2, values.begin() + 4);
  return digest(values);
}
inline u32 std_transform(u32 x, Input in) {
  const Eight values = eight(x, in);
  Eight results;
  std::transform(values.begin(), values.end(), results.begin(), [x](u32 v) { return v * x; });
  std::for_each(results.begin(), results.end(), [](u32 &v) { v ^= 5; });
  std::copy(values.begin(), values.begin() + 3, results.begin() + 2);
  std::replace(results.begin(), results.end(), values[0], 7777u);
  std::partial_sum(results.begin(), results.end(), results.begin());
  return digest(results);
}
inline u32 std_remove(u32 x, Input in) {
  Eight values = eight(x, in);
  auto *end = std::remove_if(values.begin(), values.end(), [](u32 v) { return v % 3 == 0; });
  end = std::unique(values.begin(), end);
  return std::accumulate(values.begin(), end, static_cast<u32>(end - values.begin()));
}
inline u32 std_tests(u32 x, Input in) {
  const Eight values = eight(x, in);
  const auto isOdd = [](u32 v) { return (v & 1) != 0; };
  return std::any_of(values.begin(), values.end(), isOdd) +
         std::all_of(values.begin(), values.begin() + 2, isOdd) * 2u +
         std::is_sorted(values.begin(), values.begin() + 3) * 4u +
         std::equal(values.begin(), values.begin() + 2, values.begin() + 1) * 8u;
}
inline u32 insertion_sort(u32 x, Input in) {
  Eight values = eight(x, in);
  for (auto *at = values.begin(); at != values.end(); ++at)
    std::rotate(std::upper_bound(values.begin(), at, *at), at, at + 1);
  return digest(values);
}
inline u32 std_min_max(u32 x, Input in) {
  const u32 a = in[x & 31], b = in[(x + 1) & 31];
  const auto [low, high] = std::minmax(a, b);
  return std::min({a, b, x}) + std::max(a, x) * 3 + std::clamp(a, 100u, 500u) * 5 + low * 7 + high;
}
inline u32 std_bits(u32 x, Input in) {
  const u32 a = in[x & 31] << (x & 15);
  return static_cast<u32>(std::popcount(a) + std::countl_zero(a) * 100 +
                          std::countr_one(a) * 10000) +
         std::rotl(a, static_cast<int>(x & 31)) + std::bit_ceil(in[x & 31]) +
         std::has_single_bit(a) + std::bit_cast<u32>(static_cast<float>(a));
}
inline u32 std_numbers(u32 x, Input in) {
  return std::gcd(in[x & 31], x + 12) + std::lcm(x & 15, 12u) * 3 +
         std::midpoint(in[0], in[x & 31]) * 5 + std::numeric_limits<u16>::max() +
         static_cast<u32>(std::numeric_limits<i8>::min() < static_cast<i32>(x));
}
inline std::optional<u32> checked_half(u32 value) {
  if (value & 1)
    return std::nullopt;
  return value / 2;
}
inline u32 std_optional(u32 x, Input in) {
  const std::optional<u32> half = checked_half(in[x & 31]);
  std::optional<u32> other;
  if (half && *half > 100)
    other = *half - 100;
  return half.value_or(9999) + (other ? *other * 3 : 1u) + other.has_value();
}
inline u32 std_tuple(u32 x, Input in) {
  std::tuple<u32, u8, i64> values{x, static_cast<u8>(in[x & 31]), -static_cast<i64>(x)};
  auto &[a, b, c] = values;
  a += b;
  std::get<2>(values) *= 3;
  u32 first, second;
  std::tie(first, second) = std::pair(in[1], x * 2);
  return std::apply([](auto... each) { return (static_cast<u32>(each) + ...); }, values) +
         first * second;
}
inline u32 std_utility(u32 x, Input in) {
  u32 a = in[x & 31], b = x;
  const u32 old = std::exchange(a, b + 1);
  std::swap(a, b);
  const std::pair<u32, u32> low{a, b}, high{b, a};
  return old + a * 3 + b * 5 + (low < high) * 1000u;
}
inline u32 std_span(u32 x, Input in) {
  u32 values[8];
  for (u32 i = 0; i < 8; ++i)
    values[i] = in[i] + x;
  const std::span<u32> all(values);
  const std::span<u32> part = all.subspan(x & 3, 4);
  part.front() = 5;
  return std::accumulate(part.begin(), part.end(), 0u) * 3 + all.back() +
         static_cast<u32>(part.size());
}
inline u32 std_math(u32 x, Input in) {
  const float a = static_cast<float>(in[x & 31]) * 0.37f - 100.0f;
  const double b = static_cast<double>(x) * 1.1;
  return bit_cast<u32>(std::floor(a)) + bit_cast<u32>(std::fabs(a)) * 3 +
         bit_cast<u32>(std::sqrt(std::abs(a))) * 5 +
         static_cast<u32>(bit_cast<u64>(std::ceil(b)) >> 20) + static_cast<u32>(std::signbit(a)) +
         static_cast<u32>(std::abs(static_cast<i32>(x) - 50));
}

} // namespace language

//===- library.hpp - the language table's use of the standard library -------------------------===//
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

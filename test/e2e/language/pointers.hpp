//===- pointers.hpp - the language table's pointers and memory --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

#include <array>
#include <cstring>
#include <string_view>

namespace language {

using namespace khal;
using Input = span<const u32>;

// --- pointers -----------------------------------------------------------------------------------

inline u32 select_elements(u32 x, Input in) {
  const u32 *p = in[x & 31] > 500 ? &in[x & 15] : &in[32 + (x & 7)];
  return p[1] * 3 + *p;
}

inline u32 select_roots(u32 x, Input in) {
  u32 local[8];
  for (u32 i = 0; i < 8; ++i)
    local[i] = in[i] ^ x;
  const u32 *p = (in[x & 31] & 1) ? in.data() + (x & 15) : local + (x & 3);
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i)
    sum = sum * 7 + p[i];
  return sum;
}

inline u32 pointer_walk(u32 x, Input in) {
  u32 sum = x;
  for (const u32 *p = in.data() + (x & 31); *p != 0; ++p)
    sum = sum * 31 + *p;
  return sum;
}

inline u32 pointer_difference(u32 x, Input in) {
  const u32 *p = in.begin();
  while (p != in.end() && *p % 7 != x % 7)
    p += 2 - (*p & 1);
  return static_cast<u32>(p - in.begin());
}

inline u32 pointer_compare(u32 x, Input in) {
  const u32 *low = in.data() + (x & 15), *high = in.data() + 40;
  u32 steps = 0;
  while (low < high) {
    const u32 *middle = low + (high - low) / 2;
    if (*middle > 10 * (x & 63))
      high = middle;
    else
      low = middle + 1;
    ++steps;
  }
  return steps * 100 + static_cast<u32>(low - in.data());
}

inline const u32 *find(Input in, u32 value) {
  for (const u32 &element : in)
    if (element % 16 == value)
      return &element;
  return nullptr;
}
inline u32 pointer_null(u32 x, Input in) {
  const u32 *p = find(in, x % 32);
  return p ? *p : 12345u;
}

inline u32 iterators(u32 x, Input in) {
  u32 best = 0;
  for (u32 value : in.subspan(x & 31, 16))
    best = value > best ? value : best;
  return best;
}

inline u32 &larger(u32 &a, u32 &b) {
  return a < b ? b : a;
}
inline u32 reference_result(u32 x, Input in) {
  u32 a = in[x & 31], b = in[(x + 7) & 31];
  larger(a, b) -= 5;
  return a * 3 + b;
}

struct Window {
  const u32 *first;
  const u32 *last;
  u32 sum() const {
    u32 total = 0;
    for (const u32 *p = first; p != last; ++p)
      total += *p;
    return total;
  }
};
inline u32 pointer_in_struct(u32 x, Input in) {
  Window window{in.data() + (x & 7), in.data() + 8 + (x & 31)};
  if (x & 1)
    window.first += 1;
  return window.sum();
}

inline u32 lambda_reference(u32 x, Input in) {
  u32 count = 0;
  auto visit = [&](u32 i) {
    if (in[i] > 10 * x)
      ++count;
    return count;
  };
  u32 sum = 0;
  for (u32 i = 0; i < 20; ++i)
    sum += visit(i);
  return sum;
}

// --- local memory -------------------------------------------------------------------------------

inline u32 local_array(u32 x, Input in) {
  u32 bins[16] = {};
  for (u32 i = 0; i < 40; ++i)
    bins[(in[i] + x) & 15] += i;
  return bins[x & 15] * 1000 + bins[(x + 1) & 15];
}

inline u32 local_matrix(u32 x, Input in) {
  u32 m[4][4];
  for (u32 i = 0; i < 16; ++i)
    m[i / 4][i % 4] = in[(i + x) & 31];
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i)
    sum = sum * 3 + m[i][(i + x) & 3] + m[(x + i) & 3][i];
  return sum;
}

struct Mixed {
  u8 small;
  u16 medium;
  u32 number;
  u64 large;
};
inline u32 local_structs(u32 x, Input in) {
  Mixed items[6];
  for (u32 i = 0; i < 6; ++i)
    items[i] = {static_cast<u8>(in[i]), static_cast<u16>(in[i] * 50), in[i] + x,
                u64{in[i]} << (x & 31)};
  const Mixed &item = items[(x + in[0]) % 6];
  return item.small + item.medium * 3u + item.number * 5 + static_cast<u32>(item.large >> 16);
}

inline constexpr u16 primes[12] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
inline u32 constant_table(u32 x, Input in) {
  return primes[(in[x & 31] + x) % 12] * primes[x % 12];
}

struct Step {
  i32 dx, dy;
  u8 cost;
};
inline constexpr Step steps[4] = {{1, 0, 3}, {0, 1, 5}, {-1, 0, 7}, {0, -1, 250}};
inline u32 struct_table(u32 x, Input in) {
  i32 px = 0, py = 0;
  u32 cost = 0;
  for (u32 i = 0; i < 12; ++i) {
    const Step &step = steps[(in[i] + x) & 3];
    px += step.dx;
    py += step.dy;
    cost += step.cost;
  }
  return static_cast<u32>(px * 1000 + py * 10) + cost;
}

struct Block {
  u32 words[12];
};
inline u32 struct_copy(u32 x, Input in) {
  Block blocks[3];
  for (u32 i = 0; i < 36; ++i)
    blocks[i / 12].words[i % 12] = in[i];
  blocks[x % 3] = blocks[(x + 1) % 3];
  Block last = blocks[2];
  last.words[x % 12] += 1;
  return last.words[(x * 5) % 12] + blocks[0].words[3];
}

inline u32 byte_view(u32 x, Input in) {
  const u8 *bytes = reinterpret_cast<const u8 *>(in.data());
  u32 words[4] = {x, x + 1, x + 2, x + 3};
  u8 *own = reinterpret_cast<u8 *>(words);
  own[(x * 3) & 15] ^= bytes[(x * 4 + 1) & 127];
  return words[0] + words[1] * 3 + words[2] * 5 + words[3] * 7 + bytes[x & 63];
}

/// Vectors, pairs and single elements of the same memory.
inline u32 wide_views(u32 x, Input in) {
  const uint4 four = reinterpret_cast<const uint4 *>(in.data())[x & 15];
  const uint2 two = reinterpret_cast<const uint2 *>(in.data())[(x * 5) & 31];
  const ulong2 pair = reinterpret_cast<const ulong2 *>(in.data())[(x * 3) & 15];
  const uint3 three = reinterpret_cast<const uint4 *>(in.data())[(x * 7) & 15].zyx();
  return four.x + 3 * four.y + 5 * four.z + 7 * four.w + 11 * two.x + 13 * two.y + in[x & 63] +
         static_cast<u32>(pair.x * 17 + (pair.y >> 32)) + 19 * three.x + 23 * three.z;
}

inline u32 narrow_vectors(u32 x, Input in) {
  const uchar4 bytes = reinterpret_cast<const uchar4 *>(in.data())[x & 63];
  const ushort4 halves = reinterpret_cast<const ushort4 *>(in.data())[(x * 3) & 31];
  const char4 negative{static_cast<i8>(bytes.x ^ 128), static_cast<i8>(bytes.y), static_cast<i8>(x),
                       static_cast<i8>(x * 3)};
  char4 own[4] = {negative, negative, negative, negative};
  own[x & 3] = {1, -2, 3, -4};
  const char4 chosen = own[(x >> 1) & 3];
  return bytes.x + 3u * bytes.y + 5u * bytes.z + 7u * bytes.w + 11u * halves.x + 13u * halves.w +
         static_cast<u32>(chosen.x * 17 + chosen.y * 19 + chosen.z * 23 + chosen.w * 29);
}

inline constexpr float4 wide_table[4] = {
    {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};

inline u32 wide_locals(u32 x, Input in) {
  float4 own[4];
  for (u32 i = 0; i < 4; ++i)
    own[i] = wide_table[(x + i) & 3];
  own[in[x & 31] & 3].y = static_cast<float>(x & 255);
  const float4 sum = own[x & 3] + own[(x >> 2) & 3];
  return static_cast<u32>(sum.x + 2 * sum.y + 4 * sum.z + 8 * sum.w);
}

inline u32 wide_roots(u32 x, Input in) {
  uint4 own[2] = {{x, 1, 2, 3}, {4, 5, x, 7}};
  const uint4 *p = (in[x & 31] & 1) ? reinterpret_cast<const uint4 *>(in.data()) + (x & 7) : own;
  const uint4 value = p[x & 1];
  return value.x + 3 * value.y + 5 * value.z + 7 * value.w;
}

inline u32 union_bits(u32 x, Input in) {
  union {
    float f;
    u32 bits;
  } value;
  value.f = static_cast<float>(in[x & 31]) + 0.5f;
  return value.bits ^ x;
}

inline u32 swap_arrays(u32 x, Input in) {
  u32 first[8], second[8];
  for (u32 i = 0; i < 8; ++i) {
    first[i] = in[i];
    second[i] = 0;
  }
  u32 *from = first, *to = second;
  for (u32 round = 0; round < (x & 3) + 1; ++round) {
    for (u32 i = 0; i < 8; ++i)
      to[i] = from[(i + 1) & 7] + from[i];
    u32 *other = from;
    from = to;
    to = other;
  }
  return from[x & 7];
}

// --- C's functions over bytes --------------------------------------------------------------------

inline u32 compare_bytes(u32 x, Input in) {
  std::array<u32, 7> a{}, b{};
  for (u32 i = 0; i < 7; ++i) {
    a[i] = in[(x + i) & 31];
    b[i] = x & 1 ? a[i] : in[(x + i) & 63];
  }
  const int order = std::memcmp(a.data(), &in[x & 31], sizeof(a));
  const int part = std::memcmp(&in[x & 15], &in[(x + 3) & 15], x & 31);
  return (a == b) + 2 * std::equal(a.begin(), a.begin() + 3, b.begin()) + 4 * (order == 0) +
         8 * (part < 0) + 16 * (part > 0);
}

inline u32 search_bytes(u32 x, Input in) {
  constexpr std::string_view text = "sphinx of black quartz, judge my vow";
  const std::size_t found = text.find(static_cast<char>('a' + x % 26), in[x & 63] % 40);
  return static_cast<u32>(found == text.npos ? 99 : found);
}

// --- pointers in memory --------------------------------------------------------------------------

inline constexpr u32 evens[4] = {2, 4, 6, 8};
inline constexpr u32 odds[6] = {1, 3, 5, 7, 9, 11};
struct Sequence {
  const u32 *first;
  u32 count;
};
inline constexpr Sequence sequences[2] = {{evens, 4}, {odds, 6}};
inline u32 table_of_pointers(u32 x, Input in) {
  const Sequence &sequence = sequences[in[x & 31] & 1];
  u32 sum = 0;
  for (u32 i = 0; i < sequence.count; ++i)
    sum = sum * 3 + sequence.first[i];
  return sum + x;
}
inline u32 array_of_pointers(u32 x, Input in) {
  u32 a = in[0] + x, b = in[1], c = in[2];
  u32 *const cells[4] = {&a, &b, &c, &a};
  for (u32 i = 0; i < 6; ++i)
    *cells[(i + x) & 3] += i;
  return a * 3 + b * 5 + c * 7;
}

} // namespace language

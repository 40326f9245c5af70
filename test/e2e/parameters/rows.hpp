//===- rows.hpp - what each row of the parameter table computes, for devices and the host --===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each row is a function of the work-item's number and the parameters as a kernel has them.
//
//===---------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

#include <array>

namespace rows {

using namespace khal;
using Input = span<const u32>;

// --- pointers and references --------------------------------------------------------------------

inline u32 raw_pointers(u32 i, const u32 *a, const u16 *b, u32 count) {
  const u32 *end = a + count;
  u32 sum = 0;
  for (const u32 *p = a + i % 16; p < end; p += 7)
    sum = sum * 3 + *p + b[i % 8];
  return sum;
}

struct Settings {
  u32 scale;
  i16 bias[2];
};
inline u32 references(u32 i, const Settings &settings, const u32 &offset) {
  return settings.scale * i + static_cast<u32>(settings.bias[i & 1]) + offset;
}

// --- structs that hold spans and pointers ---------------------------------------------------------

struct Plane {
  Input cells;
  u16 width;
};
struct Image {
  Plane planes[2];
  const u8 *mask;
  u64 key;
};
inline u32 nested_structs(u32 i, Image image) {
  const Plane &plane = image.planes[i & 1];
  return plane.cells[i % plane.cells.size()] * plane.width + image.mask[i % 4] +
         static_cast<u32>(image.key >> (i % 40));
}

struct Base {
  Input low;
  u8 shift;
};
struct Derived : Base {
  const u32 *high;
  bool flip;
  u32 at(u32 i) const { return (flip ? high[i % 8] : low[i % low.size()]) >> shift; }
};
inline u32 derived(u32 i, Derived view) {
  view.flip = view.flip != (i % 3 == 0);
  return view.at(i);
}

struct Layer {
  Input cells;
  u32 scale;
};
/// Members that hide those of the base.
struct Detail : Layer {
  u32 scale;
  const u32 *cells;
};
inline u32 hidden_members(u32 i, Detail detail) {
  return detail.Layer::cells[i % detail.Layer::cells.size()] * detail.Layer::scale +
         detail.cells[i % 8] * detail.scale;
}

inline u32 array_of_spans(u32 i, std::array<Input, 3> views) {
  u32 sum = 0;
  for (u32 k = 0; k < 8; ++k) {
    const Input view = views[(i + k) % 3];
    sum = sum * 5 + view[(i * k) % view.size()] + view.size();
  }
  return sum;
}

struct Cursor {
  const u32 *at;
  u32 left;
  u32 next() { return left ? (--left, *at++) : 0; }
};
struct Merge {
  Input sources[3];
};
inline u32 advance(Cursor *cursors, u32 count) {
  u32 best = 0;
  for (u32 c = 1; c < count; ++c)
    if (cursors[c].left > cursors[best].left)
      best = c;
  return cursors[best].next();
}
/// Cursors in a local array, whose address a helper takes.
inline u32 local_cursors(u32 i, Merge merge) {
  Cursor cursors[3];
  for (u32 c = 0; c < 3; ++c)
    cursors[c] = {merge.sources[c].data() + i % 4, (i + c * 3) % 9};
  u32 sum = 0;
  for (u32 step = 0; step < 12; ++step)
    sum = sum * 7 + advance(cursors, 3);
  return sum;
}

struct Node {
  const Node *next;
  const u32 *value;
};
/// A list in local memory of pointers into a buffer and back into the list.
inline u32 local_list(u32 i, Input in) {
  Node nodes[8];
  for (u32 k = 0; k < 8; ++k)
    nodes[k] = {k == i % 8 ? nullptr : &nodes[(k * 3 + 1) % 8], &in[(i + k) % in.size()]};
  u32 sum = 0, steps = 0;
  for (const Node *node = &nodes[i % 5]; node && steps < 20; node = node->next, ++steps)
    sum = sum * 3 + *node->value;
  return sum + steps;
}

inline void exchange(const u32 **a, const u32 **b) {
  const u32 *kept = *a;
  *a = *b;
  *b = kept;
}
/// Pointers to pointers, into a buffer and into a local.
inline u32 pointers_to_pointers(u32 i, Input a, Input b) {
  u32 local[4] = {i, i + 1, i + 2, i + 3};
  const u32 *ways[3] = {&a[i % a.size()], &b[i % 7], local + i % 4};
  for (u32 k = 0; k < 5; ++k)
    exchange(&ways[(i + k) % 3], &ways[(i * k) % 3]);
  return *ways[0] * 5 + *ways[1] * 3 + *ways[2];
}

constexpr u32 small[3] = {2, 3, 5}, large[4] = {100, 200, 300, 400};
constexpr const u32 *tables[4] = {small, large + 1, nullptr, small + 2};
struct Entry {
  u8 kind;
  const u32 *first;
  u16 count;
};
constexpr Entry entries[3] = {{1, small, 3}, {2, large, 4}, {3, large + 2, 2}};
/// Tables of pointers to tables.
inline u32 pointer_tables(u32 i, Input in) {
  const u32 *table = tables[in[i % 16] % 4];
  const Entry &entry = entries[i % 3];
  return (table ? *table : 7u) + entry.first[i % entry.count] * entry.kind;
}

/// Spans copied as bytes.
inline u32 copied_spans(u32 i, Input a, Input b) {
  Input kept[4];
  for (u32 k = 0; k < 4; ++k)
    kept[k] = (i + k) % 3 ? a.subspan(k, 4) : b.last(5);
  Input moved[4];
  __builtin_memcpy(moved, kept + i % 2, sizeof(Input) * 2);
  moved[2] = moved[i % 2];
  return moved[2][i % 4] + moved[i % 3].size();
}

// --- values --------------------------------------------------------------------------------------

enum class Mode : u8 { add, multiply = 5 };

inline u32 narrow_values(u32 i, u8 a, i8 b, u16 c, i16 d, bool e, char f) {
  return i * a + static_cast<u32>(b) + (c ^ static_cast<u32>(d)) + (e ? 1000 : 0) +
         static_cast<u32>(f);
}
inline u32 wide_values(u32 i, u64 a, i64 b, double c) {
  const u64 mixed = a * i + static_cast<u64>(b / static_cast<i64>(i + 1));
  return static_cast<u32>(mixed >> 32) ^ static_cast<u32>(mixed) ^ static_cast<u32>(c * i);
}
struct Grid {
  i16 cells[2][3];
  u8 bytes[5];
  bool flags[3];
  u64 words[2][2];
  float3 place;
  Mode mode;
};
inline u32 nested_arrays(u32 i, Grid grid) {
  const u32 sum = static_cast<u32>(grid.cells[i % 2][i % 3]) + grid.bytes[i % 5] +
                  (grid.flags[i % 3] ? 100 : 0) + static_cast<u32>(grid.words[i & 1][i >> 1 & 1]) +
                  static_cast<u32>(grid.place[static_cast<int>(i % 3)]);
  return grid.mode == Mode::multiply ? sum * 3 : sum;
}
/// Small enough for push constants, which can't be indexed by each work-item apart.
struct Lookups {
  u64 values[4];
  u8 order[8];
};
inline u32 lookups(u32 i, Lookups tables) {
  const u64 value = tables.values[tables.order[tables.order[i % 8] % 8] % 4];
  return static_cast<u32>(value ^ value >> 32) + i;
}

struct Large {
  u32 numbers[1000];
  u8 tail[60];
};
inline u32 large_block(u32 i, const Large &block) {
  return block.numbers[i % 1000] + block.tail[i % 60];
}

// --- function objects ----------------------------------------------------------------------------

template <class F> u32 apply(u32 i, const F &f) {
  return f(i) * 3 + f(i / 2);
}

struct Affine {
  u32 scale;
  u16 bias;
  u32 operator()(u32 x) const { return x * scale + bias; }
};
/// A function object that looks things up.
struct Lookup {
  Input table;
  const u8 *steps;
  u32 operator()(u32 x) const { return table[x % table.size()] + steps[x % 4]; }
};

inline constexpr auto square = [](u32 x) { return x * x; };
inline auto scaled(u32 factor, u8 shift) {
  return [factor, shift](u32 x) { return x * factor >> shift; };
}
inline auto looked_up(Input table, const u32 *second, u32 bias) {
  return [table, second, offset = bias + 1](u32 x) {
    return table[x % table.size()] * second[x % 8] + offset;
  };
}
/// A closure that has another among its captures.
template <class F> auto twice(F f) {
  return [f, again = u32{2}](u32 x) { return f(f(x)) + again; };
}

/// A closure that has several captures of one name, of a pack.
template <class... T> auto summed(T... part) {
  return [part..., bias = u32{9}](u32 x) { return ((x * bias) + ... + static_cast<u32>(part)); };
}

} // namespace rows

//===- forms.cpp - a kernel for each form that a parameter can take ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FormsTest.cpp launches each with values that it then finds in the results.
//
//===---------------------------------------------------------------------------------------------===//

#include "shapes.hpp"

#include <khal/kernel.hpp>

using namespace khal;

namespace forms {

struct Pair {
  u8 first;
  double second;
};

struct alignas(16) Aligned {
  float value;
  u16 tail;
};

struct Mixed {
  bool flag;
  Pair pair;
  float3 place;
  i16 table[2][3];
  float4 colour;
};

union Word {
  u32 bits;
  float number;
};

struct Base {
  u32 low;
};
struct Derived : Base {
  u32 high;
};

template <class T, u32 N> struct Row {
  T cells[N];
};

/// Buffers in a struct, at some depth.
struct Plane {
  span<const float> cells;
  u32 width;
};
struct View {
  Plane planes[2];
  float scale;
  u32 &written;
  i32 *raw;
};
template <class T> struct Handle {
  span<T> values;
  T bias;
};
struct Tally {
  span<u32> cells;
  u32 step;

  [[khal::kernel(1)]] static void count(Tally tally) { tally.cells[0] += tally.step; }
};

enum class Mode : u32 { add = 3, subtract = 5 };

[[khal::kernel(1)]] void spans(span<float> a, span<const double> b, span<u32> seen) {
  seen[0] = a.size();
  seen[1] = b.size();
  a[a.size() - 1] = static_cast<float>(b[0]);
}

[[khal::kernel(1)]] void references(u32 &total, const float3 &place, span<float> seen) {
  total += 1;
  seen[0] = place.z;
}

[[khal::kernel(1)]] void pointers(const i32 *in, i32 *out) {
  out[1] = in[2];
}

[[khal::kernel(1)]] void values(u8 small, double big, bool flag, float3 place, Mode mode,
                                span<double> seen) {
  seen[0] = small;
  seen[1] = big;
  seen[2] = flag;
  seen[3] = place.x;
  seen[4] = place.z;
  seen[5] = static_cast<u32>(mode);
}

[[khal::kernel(1)]] void structs(Mixed mixed, Aligned aligned, Word word, Derived derived,
                                 Row<i16, 3> row, span<double> seen) {
  seen[0] = mixed.flag;
  seen[1] = mixed.pair.first;
  seen[2] = mixed.pair.second;
  seen[3] = mixed.place.y;
  seen[4] = mixed.table[1][2];
  seen[5] = mixed.colour.w;
  seen[6] = aligned.value;
  seen[7] = aligned.tail;
  seen[8] = word.number;
  seen[9] = derived.low;
  seen[10] = derived.high;
  seen[11] = row.cells[2];
}

[[khal::kernel(1)]] void elements(span<const Mixed> mixed, span<shapes::Sphere> spheres,
                                  span<double> seen) {
  seen[0] = mixed[1].pair.second;
  seen[1] = spheres[1].diameter();
  seen[2] = spheres[1].weight.value();
  spheres[0] = spheres[1];
}

[[khal::kernel(1)]] void view(View view, span<float> seen) {
  seen[0] = view.planes[0].cells[0];
  seen[1] = view.planes[1].cells[1];
  seen[2] = static_cast<float>(view.planes[1].cells.size());
  seen[3] = static_cast<float>(view.planes[0].width);
  seen[4] = static_cast<float>(view.planes[1].width);
  seen[5] = view.scale;
  view.written = 77;
  view.raw[2] = -5;
}

[[khal::kernel(1)]] void handle(Handle<i32> handle) {
  handle.values[0] += handle.bias;
}

/// The buffers may be one and the same.
[[khal::may_alias]] [[khal::kernel(1)]] void aliased(span<const u32> in, span<u32> out) {
  out[0] = 5;
  out[1] = in[0] + 1; // 6 when they are
}

[[khal::kernel(4)]] void tiled(shared_span<u32> tile, span<u32> seen) {
  tile[local_id().x] = local_id().x;
  barrier();
  seen[local_id().x] = tile[3 - local_id().x] + tile.size();
}

/// The names that a stub would use itself.
[[khal::kernel(1)]] void names(span<u32> stream, u32 grid, u32 block, span<u32> buffers) {
  stream[0] = grid;
  buffers[0] = block;
}

struct Tools {
  [[khal::kernel(1)]] static void set(span<u32> seen, u32 value) { seen[0] = value; }
};

[[khal::kernel(1)]] void overloaded(span<u32> seen) {
  seen[0] = 32;
}
[[khal::kernel(1)]] void overloaded(span<double> seen) {
  seen[0] = 64;
}

struct Twice {
  static constexpr u32 factor = 2;
};

template <class T, u32 N, class Factor, bool Negate>
[[khal::kernel(1)]] void instance(span<T> seen, T value) {
  if (global_index() == 0)
    seen[0] = static_cast<T>(Factor::factor * N) + (Negate ? -value : value);
}
template void instance<float, 1, Twice, false>(span<float>, float);
template void instance<i32, 1, Twice, true>(span<i32>, i32);
template void instance<i32, 4, Twice, true>(span<i32>, i32);

} // namespace forms

[[khal::kernel(1)]] void nothing() {}

//===- kernels.cpp - each row of the parameter table as a kernel ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "rows.hpp"

using namespace khal;

namespace table {

using Input = span<const u32>;
using Output = span<u32>;

/// Each work-item's result, of rows::name for the arguments.
#define KHAL_RESULT(name, ...)                                                                     \
  const u32 i = global_index();                                                                    \
  if (i < out.size())                                                                              \
  out[i] = rows::name(i, __VA_ARGS__)

[[khal::kernel(64)]] void raw_pointers(const u32 *a, const u16 *b, u32 count, Output out) {
  KHAL_RESULT(raw_pointers, a, b, count);
}
[[khal::kernel(64)]] void references(const rows::Settings &settings, const u32 &offset,
                                     Output out) {
  KHAL_RESULT(references, settings, offset);
}
[[khal::kernel(64)]] void nested_structs(rows::Image image, Output out) {
  KHAL_RESULT(nested_structs, image);
}
[[khal::kernel(64)]] void derived(rows::Derived view, Output out) {
  KHAL_RESULT(derived, view);
}
[[khal::kernel(64)]] void hidden_members(rows::Detail detail, Output out) {
  KHAL_RESULT(hidden_members, detail);
}
[[khal::kernel(64)]] void array_of_spans(std::array<Input, 3> views, Output out) {
  KHAL_RESULT(array_of_spans, views);
}
[[khal::kernel(64)]] void local_cursors(rows::Merge merge, Output out) {
  KHAL_RESULT(local_cursors, merge);
}
[[khal::kernel(64)]] void local_list(Input in, Output out) {
  KHAL_RESULT(local_list, in);
}
[[khal::kernel(64)]] void pointers_to_pointers(Input a, Input b, Output out) {
  KHAL_RESULT(pointers_to_pointers, a, b);
}
[[khal::kernel(64)]] void pointer_tables(Input in, Output out) {
  KHAL_RESULT(pointer_tables, in);
}
[[khal::kernel(64)]] void copied_spans(Input a, Input b, Output out) {
  KHAL_RESULT(copied_spans, a, b);
}
[[khal::kernel(64)]] void narrow_values(u8 a, i8 b, u16 c, i16 d, bool e, char f, Output out) {
  KHAL_RESULT(narrow_values, a, b, c, d, e, f);
}
[[khal::kernel(64)]] void wide_values(u64 a, i64 b, double c, Output out) {
  KHAL_RESULT(wide_values, a, b, c);
}
[[khal::kernel(64)]] void nested_arrays(rows::Grid grid, Output out) {
  KHAL_RESULT(nested_arrays, grid);
}
[[khal::kernel(64)]] void lookups(rows::Lookups tables, Output out) {
  KHAL_RESULT(lookups, tables);
}
[[khal::kernel(64)]] void large_block(rows::Large block, Output out) {
  KHAL_RESULT(large_block, block);
}

// Each function object's type is named by an instantiation.
template <class F> [[khal::kernel(64)]] void apply(F f, Output out) {
  KHAL_RESULT(apply, f);
}
using Scaled = decltype(rows::scaled(0, 0));
using Summed = decltype(rows::summed(u8{}, u64{}, i16{}));
using LookedUp = decltype(rows::looked_up({}, nullptr, 0));
template void apply(rows::Affine, Output);
template void apply(rows::Lookup, Output);
template void apply(decltype(rows::square), Output);
template void apply(Scaled, Output);
template void apply(LookedUp, Output);
template void apply(Summed, Output);
template void apply(decltype(rows::twice(rows::scaled(0, 0))), Output);

/// A struct and an enumeration that the kernel file has to itself.
enum class Way : u16 { up = 1, down = 0xfffe };
class Walk {
public:
  struct Step {
    Way way;
    u8 size;
  };
  [[khal::kernel(64)]] static void run(Step step, Output out) {
    const u32 i = global_index();
    if (i < out.size())
      out[i] = step.way == Way::up ? i + step.size : i - step.size;
  }
};

/// Reverses each group's piece through work-group memory.
[[khal::kernel(64)]] void reversed(Input in, shared_span<u32> piece, Output out) {
  const u32 l = local_id().x, i = global_index();
  for (u32 k = l; k < piece.size(); k += group_size().x)
    piece[k] = in[(group_id().x * piece.size() + k) % in.size()];
  barrier();
  if (i < out.size())
    out[i] = piece[piece.size() - 1 - i % piece.size()];
}

struct Wide {
  u16 key;
  u8 low, high;
  u32 value;
};
struct Scratch {
  shared_span<u8> bytes;
  u32 factor;
  shared_span<Wide> wide;
};
/// Several shared spans, of odd lengths and sizes, beside a variable of the kernel's own.
[[khal::kernel(64)]] void several_shared(shared_span<u16> halves, Scratch scratch, u32 bias,
                                         Output out) {
  [[khal::shared]] u32 own[64];
  const u32 l = local_id().x, i = global_index();
  own[l] = i;
  if (l < halves.size())
    halves[l] = static_cast<u16>(i * 3);
  if (l < scratch.bytes.size())
    scratch.bytes[l] = static_cast<u8>(i * 5);
  if (l < scratch.wide.size())
    scratch.wide[l] = {static_cast<u16>(i), 1, static_cast<u8>(l), i * scratch.factor};
  barrier();
  span<Wide> wide = scratch.wide;
  if (i < out.size())
    out[i] = own[63 - l] + halves[l % halves.size()] + scratch.bytes[l % scratch.bytes.size()] +
             (wide.empty() ? 0 : wide[l % wide.size()].value + wide.back().high) + bias;
}

/// Pointers in work-group memory: each work-item follows another's.
[[khal::kernel(64)]] void shared_pointers(Input a, Input b, Output out) {
  [[khal::shared]] const u32 *slots[64];
  const u32 i = global_index(), l = local_id().x;
  slots[l] = l % 3 ? &a[i % a.size()] : &b[i % b.size()];
  barrier();
  if (i < out.size())
    out[i] = *slots[63 - l];
}

/// Overlapping slices of one buffer; every work-item has elements of its own.
[[khal::may_alias]] [[khal::kernel(64)]] void overlapping(span<u32> low, span<u32> high) {
  const u32 i = global_index();
  if (i % 4 != 0 || i + 1 >= low.size())
    return;
  low[i + 1] = 3; // is high[i]
  high[i] += 5;   // is low[i + 1]
  low[i + 1] *= 2;
}

} // namespace table

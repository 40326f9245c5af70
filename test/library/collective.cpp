//===- collective.cpp - subgroup and group operations on the device ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "cells.hpp"

namespace library {

/// Every SUBGROUP row that takes a T, and every MOVE row.
template <class T> void subgroup_cells(T a, u32 n, Cell *out) {
#define SUBGROUP(name, Kind, ...)                                                                  \
  if constexpr (Kind<T>) {                                                                         \
    out[over_##name] = cell(subgroup_##name(a));                                                   \
    out[inclusive_##name] = cell(subgroup_inclusive_##name(a));                                    \
    out[exclusive_##name] = cell(subgroup_exclusive_##name(a));                                    \
  }
#define MOVE(name, call, ...) out[move_##name] = cell(call);
#include "grid.def"
}

/// `chosen` has a bit for each residue of the local index modulo 8: only those work-items take part.
template <class T>
[[khal::kernel(100)]] void subgroups(span<const T> in, span<Cell> out, span<Place> places,
                                     u32 chosen) {
  const u32 i = global_index();
  places[i] = {subgroup_id(), subgroup_lane(), subgroup_size(), 0};
  if (chosen >> local_index() % 8 & 1) {
    places[i].took_part = 1;
    subgroup_cells(in[i], 1u, &out[i * subgroup_rows]);
  }
}
#define TYPE(T, name) template void subgroups<T>(span<const T>, span<Cell>, span<Place>, u32);
#include "types.def"

/// Votes, in one word each: any, all, elect, count, ballot.
[[khal::kernel(64)]] void votes(span<const u32> in, span<u32> out, span<Place> places) {
  const u32 i = global_index();
  places[i] = {subgroup_id(), subgroup_lane(), subgroup_size(), 1};
  const bool odd = in[i] & 1;
  u32 *mine = &out[i * 8];
  mine[0] = subgroup_any(odd);
  mine[1] = subgroup_all(odd);
  mine[2] = subgroup_elect();
  mine[3] = subgroup_count(odd);
  const uint4 ballot = subgroup_ballot(odd);
  mine[4] = ballot.x;
  mine[5] = ballot.y;
  mine[6] = ballot.z;
  mine[7] = ballot.w;
}

/// Subgroup operations on vectors work by component.
[[khal::kernel(64)]] void subgroup_vectors(span<const uint3> in, span<uint3> out) {
  const u32 i = global_index();
  const uint3 a = subgroup_add(in[i]), b = subgroup_shuffle_xor(in[i], 0);
  out[i] =
      uint3(u32(a.x == subgroup_add(in[i].x)),
            u32(a.yz() == uint2(subgroup_add(in[i].y), subgroup_add(in[i].z))), u32(b == in[i]));
}

/// Every GROUP row that takes a T.
template <class T> void group_cells(T a, Cell *out) {
#define GROUP(name, Kind, ...)                                                                     \
  if constexpr (Kind<T>) {                                                                         \
    out[all_##name] = cell(group_##name(a));                                                       \
    out[up_to_##name] = cell(group_inclusive_##name(a));                                           \
    out[before_##name] = cell(group_exclusive_##name(a));                                          \
  }
#include "grid.def"
}

template <class T> [[khal::kernel(100)]] void groups(span<const T> in, span<Cell> out) {
  group_cells(in[global_index()], &out[global_index() * group_rows]);
}
#define TYPE(T, name) template void groups<T>(span<const T>, span<Cell>);
#include "types.def"

/// Groups of other sizes: sums, scans, votes, a broadcast.
#define GROUP_SIZE(name, ...)                                                                      \
  [[khal::kernel(__VA_ARGS__)]] void name(span<const float> in, span<float> out) {                 \
    const u32 i = local_index() + group_index() * detail::group_items();                           \
    float *mine = &out[i * 8];                                                                     \
    mine[0] = group_add(in[i]);                                                                    \
    mine[1] = group_inclusive_add(in[i]);                                                          \
    mine[2] = group_exclusive_max(in[i]);                                                          \
    mine[3] = group_any(in[i] > 99.0f);                                                            \
    mine[4] = group_all(in[i] > -99.0f);                                                           \
    mine[5] = static_cast<float>(group_count(in[i] > 0.0f));                                       \
    mine[6] = group_broadcast(in[i], detail::group_items() - 1);                                   \
    const float2 both = group_add(float2(in[i], 1.0f));                                            \
    mine[7] = both.x == mine[0] ? both.y : -1.0f;                                                  \
  }
#include "sizes.def"

} // namespace library

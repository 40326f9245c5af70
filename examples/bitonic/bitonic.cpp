//===- bitonic.cpp - a bitonic sort of any number of keys, of any type and order --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network with mirrored first steps, in which every comparison puts the key that belongs
// before at the lower place. Places beyond the last key then count as holding keys that belong
// behind all others, and comparisons with them do nothing, so the number of keys need not be a
// power of two.
//
//   runs of 2 -> 4 -> 8 ...: a merge compares i with its mirror image in the run, then halves the
//   distance until it is 1
//
//===---------------------------------------------------------------------------------------------===//

#include "order.hpp"

#include <khal/kernel.hpp>

using namespace khal;

namespace {

/// The lower place of comparison number `i` at a distance, a power of two.
u32 lower_place(u32 i, u32 distance) {
  return 2 * i - (i & (distance - 1));
}

/// The place that `low` is compared with in the first step of a merge to runs of `run` keys.
u32 mirrored(u32 low, u32 run) {
  return low ^ (run - 1);
}

template <class Key, class Order> void compare(Key &low, Key &high) {
  if (Order::before(high, low)) {
    const Key key = low;
    low = high;
    high = key;
  }
}

/// A work-group's part of the keys in its own memory.
template <class Key> struct Tile {
  Key *keys;
  u32 begin; ///< where it lies in the buffer
  u32 count; ///< keys that are there, at most bitonic_tile

  void load(span<const Key> from) const {
    for (u32 i = local_index(); i < count; i += bitonic_tile / 2)
      keys[i] = from[begin + i];
    barrier();
  }
  void store(span<Key> to) const {
    for (u32 i = local_index(); i < count; i += bitonic_tile / 2)
      to[begin + i] = keys[i];
  }
  template <class Order> void step(u32 low, u32 high) const {
    if (high < count)
      compare<Key, Order>(keys[low], keys[high]);
    barrier();
  }
  /// The steps of a merge at `distance` and below.
  template <class Order> void halve(u32 distance) const {
    for (; distance > 0; distance /= 2) {
      const u32 low = lower_place(local_index(), distance);
      step<Order>(low, low + distance);
    }
  }
};

template <class Key> Tile<Key> own_tile(Key *keys, u32 size) {
  const u32 begin = group_index() * bitonic_tile;
  return {keys, begin, begin < size ? min(bitonic_tile, size - begin) : 0};
}

} // namespace

/// Sorts each tile of keys.
template <class Key, class Order>
[[khal::kernel(bitonic_tile / 2)]] void sort_tiles(span<Key> keys) {
  [[khal::shared]] Key memory[bitonic_tile];
  const Tile<Key> tile = own_tile(memory, keys.size());
  tile.load(keys);
  for (u32 run = 2; run <= bitonic_tile; run *= 2) {
    const u32 low = lower_place(local_index(), run / 2);
    tile.template step<Order>(low, mirrored(low, run));
    tile.template halve<Order>(run / 4);
  }
  tile.store(keys);
}

/// One step of a merge over the whole buffer: the first, mirrored one when `distance` is half of
/// the run.
template <class Key, class Order>
[[khal::kernel(256)]] void merge_step(span<Key> keys, u32 run, u32 distance) {
  const u32 low = lower_place(global_index(), distance);
  const u32 high = distance == run / 2 ? mirrored(low, run) : low + distance;
  if (high < keys.size())
    compare<Key, Order>(keys[low], keys[high]);
}

/// The steps of a merge whose distances fit into a tile.
template <class Key, class Order>
[[khal::kernel(bitonic_tile / 2)]] void merge_tiles(span<Key> keys) {
  [[khal::shared]] Key memory[bitonic_tile];
  const Tile<Key> tile = own_tile(memory, keys.size());
  tile.load(keys);
  tile.template halve<Order>(bitonic_tile / 2);
  tile.store(keys);
}

#define INSTANTIATE(Key, Order)                                                                    \
  template void sort_tiles<Key, Order>(span<Key>);                                                 \
  template void merge_step<Key, Order>(span<Key>, u32, u32);                                       \
  template void merge_tiles<Key, Order>(span<Key>);
INSTANTIATE(i32, Ascending)
INSTANTIATE(i32, Descending)
INSTANTIATE(u32, Ascending)
INSTANTIATE(u32, Descending)
INSTANTIATE(float, Ascending)
INSTANTIATE(float, Descending)

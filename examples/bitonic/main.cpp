//===- main.cpp - sorts keys of several types in both orders ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "../common/example.hpp"

#include "bitonic.khal.hpp"
#include "order.hpp"

#include <cstring>

namespace {

/// Sorts on the device: tiles first, then merges to ever longer runs.
template <class Key, class Order> void sort(khal::Stream &stream, khal::Buffer<Key> &keys) {
  const std::uint64_t size = keys.size();
  const khal::Grid tiles = khal::groups((size + bitonic_tile - 1) / bitonic_tile);
  kernels::sort_tiles<Key, Order>(stream, tiles, keys);
  for (std::uint64_t run = 2 * bitonic_tile; run / 2 < size; run *= 2) {
    for (std::uint64_t distance = run / 2; distance >= bitonic_tile; distance /= 2)
      // Comparisons are numbered through all runs, the last of which may not be whole.
      kernels::merge_step<Key, Order>(stream, khal::threads((size + run - 1) / run * (run / 2)),
                                      keys, static_cast<std::uint32_t>(run),
                                      static_cast<std::uint32_t>(distance));
    kernels::merge_tiles<Key, Order>(stream, tiles, keys);
  }
}

template <class Key> Key random_key(example::Random &random) {
  if constexpr (std::is_floating_point_v<Key>)
    return random.unit() * 1e6f;
  else
    return static_cast<Key>(random.bits());
}

template <class Key, class Order>
void try_out(example::Context &context, const char *keyName, const char *orderName) {
  const std::uint32_t size = context.number("size", 1, 1u << 26);
  std::vector<Key> keys(size);
  example::Random random(4);
  for (Key &key : keys)
    key = random_key<Key>(random);

  khal::Buffer<Key> buffer = context.device.buffer<Key>(size);
  const double seconds = context.time([&] {
    buffer.upload(context.stream, keys);
    sort<Key, Order>(context.stream, buffer);
  });
  const std::vector<Key> result = buffer.download();
  std::printf("  did   %u keys of %s, %s, in %.3f ms with their upload, %.1f million keys/s\n",
              size, keyName, orderName, seconds * 1e3, size / seconds * 1e-6);

  std::sort(keys.begin(), keys.end(), [](Key a, Key b) { return Order::before(a, b); });
  const bool same = std::memcmp(keys.data(), result.data(), size * sizeof(Key)) == 0;
  context.check(std::string(keyName) + " " + orderName + ": the same as std::sort", same);
}

} // namespace

int main(int argc, char **argv) {
  return example::run(argc, argv, "bitonic: one sort for every key type and order",
                      {{"size", "200003", "how many keys"}}, [](example::Context &context) {
                        try_out<std::int32_t, Ascending>(context, "i32", "ascending");
                        try_out<std::int32_t, Descending>(context, "i32", "descending");
                        try_out<std::uint32_t, Ascending>(context, "u32", "ascending");
                        try_out<std::uint32_t, Descending>(context, "u32", "descending");
                        try_out<float, Ascending>(context, "float", "ascending");
                        try_out<float, Descending>(context, "float", "descending");
                      });
}

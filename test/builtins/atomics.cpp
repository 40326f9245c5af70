//===- atomics.cpp - atomic operations of each type, on global and shared memory ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

using namespace khal;

namespace atomics {

/// Indices into the results.
enum Place : u32 { sum, difference, least, most, swapped, swap_sum, tries, places };

template <class T> void operate(T *cells, u32 i) {
  const T value = static_cast<T>(i + 1);
  atomic_add(cells[sum], value);
  atomic_sub(cells[difference], value);
  atomic_min(cells[least], value);
  atomic_max(cells[most], value);
  // Each value is swapped out again but for the last: what is received and what stays add up.
  atomic_add(cells[swap_sum], atomic_exchange(cells[swapped], value));
  T seen = atomic_ref(cells[tries]).load();
  for (;;) {
    const T before = atomic_compare_exchange(cells[tries], seen, static_cast<T>(seen + T(2)));
    if (before == seen)
      break;
    seen = before;
  }
}

/// All work-items on the same global cells. `cells` must hold 0, but cells[least] a large number.
template <class T> [[khal::kernel(64)]] void global(span<T> cells) {
  operate(cells.data(), global_index());
}

/// Each work-group on shared cells of its own, which it then stores one after the other.
template <class T> [[khal::kernel(64)]] void shared(span<T> out) {
  [[khal::shared]] T cells[places];
  if (local_index() < places)
    cells[local_index()] = static_cast<T>(local_index() == least ? 1000 : 0);
  barrier();
  operate(&cells[0], local_index());
  barrier();
  if (local_index() < places)
    out[group_index() * places + local_index()] = cells[local_index()];
}

#define INSTANTIATE(T)                                                                             \
  template void global<T>(span<T>);                                                                \
  template void shared<T>(span<T>);
INSTANTIATE(i32)
INSTANTIATE(u32)
INSTANTIATE(i64)
INSTANTIATE(u64)
INSTANTIATE(float)
INSTANTIATE(double)

/// Bit operations: out has and, or, xor.
template <class T> [[khal::kernel(64)]] void bitwise(span<T> cells) {
  const T bit = T(1) << global_index() % (sizeof(T) * 8);
  atomic_and(cells[0], static_cast<T>(~bit));
  atomic_or(cells[1], bit);
  atomic_xor(cells[2], bit);
}
template void bitwise<u32>(span<u32>);
template void bitwise<u64>(span<u64>);

/// The member functions and orders of atomic_ref.
[[khal::kernel(64)]] void reference(span<u32> cells) {
  const atomic_ref<u32> counter(cells[0]);
  counter.fetch_add(1, memory_order_acq_rel);
  ++counter;
  counter += 2;
  const atomic_ref<u32, scope::group> stored(cells[1]);
  stored.store(7, memory_order_release);
  stored = stored.load(memory_order_acquire);
  atomic_ref<u32> guarded(cells[2]);
  u32 expected = guarded;
  while (!guarded.compare_exchange_weak(expected, expected + 5))
    ;
}

} // namespace atomics

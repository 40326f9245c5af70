//===- whole.cpp - integer and vector functions on the device -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "whole.hpp"

#include <khal/kernel.hpp>

namespace whole {

template <class T> [[khal::kernel(64)]] void bits(span<const T> in, span<Bits<T>> out) {
  const u32 i = global_index();
  if (i < in.size())
    out[i] = bits_of(in[i], in[in.size() - 1 - i]);
}
template void bits<u8>(span<const u8>, span<Bits<u8>>);
template void bits<u16>(span<const u16>, span<Bits<u16>>);
template void bits<u32>(span<const u32>, span<Bits<u32>>);
template void bits<u64>(span<const u64>, span<Bits<u64>>);

[[khal::kernel(64)]] void vectors(span<const int4> in, span<Vectors> out) {
  const u32 i = global_index();
  if (i < in.size())
    out[i] = vectors_of(in[i], in[in.size() - 1 - i]);
}

/// Every index that a work-item can ask for: `seen` has 12 numbers for each.
[[khal::kernel(4, 2, 3)]] void indices(span<u32> seen) {
  const u32 i = global_index() * 12;
  const uint3 id = global_id(), local = local_id(), group = group_id();
  seen[i] = id.x;
  seen[i + 1] = id.y;
  seen[i + 2] = id.z;
  seen[i + 3] = local.x;
  seen[i + 4] = local.y;
  seen[i + 5] = local.z;
  seen[i + 6] = group.x;
  seen[i + 7] = group.y;
  seen[i + 8] = group.z;
  seen[i + 9] = local_index();
  seen[i + 10] = group_index();
  seen[i + 11] = (group_size().x * 10 + group_size().y) * 10 + group_size().z +
                 1000 * (global_size().x + 100 * global_size().y + 10000 * num_groups().z);
}

} // namespace whole

//===- elements.cpp - kernels over each kind of element ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "elements.hpp"

using namespace khal;

namespace table {

/// A kernel that is a member of a class template, for each instance of it.
template <class T> struct Elements {
  [[khal::kernel(64)]] static void change(span<T> values, span<const T> others) {
    const u32 i = global_index();
    if (i < values.size())
      elements::change(i, values[i], others[i * 7 % others.size()]);
  }
  /// The value goes through a local, a shared variable and an argument.
  [[khal::kernel(64)]] static void copy(T first, span<const T> from, span<T> to) {
    [[khal::shared]] T kept[64];
    const u32 i = global_index(), l = local_index();
    kept[l] = i < from.size() ? from[i] : first;
    barrier();
    const T local[3] = {kept[63 - l], kept[l], first};
    if (i < to.size())
      to[i] = local[i % 3];
  }
};
template struct Elements<elements::Halves<f16>>;
template struct Elements<elements::Halves<bf16>>;
template struct Elements<elements::Mixed>;
template struct Elements<elements::Board>;
template struct Elements<elements::Bits>;

/// Arguments of the class and of the member; the group's size is one of them.
template <class T, u32 N> struct Scale {
  template <class U> [[khal::kernel(N * 16)]] static void convert(span<const T> in, span<U> out) {
    const u32 i = global_index();
    if (i < out.size())
      out[i] = static_cast<U>(in[i]) * N;
  }
};
template void Scale<u16, 3>::convert<u32>(span<const u16>, span<u32>);
template void Scale<u16, 4>::convert<u32>(span<const u16>, span<u32>);
template void Scale<i8, 3>::convert<u32>(span<const i8>, span<u32>);

} // namespace table

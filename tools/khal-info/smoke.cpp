//===- smoke.cpp - the kernel of khal-info --smoke-test ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

using namespace khal;

/// Turns each group's values round by way of work-group memory; x[i] is then a * factor + i.
[[khal::kernel(64)]] void turn_round(span<u32> x, u32 factor) {
  [[khal::shared]] u32 values[64];
  const u32 i = global_index();
  const u32 own = local_index();
  values[own] = i < x.size() ? x[i] : 0;
  barrier();
  if (i < x.size())
    x[i] = values[63 - own] * factor + i;
}

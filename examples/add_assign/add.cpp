//===- add.cpp - adds one buffer to another ---------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

using namespace khal;

[[khal::kernel(64)]] void add_assign(span<float> a, span<const float> b) {
  const u32 i = global_index();
  if (i < a.size())
    a[i] += b[i];
}

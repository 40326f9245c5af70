//===- shift.cpp - a kernel that sees the target's definitions ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

[[khal::kernel(64)]] void shift(khal::span<unsigned> values) {
  const unsigned i = khal::global_index();
  if (i < values.size())
    values[i] += (i + 1) * OFFSET;
}

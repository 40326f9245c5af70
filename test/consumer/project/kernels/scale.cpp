//===- scale.cpp - a kernel whose factor is in a header -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "amount.hpp"

#include <khal/kernel.hpp>

[[khal::kernel(64)]] void scale(khal::span<unsigned> values) {
  const unsigned i = khal::global_index();
  if (i < values.size())
    values[i] *= amount;
}

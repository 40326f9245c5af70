//===- kernels.cpp - each operation on arrays -------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "operations.hpp"

using namespace khal;

#define KHAL_OPERATION(name)                                                                       \
  [[khal::kernel(64)]] void name(span<const float> a, span<const float> b, span<float> out) {      \
    const u32 i = global_id().x;                                                                   \
    if (i < out.size())                                                                            \
      out[i] = strict::name(a[i], b[i]);                                                           \
  }
namespace table {
#include "operations.def"
} // namespace table

//===- kernels.cpp - kernels with a fault for each sanitizer ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

using namespace khal;

[[khal::kernel(64)]] void shift(span<u32> out, span<const u32> in, u32 distance) {
  const u32 i = global_index();
  if (i < out.size())
    out[i] = in[i + distance]; // the test of addresses names this line
}

[[khal::kernel(64)]] void scale(span<i32> out, span<const i32> in, i32 factor) {
  const u32 i = global_index();
  if (i < out.size())
    out[i] = in[i] * factor; // the test of undefined behaviour names this line
}

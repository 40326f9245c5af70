//===- sweep.cpp - maths functions on many numbers, by --fp=default ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

namespace sweep {

/// The floats whose bits are first, first + step, first + 2 * step, …
[[khal::kernel(64)]] void floats(khal::u32 first, khal::u32 step, khal::span<float> x) {
  for (khal::u32 i : khal::grid_stride(x.size()))
    x[i] = khal::bit_cast<float>(first + i * step);
}

} // namespace sweep

#define SWEEP_NAMESPACE sweep
#include "kernels.hpp"

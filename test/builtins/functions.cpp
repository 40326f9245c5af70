//===- functions.cpp - a kernel for each maths function -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

namespace functions {

#define FUNCTION_1(name, ...)                                                                      \
  [[khal::kernel(64)]] void name(khal::span<const float> in, khal::span<float> out) {              \
    const khal::u32 i = khal::global_index();                                                      \
    if (i < in.size())                                                                             \
      out[i] = khal::name(in[i]);                                                                  \
  }
#define FUNCTION_2(name, ...)                                                                      \
  [[khal::kernel(64)]] void name(khal::span<const float> in, khal::span<float> out) {              \
    const khal::u32 i = khal::global_index();                                                      \
    if (i < in.size())                                                                             \
      out[i] = khal::name(in[i], in[in.size() - 1 - i]);                                           \
  }
#define FUNCTION_1_64(name, ...)                                                                   \
  [[khal::kernel(64)]] void name##_64(khal::span<const double> in, khal::span<double> out) {       \
    const khal::u32 i = khal::global_index();                                                      \
    if (i < in.size())                                                                             \
      out[i] = khal::name(in[i]);                                                                  \
  }
#define FUNCTION_2_64(name, ...)                                                                   \
  [[khal::kernel(64)]] void name##_64(khal::span<const double> in, khal::span<double> out) {       \
    const khal::u32 i = khal::global_index();                                                      \
    if (i < in.size())                                                                             \
      out[i] = khal::name(in[i], in[in.size() - 1 - i]);                                           \
  }
#include "functions.def"

} // namespace functions

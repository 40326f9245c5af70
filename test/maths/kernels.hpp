//===- kernels.hpp - a kernel for each function of sweep.def ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In SWEEP_NAMESPACE, so that one program holds them as compiled by several options.
//
//===-------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

namespace SWEEP_NAMESPACE {

using namespace khal;

#define SWEEP_1(name, ...)                                                                         \
  [[khal::kernel(64)]] void name(span<const float> x, span<float> out) {                           \
    for (u32 i : grid_stride(out.size()))                                                          \
      out[i] = khal::name(x[i]);                                                                   \
  }                                                                                                \
  [[khal::kernel(64)]] void name##_64(span<const double> x, span<double> out) {                    \
    for (u32 i : grid_stride(out.size()))                                                          \
      out[i] = khal::name(x[i]);                                                                   \
  }
#define SWEEP_2(name, ...)                                                                         \
  [[khal::kernel(64)]] void name(span<const float> x, span<const float> y, span<float> out) {      \
    for (u32 i : grid_stride(out.size()))                                                          \
      out[i] = khal::name(x[i], y[i]);                                                             \
  }                                                                                                \
  [[khal::kernel(64)]] void name##_64(span<const double> x, span<const double> y,                  \
                                      span<double> out) {                                          \
    for (u32 i : grid_stride(out.size()))                                                          \
      out[i] = khal::name(x[i], y[i]);                                                             \
  }
#include "sweep.def"

} // namespace SWEEP_NAMESPACE

//===- Functions.cpp - maths functions: kernels, references and limits ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "Functions.h"

#include "sweep.khal.hpp"
#include "sweep_fast.khal.hpp"
#include "sweep_strict.khal.hpp"

#include <algorithm>
#include <cmath>
#include <quadmath.h>

namespace {

using Quad = __float128;

/// `f` for each x and y.
template <auto f, class T>
void each(std::span<const T> x, std::span<const T> y, std::span<Exact<T>> out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = f(Exact<T>(x[i]), Exact<T>(y[i]));
}

/// The C library's, without the variable that it keeps the sign of gamma(x) in.
double logGamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}

constexpr khal::Grid grid = khal::groups(1024);

} // namespace

#define SWEEP_LAUNCH_1(T, space, name)                                                             \
  [](khal::Stream &stream, const khal::Buffer<T> &x, const khal::Buffer<T> &,                      \
     khal::Buffer<T> &out) { kernels::space::name(stream, grid, x, out); }
#define SWEEP_LAUNCH_2(T, space, name)                                                             \
  [](khal::Stream &stream, const khal::Buffer<T> &x, const khal::Buffer<T> &y,                     \
     khal::Buffer<T> &out) { kernels::space::name(stream, grid, x, y, out); }
#define SWEEP_LIMIT(limit)                                                                         \
  [](const Circumstances &in) -> double {                                                          \
    [[maybe_unused]] const auto &[x, isStrict, fusesFma, losesLanes] = in;                         \
    return limit;                                                                                  \
  }
#define SWEEP_OF(T, launch, name, exact, limit)                                                    \
  {{launch(T, sweep, name), launch(T, sweep_strict, name), launch(T, sweep_fast, name)},           \
   each<[]([[maybe_unused]] Exact<T> x, [[maybe_unused]] Exact<T> y) -> Exact<T> {                 \
     return exact;                                                                                 \
   },                                                                                              \
        T>,                                                                                        \
   SWEEP_LIMIT(limit)}
#define SWEEP_ANY(takesTwo, launch, name, exact, exact64, limit, limit64)                          \
  {#name, takesTwo, SWEEP_OF(float, launch, name, exact, limit),                                   \
   SWEEP_OF(double, launch, name##_64, exact64, limit64)},
#define SWEEP_1(...) SWEEP_ANY(false, SWEEP_LAUNCH_1, __VA_ARGS__)
#define SWEEP_2(...) SWEEP_ANY(true, SWEEP_LAUNCH_2, __VA_ARGS__)

const std::vector<Function> &functions() {
  static const std::vector<Function> all{
#include "sweep.def"
  };
  return all;
}

void makeFloats(khal::Stream &stream, std::uint32_t first, std::uint32_t step,
                khal::Buffer<float> &x) {
  kernels::sweep::floats(stream, grid, first, step, x);
}

//===- openmp.cpp - the benchmark's kernels as OpenMP simd loops ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "peers.h"

#include <cmath>

namespace openmp {

using i32 = std::int32_t;
using u32 = std::uint32_t;

void triad(float *a, const float *b, const float *c, float s, u32 n) {
#pragma omp simd
  for (u32 i = 0; i < n; ++i)
    a[i] = b[i] + s * c[i];
}

void nbody(const float *x, const float *y, const float *z, const float *mass, float *ax, float *ay,
           float *az, u32 n) {
#pragma omp simd
  for (u32 i = 0; i < n; ++i) {
    float sx = 0, sy = 0, sz = 0;
    for (u32 k = 0; k < n; ++k) {
      const float dx = x[k] - x[i], dy = y[k] - y[i], dz = z[k] - z[i];
      const float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      const float r = 1 / std::sqrt(r2);
      const float w = mass[k] * r * r * r;
      sx += dx * w;
      sy += dy * w;
      sz += dz * w;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}

void mandelbrot(i32 *counts, u32 width, i32 most) {
  for (u32 row = 0; row < width; ++row) {
    const float cy = -1.5f + 3.0f * static_cast<float>(row) / static_cast<float>(width);
#pragma omp simd
    for (u32 column = 0; column < width; ++column) {
      const float cx = -2.0f + 3.0f * static_cast<float>(column) / static_cast<float>(width);
      float x = cx, y = cy;
      i32 n = 0;
      for (; n < most; ++n) {
        if (x * x + y * y > 4)
          break;
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
      }
      counts[row * width + column] = n;
    }
  }
}

static inline float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * std::fabs(x));
  const float tail =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float w = 0.39894228f * std::exp(-0.5f * x * x) * tail;
  return x < 0 ? w : 1 - w;
}

void black_scholes(const float *price, const float *strike, const float *years, float *call,
                   float rate, float volatility, u32 n) {
#pragma omp simd
  for (u32 i = 0; i < n; ++i) {
    const float spread = volatility * std::sqrt(years[i]);
    const float d1 =
        (std::log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
        spread;
    const float d2 = d1 - spread;
    call[i] = price[i] * normal(d1) - strike[i] * std::exp(-rate * years[i]) * normal(d2);
  }
}

void matmul(const float *a, const float *b, float *c, u32 n) {
  for (u32 row = 0; row < n; ++row) {
#pragma omp simd
    for (u32 column = 0; column < n; ++column) {
      float sum = 0;
      for (u32 k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}

} // namespace openmp

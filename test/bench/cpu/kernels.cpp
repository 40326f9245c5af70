//===- kernels.cpp - the benchmark's kernels in khal's C++ ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Each algorithm is written the same way in openmp.cpp and kernels.ispc.
//
//===------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

using namespace khal;

[[khal::kernel(256)]] void triad(span<float> a, span<const float> b, span<const float> c, float s) {
  const u32 i = global_id().x;
  if (i < a.size())
    a[i] = b[i] + s * c[i];
}

[[khal::kernel(256)]] void nbody(span<const float> x, span<const float> y, span<const float> z,
                                 span<const float> mass, span<float> ax, span<float> ay,
                                 span<float> az) {
  const u32 i = global_id().x;
  if (i >= x.size())
    return;
  float sx = 0, sy = 0, sz = 0;
  for (u32 k = 0; k < x.size(); ++k) {
    const float dx = x[k] - x[i], dy = y[k] - y[i], dz = z[k] - z[i];
    const float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
    const float r = 1 / sqrt(r2);
    const float w = mass[k] * r * r * r;
    sx += dx * w;
    sy += dy * w;
    sz += dz * w;
  }
  ax[i] = sx;
  ay[i] = sy;
  az[i] = sz;
}

[[khal::kernel(64)]] void mandelbrot(span<i32> counts, u32 width, i32 most) {
  const uint3 g = global_id();
  if (g.x >= width)
    return;
  const float cx = -2.0f + 3.0f * static_cast<float>(g.x) / static_cast<float>(width);
  const float cy = -1.5f + 3.0f * static_cast<float>(g.y) / static_cast<float>(width);
  float x = cx, y = cy;
  i32 n = 0;
  for (; n < most; ++n) {
    if (x * x + y * y > 4)
      break;
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  counts[g.y * width + g.x] = n;
}

static float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * abs(x));
  const float tail =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float w = 0.39894228f * exp(-0.5f * x * x) * tail;
  return x < 0 ? w : 1 - w;
}

[[khal::kernel(256)]] void black_scholes(span<const float> price, span<const float> strike,
                                         span<const float> years, span<float> call, float rate,
                                         float volatility) {
  const u32 i = global_id().x;
  if (i >= price.size())
    return;
  const float spread = volatility * sqrt(years[i]);
  const float d1 =
      (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
  const float d2 = d1 - spread;
  call[i] = price[i] * normal(d1) - strike[i] * exp(-rate * years[i]) * normal(d2);
}

[[khal::kernel(64)]] void matmul(span<const float> a, span<const float> b, span<float> c, u32 n) {
  const uint3 g = global_id();
  if (g.x >= n)
    return;
  float sum = 0;
  for (u32 k = 0; k < n; ++k)
    sum += a[g.y * n + k] * b[k * n + g.x];
  c[g.y * n + g.x] = sum;
}

[[khal::kernel(1)]] void nothing(span<u32> a) {
  if (a.size() == 0)
    a[0] = 1;
}

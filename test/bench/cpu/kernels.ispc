//===- kernels.ispc - the benchmark's kernels in ISPC -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//

export void ispc_triad(uniform float a[], const uniform float b[], const uniform float c[],
                       uniform float s, uniform unsigned int n) {
  foreach (i = 0 ... n) { a[i] = b[i] + s * c[i]; }
}

export void ispc_nbody(const uniform float x[], const uniform float y[], const uniform float z[],
                       const uniform float mass[], uniform float ax[], uniform float ay[],
                       uniform float az[], uniform unsigned int n) {
  foreach (i = 0 ... n) {
    float sx = 0, sy = 0, sz = 0;
    for (uniform unsigned int k = 0; k < n; ++k) {
      float dx = x[k] - x[i], dy = y[k] - y[i], dz = z[k] - z[i];
      float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float r = 1 / sqrt(r2);
      float w = mass[k] * r * r * r;
      sx += dx * w;
      sy += dy * w;
      sz += dz * w;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
  }
}

export void ispc_mandelbrot(uniform int counts[], uniform unsigned int width, uniform int most) {
  for (uniform unsigned int row = 0; row < width; ++row) {
    uniform float cy = -1.5f + 3.0f * (uniform float)row / (uniform float)width;
    foreach (column = 0 ... width) {
      float cx = -2.0f + 3.0f * (float)column / (float)width;
      float x = cx, y = cy;
      int n;
      for (n = 0; n < most; ++n) {
        if (x * x + y * y > 4)
          break;
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
      }
      counts[row * width + column] = n;
    }
  }
}

static inline float normal(float x) {
  float k = 1 / (1 + 0.2316419f * abs(x));
  float tail = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f +
               k * (-1.821255978f + k * 1.330274429f))));
  float w = 0.39894228f * exp(-0.5f * x * x) * tail;
  return x < 0 ? w : 1 - w;
}

export void ispc_black_scholes(const uniform float price[], const uniform float strike[],
                               const uniform float years[], uniform float call[],
                               uniform float rate, uniform float volatility,
                               uniform unsigned int n) {
  foreach (i = 0 ... n) {
    float spread = volatility * sqrt(years[i]);
    float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
               spread;
    float d2 = d1 - spread;
    call[i] = price[i] * normal(d1) - strike[i] * exp(-rate * years[i]) * normal(d2);
  }
}

export void ispc_matmul(const uniform float a[], const uniform float b[], uniform float c[],
                        uniform unsigned int n) {
  for (uniform unsigned int row = 0; row < n; ++row) {
    foreach (column = 0 ... n) {
      float sum = 0;
      for (uniform unsigned int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}

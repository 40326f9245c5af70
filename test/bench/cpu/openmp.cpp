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
using i8 = std::int8_t;
using u32 = std::uint32_t;

void triad(float *a, const float *b, const float *c, float s, u32 first, u32 last) {
#pragma omp simd
  for (u32 i = first; i < last; ++i)
    a[i] = b[i] + s * c[i];
}

void nbody(const float *x, const float *y, const float *z, const float *mass, float *ax, float *ay,
           float *az, u32 n, u32 first, u32 last) {
#pragma omp simd
  for (u32 i = first; i < last; ++i) {
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

void mandelbrot(i32 *counts, u32 width, i32 most, u32 first, u32 last) {
  for (u32 row = first; row < last; ++row) {
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
                   float rate, float volatility, u32 first, u32 last) {
#pragma omp simd
  for (u32 i = first; i < last; ++i) {
    const float spread = volatility * std::sqrt(years[i]);
    const float d1 =
        (std::log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
        spread;
    const float d2 = d1 - spread;
    call[i] = price[i] * normal(d1) - strike[i] * std::exp(-rate * years[i]) * normal(d2);
  }
}

void matmul_naive(const float *a, const float *b, float *c, u32 n, u32 first, u32 last) {
  for (u32 row = first; row < last; ++row) {
#pragma omp simd
    for (u32 column = 0; column < n; ++column) {
      float sum = 0;
      for (u32 k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}

void matmul_tiled(const float *a, const float *b, float *c, u32 n, u32 first, u32 last) {
  for (u32 row = first * 16; row < last * 16; row += 16)
    for (u32 column = 0; column < n; column += 16) {
      float sums[16][16] = {}, ta[16][16], tb[16][16];
      for (u32 t = 0; t < n; t += 16) {
        for (u32 y = 0; y < 16; ++y)
#pragma omp simd
          for (u32 x = 0; x < 16; ++x) {
            ta[y][x] = a[(row + y) * n + t + x];
            tb[y][x] = b[(t + y) * n + column + x];
          }
        for (u32 y = 0; y < 16; ++y)
          for (u32 k = 0; k < 16; ++k)
#pragma omp simd
            for (u32 x = 0; x < 16; ++x)
              sums[y][x] += ta[y][k] * tb[k][x];
      }
      for (u32 y = 0; y < 16; ++y)
#pragma omp simd
        for (u32 x = 0; x < 16; ++x)
          c[(row + y) * n + column + x] = sums[y][x];
    }
}

void stencil2d(const float *from, float *to, u32 width, u32 height, u32 first, u32 last) {
  for (u32 y = first < 1 ? 1 : first; y < (last < height ? last : height - 1); ++y)
#pragma omp simd
    for (u32 x = 1; x < width - 1; ++x) {
      const u32 i = y * width + x;
      to[i] =
          0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
    }
}

void stencil3d(const float *from, float *to, u32 n, u32 first, u32 last) {
  for (u32 z = first < 1 ? 1 : first; z < (last < n ? last : n - 1); ++z)
    for (u32 y = 1; y < n - 1; ++y)
#pragma omp simd
      for (u32 x = 1; x < n - 1; ++x) {
        const u32 i = (z * n + y) * n + x;
        to[i] = 0.4f * from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] +
                                         from[i - n * n] + from[i + n * n]);
      }
}

void sobel(const float *from, float *to, u32 width, u32 height, u32 first, u32 last) {
  for (u32 y = first < 1 ? 1 : first; y < (last < height ? last : height - 1); ++y)
#pragma omp simd
    for (u32 x = 1; x < width - 1; ++x) {
      const u32 i = y * width + x, up = i - width, down = i + width;
      const float gx = from[up + 1] - from[up - 1] + 2 * (from[i + 1] - from[i - 1]) +
                       from[down + 1] - from[down - 1];
      const float gy = from[down - 1] - from[up - 1] + 2 * (from[down] - from[up]) +
                       from[down + 1] - from[up + 1];
      to[i] = std::sqrt(gx * gx + gy * gy);
    }
}

void histogram(const u32 *words, u32 *bins, u32 chunk, u32 first, u32 last) {
  for (u32 g = first; g < last; ++g) {
    u32 local[256] = {};
    for (u32 k = 0; k < chunk; ++k)
      for (u32 shift = 0; shift < 32; shift += 8)
        ++local[(words[g * chunk + k] >> shift) & 255];
    for (u32 k = 0; k < 256; ++k)
      bins[g * 256 + k] = local[k];
  }
}

void reduction(const float *values, float *sums, u32 chunk, u32 first, u32 last) {
  for (u32 g = first; g < last; ++g) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (u32 k = 0; k < chunk; ++k)
      sum += values[g * chunk + k];
    sums[g] = sum;
  }
}

void scan(const u32 *values, u32 *sums, u32 first, u32 last) {
  for (u32 row = first; row < last; ++row) {
    u32 sum = 0;
#pragma omp simd reduction(inscan, + : sum)
    for (u32 k = 0; k < 256; ++k) {
      sum += values[row * 256 + k];
#pragma omp scan inclusive(sum)
      sums[row * 256 + k] = sum;
    }
  }
}

void softmax(const float *from, float *to, u32 columns, u32 first, u32 last) {
  for (u32 row = first; row < last; ++row) {
    const float *in = from + row * columns;
    float *out = to + row * columns;
    float largest = in[0];
#pragma omp simd reduction(max : largest)
    for (u32 k = 0; k < columns; ++k)
      largest = in[k] > largest ? in[k] : largest;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (u32 k = 0; k < columns; ++k) {
      out[k] = std::exp(in[k] - largest);
      sum += out[k];
    }
    const float scale = 1 / sum;
#pragma omp simd
    for (u32 k = 0; k < columns; ++k)
      out[k] *= scale;
  }
}

void matmul_int8(const i8 *a, const i8 *b, i32 *c, u32 n, u32 first, u32 last) {
  for (u32 row = first; row < last; ++row) {
#pragma omp simd
    for (u32 column = 0; column < n; ++column) {
      i32 sum = 0;
      for (u32 k = 0; k < n; ++k)
        sum += i32{a[row * n + k]} * i32{b[k * n + column]};
      c[row * n + column] = sum;
    }
  }
}

static u32 rotateRight(u32 x, u32 by) {
  return x >> by | x << (32 - by);
}

static constexpr u32 constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static constexpr u32 start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

void sha256(const u32 *blocks, u32 *digests, u32 first, u32 last) {
#pragma omp simd
  for (u32 item = first; item < last; ++item) {
    u32 w[16];
    for (u32 t = 0; t < 16; ++t)
      w[t] = blocks[item * 16 + t];
    u32 a = start[0], b = start[1], c = start[2], d = start[3];
    u32 e = start[4], f = start[5], g = start[6], h = start[7];
    for (u32 t = 0; t < 64; ++t) {
      if (t >= 16) {
        const u32 w1 = w[(t + 1) % 16], w14 = w[(t + 14) % 16];
        const u32 s0 = rotateRight(w1, 7) ^ rotateRight(w1, 18) ^ (w1 >> 3);
        const u32 s1 = rotateRight(w14, 17) ^ rotateRight(w14, 19) ^ (w14 >> 10);
        w[t % 16] += s0 + w[(t + 9) % 16] + s1;
      }
      const u32 s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
      const u32 t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t % 16];
      const u32 s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
      const u32 t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
    }
    const u32 end[8] = {a, b, c, d, e, f, g, h};
    for (u32 k = 0; k < 8; ++k)
      digests[item * 8 + k] = start[k] + end[k];
  }
}

} // namespace openmp

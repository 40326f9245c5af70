//===- kernels.cpp - the benchmark's kernels in khal's C++ ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Each algorithm is written the same way in openmp.cpp, kernels.ispc and kernels.cl, but that a
// work-group there is a row or a chunk that one loop goes over.
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

[[khal::kernel(64)]] void matmul_naive(span<const float> a, span<const float> b, span<float> c,
                                       u32 n) {
  const uint3 g = global_id();
  if (g.x >= n)
    return;
  float sum = 0;
  for (u32 k = 0; k < n; ++k)
    sum += a[g.y * n + k] * b[k * n + g.x];
  c[g.y * n + g.x] = sum;
}

[[khal::kernel(16, 16)]] void matmul_tiled(span<const float> a, span<const float> b, span<float> c,
                                           u32 n) {
  [[khal::shared]] float ta[16][16];
  [[khal::shared]] float tb[16][16];
  const uint3 g = global_id(), l = local_id();
  float sum = 0;
  for (u32 t = 0; t < n; t += 16) {
    ta[l.y][l.x] = a[g.y * n + t + l.x];
    tb[l.y][l.x] = b[(t + l.y) * n + g.x];
    barrier();
    for (u32 k = 0; k < 16; ++k)
      sum += ta[l.y][k] * tb[k][l.x];
    barrier();
  }
  c[g.y * n + g.x] = sum;
}

[[khal::kernel(64)]] void stencil2d(span<const float> from, span<float> to, u32 width, u32 height) {
  const u32 x = global_id().x, y = global_id().y;
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height)
    return;
  const u32 i = y * width + x;
  to[i] = 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

[[khal::kernel(64)]] void stencil3d(span<const float> from, span<float> to, u32 n) {
  const uint3 p = global_id();
  if (p.x == 0 || p.y == 0 || p.z == 0 || p.x + 1 >= n || p.y + 1 >= n || p.z + 1 >= n)
    return;
  const u32 i = (p.z * n + p.y) * n + p.x;
  to[i] = 0.4f * from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] +
                                   from[i - n * n] + from[i + n * n]);
}

[[khal::kernel(64)]] void sobel(span<const float> from, span<float> to, u32 width, u32 height) {
  const u32 x = global_id().x, y = global_id().y;
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height)
    return;
  const u32 i = y * width + x, up = i - width, down = i + width;
  const float gx = from[up + 1] - from[up - 1] + 2 * (from[i + 1] - from[i - 1]) + from[down + 1] -
                   from[down - 1];
  const float gy =
      from[down - 1] - from[up - 1] + 2 * (from[down] - from[up]) + from[down + 1] - from[up + 1];
  to[i] = sqrt(gx * gx + gy * gy);
}

/// Of each chunk its own bins; as each byte of the words.
[[khal::kernel(64)]] void histogram(span<const u32> words, span<u32> bins, u32 chunk) {
  [[khal::shared]] u32 local[256];
  const u32 l = local_index(), g = group_index();
  for (u32 k = l; k < 256; k += 64)
    local[k] = 0;
  barrier();
  for (u32 k = l; k < chunk; k += 64)
    for (u32 shift = 0; shift < 32; shift += 8)
      atomic_add(local[(words[g * chunk + k] >> shift) & 255], 1u);
  barrier();
  for (u32 k = l; k < 256; k += 64)
    bins[g * 256 + k] = local[k];
}

/// Of each chunk its own sum.
[[khal::kernel(64)]] void reduction(span<const float> values, span<float> sums, u32 chunk) {
  const u32 l = local_index(), g = group_index();
  float sum = 0;
  for (u32 k = l; k < chunk; k += 64)
    sum += values[g * chunk + k];
  sum = group_add(sum);
  if (l == 0)
    sums[g] = sum;
}

/// In rows of 256.
[[khal::kernel(256)]] void scan(span<const u32> values, span<u32> sums) {
  const u32 i = global_id().x;
  sums[i] = group_inclusive_add(values[i]);
}

[[khal::kernel(64)]] void softmax(span<const float> from, span<float> to, u32 columns) {
  const u32 l = local_index(), row = group_index() * columns;
  float largest = -__builtin_inff();
  for (u32 k = l; k < columns; k += 64)
    largest = max(largest, from[row + k]);
  largest = group_max(largest);
  float sum = 0;
  for (u32 k = l; k < columns; k += 64) {
    const float e = exp(from[row + k] - largest);
    to[row + k] = e;
    sum += e;
  }
  const float scale = 1 / group_add(sum);
  for (u32 k = l; k < columns; k += 64)
    to[row + k] *= scale;
}

[[khal::kernel(64)]] void matmul_int8(span<const i8> a, span<const i8> b, span<i32> c, u32 n) {
  const uint3 g = global_id();
  if (g.x >= n)
    return;
  i32 sum = 0;
  for (u32 k = 0; k < n; ++k)
    sum += i32{a[g.y * n + k]} * i32{b[k * n + g.x]};
  c[g.y * n + g.x] = sum;
}

namespace {

constexpr u32 sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct Sha256State {
  u32 h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
};

} // namespace

/// One block of FIPS 180-4, section 6.2.2, a work-item: big-endian words in, the state out.
[[khal::kernel(64)]] void sha256(span<const u32> blocks, span<u32> digests) {
  const u32 item = global_id().x;
  u32 w[16];
  for (u32 t = 0; t < 16; ++t)
    w[t] = blocks[item * 16 + t];
  const Sha256State start;
  u32 a = start.h[0], b = start.h[1], c = start.h[2], d = start.h[3];
  u32 e = start.h[4], f = start.h[5], g = start.h[6], h = start.h[7];
  for (u32 t = 0; t < 64; ++t) {
    if (t >= 16) {
      const u32 w1 = w[(t + 1) % 16], w14 = w[(t + 14) % 16];
      const u32 s0 = rotate_right(w1, 7) ^ rotate_right(w1, 18) ^ (w1 >> 3);
      const u32 s1 = rotate_right(w14, 17) ^ rotate_right(w14, 19) ^ (w14 >> 10);
      w[t % 16] += s0 + w[(t + 9) % 16] + s1;
    }
    const u32 s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
    const u32 t1 = h + s1 + ((e & f) ^ (~e & g)) + sha256_constants[t] + w[t % 16];
    const u32 s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
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
    digests[item * 8 + k] = start.h[k] + end[k];
}

[[khal::kernel(1)]] void nothing(span<u32> a) {
  if (a.size() == 0)
    a[0] = 1;
}

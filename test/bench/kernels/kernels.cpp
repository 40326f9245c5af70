//===- kernels.cpp - the benchmarks' algorithms in C++ ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each has peers of the same algorithm, group size and memory layout in ../vulkan/glsl and
// ../cuda/peers.cu. All are written as one writes in that language; none is bent towards the other's
// compiler.
//
//===------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

using namespace khal;

[[khal::kernel(256)]] void triad(span<float> a, span<const float> b, span<const float> c, float s) {
  const u32 i = global_id().x;
  if (i < a.size())
    a[i] = b[i] + s * c[i];
}

[[khal::kernel(256)]] void copy4(span<float4> to, span<const float4> from) {
  const u32 i = global_id().x;
  if (i < to.size())
    to[i] = from[i];
}

[[khal::kernel(256)]] void nbody(span<const float4> bodies, span<float4> accelerations) {
  [[khal::shared]] float4 tile[256];
  const u32 i = global_id().x, l = local_index();
  const float4 me = bodies[i];
  float3 sum{0, 0, 0};
  for (u32 first = 0; first < bodies.size(); first += 256) {
    tile[l] = bodies[first + l];
    barrier();
    for (u32 k = 0; k < 256; ++k) {
      const float4 other = tile[k];
      const float3 d{other.x - me.x, other.y - me.y, other.z - me.z};
      const float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 1e-3f;
      const float r = rsqrt(r2);
      sum += d * (other.w * r * r * r);
    }
    barrier();
  }
  accelerations[i] = {sum.x, sum.y, sum.z, 0};
}

[[khal::kernel(16, 16)]] void matmul_naive(span<const float> a, span<const float> b, span<float> c,
                                           u32 n) {
  const uint3 g = global_id();
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

[[khal::kernel(32, 8)]] void transpose(span<const float> from, span<float> to, u32 n) {
  [[khal::shared]] float tile[32][33];
  const uint3 group = group_id(), l = local_id();
  const u32 x = group.x * 32 + l.x, y = group.y * 32 + l.y;
  for (u32 j = 0; j < 32; j += 8)
    tile[l.y + j][l.x] = from[(y + j) * n + x];
  barrier();
  const u32 tx = group.y * 32 + l.x, ty = group.x * 32 + l.y;
  for (u32 j = 0; j < 32; j += 8)
    to[(ty + j) * n + tx] = tile[l.x][l.y + j];
}

[[khal::kernel(256)]] void reduce(span<const float> values, span<float> partial) {
  [[khal::shared]] float sums[256];
  const u32 l = local_index(), stride = global_size().x;
  float sum = 0;
  for (u32 i = global_id().x; i < values.size(); i += stride)
    sum += values[i];
  sums[l] = sum;
  barrier();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half)
      sums[l] += sums[l + half];
    barrier();
  }
  if (l == 0)
    partial[group_index()] = sums[0];
}

[[khal::kernel(256)]] void scan(span<const u32> values, span<u32> sums, span<u32> totals) {
  [[khal::shared]] u32 tile[256];
  const u32 i = global_id().x, l = local_index();
  tile[l] = values[i];
  barrier();
  for (u32 step = 1; step < 256; step *= 2) {
    const u32 before = l >= step ? tile[l - step] : 0;
    barrier();
    tile[l] += before;
    barrier();
  }
  sums[i] = tile[l];
  if (l == 255)
    totals[group_index()] = tile[255];
}

[[khal::kernel(256)]] void histogram(span<const u32> words, span<u32> bins) {
  [[khal::shared]] u32 local[256];
  const u32 l = local_index(), stride = global_size().x;
  local[l] = 0;
  barrier();
  for (u32 i = global_id().x; i < words.size(); i += stride)
    for (u32 shift = 0; shift < 32; shift += 8)
      atomic_add(local[(words[i] >> shift) & 255], 1u);
  barrier();
  atomic_add(bins[l], local[l]);
}

[[khal::kernel(16, 16)]] void stencil2d(span<const float> from, span<float> to, u32 width,
                                        u32 height) {
  const u32 x = global_id().x, y = global_id().y;
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height)
    return;
  const u32 i = y * width + x;
  to[i] = 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

[[khal::kernel(32, 4, 2)]] void stencil3d(span<const float> from, span<float> to, u32 n) {
  const uint3 p = global_id();
  if (p.x == 0 || p.y == 0 || p.z == 0 || p.x + 1 >= n || p.y + 1 >= n || p.z + 1 >= n)
    return;
  const u32 i = (p.z * n + p.y) * n + p.x;
  to[i] = 0.4f * from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] +
                                   from[i - n * n] + from[i + n * n]);
}

[[khal::kernel(16, 16)]] void mandelbrot(span<u32> counts, u32 width, float scale, u32 limit) {
  const uint3 p = global_id();
  const float cx = static_cast<float>(p.x) * scale - 2.0f;
  const float cy = static_cast<float>(p.y) * scale - 1.5f;
  float x = 0, y = 0;
  u32 count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++count;
  }
  counts[p.y * width + p.x] = count;
}

[[khal::kernel(16, 16)]] void matmul_int8(span<const i8> a, span<const i8> b, span<i32> c, u32 n) {
  const uint3 g = global_id();
  i32 sum = 0;
  for (u32 k = 0; k < n; ++k)
    sum += i32{a[g.y * n + k]} * i32{b[g.x * n + k]};
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

/// One radix-4 pass of Stockham's FFT: `stride` is 1, 4, 16 … in turn; `twiddles[k]` is
/// exp(-2 pi i k / n).
[[khal::kernel(64)]] void fft_pass(span<const float2> from, span<float2> to,
                                   span<const float2> twiddles, u32 stride) {
  const u32 quarter = from.size() / 4, i = global_id().x;
  if (i >= quarter)
    return;
  const u32 k = i % stride, step = quarter / stride;
  float2 v[4];
  for (u32 r = 0; r < 4; ++r) {
    const float2 x = from[i + r * quarter], w = twiddles[k * step * r];
    v[r] = {x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x};
  }
  const float2 s0 = v[0] + v[2], s1 = v[0] - v[2], s2 = v[1] + v[3], d = v[1] - v[3];
  const float2 s3{d.y, -d.x};
  const u32 out = (i - k) * 4 + k;
  to[out] = s0 + s2;
  to[out + stride] = s1 + s3;
  to[out + 2 * stride] = s0 - s2;
  to[out + 3 * stride] = s1 - s3;
}

[[khal::kernel(256)]] void softmax(span<const float> from, span<float> to, u32 columns) {
  [[khal::shared]] float partial[256];
  const u32 l = local_index(), row = group_index() * columns;
  float largest = -__builtin_inff();
  for (u32 i = l; i < columns; i += 256)
    largest = max(largest, from[row + i]);
  partial[l] = largest;
  barrier();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half)
      partial[l] = max(partial[l], partial[l + half]);
    barrier();
  }
  largest = partial[0];
  barrier();
  float sum = 0;
  for (u32 i = l; i < columns; i += 256)
    sum += exp(from[row + i] - largest);
  partial[l] = sum;
  barrier();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half)
      partial[l] += partial[l + half];
    barrier();
  }
  const float scale = 1.0f / partial[0];
  for (u32 i = l; i < columns; i += 256)
    to[row + i] = exp(from[row + i] - largest) * scale;
}

/// 128 x 128 of the product a work-group, 8 x 8 a work-item, in steps of 8 along k.
[[khal::kernel(256)]] void matmul_blocked(span<const float4> a, span<const float4> b,
                                          span<float4> c, u32 n) {
  [[khal::shared]] float ta[8][128]; // a's tile, transposed
  [[khal::shared]] float4 tb[8][32];
  const u32 l = local_index(), row = group_id().y * 128, column = group_id().x * 128;
  const u32 x = l % 16, y = l / 16, quads = n / 4;
  float sums[8][8] = {};
  for (u32 k = 0; k < n; k += 8) {
    const float4 va = a[(row + l / 2) * quads + k / 4 + l % 2];
    const float4 vb = b[(k + l / 32) * quads + column / 4 + l % 32];
    ta[l % 2 * 4 + 0][l / 2] = va.x;
    ta[l % 2 * 4 + 1][l / 2] = va.y;
    ta[l % 2 * 4 + 2][l / 2] = va.z;
    ta[l % 2 * 4 + 3][l / 2] = va.w;
    tb[l / 32][l % 32] = vb;
    barrier();
    for (u32 step = 0; step < 8; ++step) {
      float left[8];
      for (u32 i = 0; i < 8; ++i)
        left[i] = ta[step][y * 8 + i];
      const float4 b0 = tb[step][x * 2], b1 = tb[step][x * 2 + 1];
      const float right[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      for (u32 i = 0; i < 8; ++i)
        for (u32 j = 0; j < 8; ++j)
          sums[i][j] += left[i] * right[j];
    }
    barrier();
  }
  for (u32 i = 0; i < 8; ++i) {
    const u32 at = (row + y * 8 + i) * quads + column / 4 + x * 2;
    c[at] = {sums[i][0], sums[i][1], sums[i][2], sums[i][3]};
    c[at + 1] = {sums[i][4], sums[i][5], sums[i][6], sums[i][7]};
  }
}

/// Each row to mean 0 and variance 1.
[[khal::kernel(256)]] void layer_norm(span<const float> from, span<float> to, u32 columns) {
  [[khal::shared]] float sums[256];
  [[khal::shared]] float squares[256];
  const u32 l = local_index(), row = group_id().x * columns;
  float sum = 0, square = 0;
  for (u32 i = l; i < columns; i += 256) {
    const float x = from[row + i];
    sum += x;
    square += x * x;
  }
  sums[l] = sum;
  squares[l] = square;
  barrier();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half) {
      sums[l] += sums[l + half];
      squares[l] += squares[l + half];
    }
    barrier();
  }
  const float count = static_cast<float>(columns);
  const float mean = sums[0] / count;
  const float scale = rsqrt(squares[0] / count - mean * mean + 1e-5f);
  for (u32 i = l; i < columns; i += 256)
    to[row + i] = (from[row + i] - mean) * scale;
}

namespace {

/// The cumulative normal distribution (Abramowitz and Stegun, 26.2.17).
float normal(float x) {
  const float size = abs(x), k = 1.0f / (1.0f + 0.2316419f * size);
  const float tail =
      0.39894228f * exp(-0.5f * size * size) * k *
      (0.31938153f +
       k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return x > 0 ? 1.0f - tail : tail;
}

} // namespace

/// European calls and puts: price and strike from 1 to 101, a quarter to ten years.
[[khal::kernel(256)]] void black_scholes(span<const float> price, span<const float> strike,
                                         span<const float> years, span<float2> options) {
  const u32 i = global_id().x;
  if (i >= options.size())
    return;
  constexpr float rate = 0.02f, volatility = 0.3f;
  const float s = 1 + 100 * price[i], x = 1 + 100 * strike[i], t = 0.25f + 9.75f * years[i];
  const float root = sqrt(t);
  const float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal(d1), n2 = normal(d2), discounted = x * exp(-rate * t);
  options[i] = {s * n1 - discounted * n2, discounted * (1 - n2) - s * (1 - n1)};
}

/// One compare-exchange step of a bitonic sort.
[[khal::kernel(256)]] void bitonic_step(span<u32> keys, u32 distance, u32 size) {
  const u32 i = global_id().x;
  const u32 low = (i / distance) * distance * 2 + i % distance, high = low + distance;
  const u32 a = keys[low], b = keys[high];
  const bool up = (low & size) == 0;
  if ((a > b) == up) {
    keys[low] = b;
    keys[high] = a;
  }
}

//===- kernels.cl - the benchmark's kernels in OpenCL C ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//

#define GROUP(x, y) kernel __attribute__((reqd_work_group_size(x, y, 1)))

GROUP(256, 1)
void triad(global float *restrict a, global const float *restrict b,
           global const float *restrict c, float s) {
  const uint i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}

GROUP(256, 1)
void nbody(global const float *restrict x, global const float *restrict y,
           global const float *restrict z, global const float *restrict mass,
           global float *restrict ax, global float *restrict ay, global float *restrict az,
           uint n) {
  const uint i = get_global_id(0);
  float sx = 0, sy = 0, sz = 0;
  for (uint k = 0; k < n; ++k) {
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

GROUP(64, 1)
void matmul_naive(global const float *restrict a, global const float *restrict b,
                  global float *restrict c, uint n) {
  const uint x = get_global_id(0), y = get_global_id(1);
  float sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

GROUP(16, 16)
void matmul_tiled(global const float *restrict a, global const float *restrict b,
                  global float *restrict c, uint n) {
  local float ta[16][16];
  local float tb[16][16];
  const uint x = get_global_id(0), y = get_global_id(1);
  const uint lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (uint t = 0; t < n; t += 16) {
    ta[ly][lx] = a[y * n + t + lx];
    tb[ly][lx] = b[(t + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k)
      sum += ta[ly][k] * tb[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

GROUP(64, 1)
void mandelbrot(global int *restrict counts, uint width, int most) {
  const uint column = get_global_id(0), row = get_global_id(1);
  const float cx = -2.0f + 3.0f * (float)column / (float)width;
  const float cy = -1.5f + 3.0f * (float)row / (float)width;
  float x = cx, y = cy;
  int n = 0;
  for (; n < most; ++n) {
    if (x * x + y * y > 4)
      break;
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  counts[row * width + column] = n;
}

float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * fabs(x));
  const float tail =
      k * (0.31938153f +
           k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float w = 0.39894228f * exp(-0.5f * x * x) * tail;
  return x < 0 ? w : 1 - w;
}

GROUP(256, 1)
void black_scholes(global const float *restrict price, global const float *restrict strike,
                   global const float *restrict years, global float *restrict call, float rate,
                   float volatility) {
  const uint i = get_global_id(0);
  const float spread = volatility * sqrt(years[i]);
  const float d1 =
      (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / spread;
  const float d2 = d1 - spread;
  call[i] = price[i] * normal(d1) - strike[i] * exp(-rate * years[i]) * normal(d2);
}

GROUP(64, 1)
void stencil2d(global const float *restrict from, global float *restrict to, uint width,
               uint height) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height)
    return;
  const uint i = y * width + x;
  to[i] = 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

GROUP(64, 1)
void stencil3d(global const float *restrict from, global float *restrict to, uint n) {
  const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x == 0 || y == 0 || z == 0 || x + 1 >= n || y + 1 >= n || z + 1 >= n)
    return;
  const uint i = (z * n + y) * n + x;
  to[i] = 0.4f * from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] +
                                   from[i - n * n] + from[i + n * n]);
}

GROUP(64, 1)
void sobel(global const float *restrict from, global float *restrict to, uint width, uint height) {
  const uint x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height)
    return;
  const uint i = y * width + x, up = i - width, down = i + width;
  const float gx = from[up + 1] - from[up - 1] + 2 * (from[i + 1] - from[i - 1]) + from[down + 1] -
                   from[down - 1];
  const float gy = from[down - 1] - from[up - 1] + 2 * (from[down] - from[up]) + from[down + 1] -
                   from[up + 1];
  to[i] = sqrt(gx * gx + gy * gy);
}

GROUP(64, 1)
void histogram(global const uint *restrict words, global uint *restrict bins, uint chunk) {
  local uint counts[256];
  const uint l = get_local_id(0), g = get_group_id(0);
  for (uint k = l; k < 256; k += 64)
    counts[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = l; k < chunk; k += 64)
    for (uint shift = 0; shift < 32; shift += 8)
      atomic_inc(&counts[(words[g * chunk + k] >> shift) & 255]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = l; k < 256; k += 64)
    bins[g * 256 + k] = counts[k];
}

GROUP(64, 1)
void reduction(global const float *restrict values, global float *restrict sums, uint chunk) {
  local float parts[64];
  const uint l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (uint k = l; k < chunk; k += 64)
    sum += values[g * chunk + k];
  parts[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 32; distance > 0; distance /= 2) {
    if (l < distance)
      parts[l] += parts[l + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    sums[g] = parts[0];
}

GROUP(256, 1)
void scan(global const uint *restrict values, global uint *restrict sums) {
  local uint tile[256];
  const uint i = get_global_id(0), l = get_local_id(0);
  tile[l] = values[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 256; step *= 2) {
    const uint before = l >= step ? tile[l - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sums[i] = tile[l];
}

GROUP(64, 1)
void softmax(global const float *restrict from, global float *restrict to, uint columns) {
  local float parts[64];
  const uint l = get_local_id(0), row = get_group_id(0) * columns;
  float largest = -INFINITY;
  for (uint k = l; k < columns; k += 64)
    largest = fmax(largest, from[row + k]);
  parts[l] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 32; distance > 0; distance /= 2) {
    if (l < distance)
      parts[l] = fmax(parts[l], parts[l + distance]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  largest = parts[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (uint k = l; k < columns; k += 64) {
    const float e = exp(from[row + k] - largest);
    to[row + k] = e;
    sum += e;
  }
  parts[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint distance = 32; distance > 0; distance /= 2) {
    if (l < distance)
      parts[l] += parts[l + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const float scale = 1 / parts[0];
  for (uint k = l; k < columns; k += 64)
    to[row + k] *= scale;
}

GROUP(64, 1)
void matmul_int8(global const char *restrict a, global const char *restrict b,
                 global int *restrict c, uint n) {
  const uint x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += (int)a[y * n + k] * (int)b[k * n + x];
  c[y * n + x] = sum;
}

constant uint constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constant uint start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

GROUP(64, 1)
void sha256(global const uint *restrict blocks, global uint *restrict digests) {
  const uint item = get_global_id(0);
  uint w[16];
  for (uint t = 0; t < 16; ++t)
    w[t] = blocks[item * 16 + t];
  uint a = start[0], b = start[1], c = start[2], d = start[3];
  uint e = start[4], f = start[5], g = start[6], h = start[7];
  for (uint t = 0; t < 64; ++t) {
    if (t >= 16) {
      const uint w1 = w[(t + 1) % 16], w14 = w[(t + 14) % 16];
      const uint s0 = rotate(w1, 25u) ^ rotate(w1, 14u) ^ (w1 >> 3);
      const uint s1 = rotate(w14, 15u) ^ rotate(w14, 13u) ^ (w14 >> 10);
      w[t % 16] += s0 + w[(t + 9) % 16] + s1;
    }
    const uint s1 = rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u);
    const uint t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t % 16];
    const uint s0 = rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u);
    const uint t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const uint end[8] = {a, b, c, d, e, f, g, h};
  for (uint k = 0; k < 8; ++k)
    digests[item * 8 + k] = start[k] + end[k];
}

//===- peers.cu - the algorithms of ../kernels/kernels.cpp in CUDA C++ ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
using u32 = unsigned;
using i8 = signed char;
using i32 = int;

#define KERNEL(items) extern "C" __global__ void __launch_bounds__(items)

KERNEL(256)
triad(float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ c, float s,
      u32 n) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + s * c[i];
}

KERNEL(256) copy4(float4 *__restrict__ to, const float4 *__restrict__ from, u32 n) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

KERNEL(256) nbody(const float4 *__restrict__ bodies, float4 *__restrict__ accelerations, u32 n) {
  __shared__ float4 tile[256];
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  const float4 me = bodies[i];
  float3 sum = make_float3(0, 0, 0);
  for (u32 first = 0; first < n; first += 256) {
    tile[l] = bodies[first + l];
    __syncthreads();
    for (u32 k = 0; k < 256; ++k) {
      const float4 other = tile[k];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float s = other.w * r * r * r;
      sum.x += dx * s;
      sum.y += dy * s;
      sum.z += dz * s;
    }
    __syncthreads();
  }
  accelerations[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

KERNEL(256)
matmul_naive(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
             u32 n) {
  const u32 x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (u32 k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

KERNEL(256)
matmul_tiled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
             u32 n) {
  __shared__ float ta[16][16];
  __shared__ float tb[16][16];
  const u32 lx = threadIdx.x, ly = threadIdx.y;
  const u32 x = blockIdx.x * 16 + lx, y = blockIdx.y * 16 + ly;
  float sum = 0;
  for (u32 t = 0; t < n; t += 16) {
    ta[ly][lx] = a[y * n + t + lx];
    tb[ly][lx] = b[(t + ly) * n + x];
    __syncthreads();
    for (u32 k = 0; k < 16; ++k)
      sum += ta[ly][k] * tb[k][lx];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

KERNEL(256) transpose(const float *__restrict__ from, float *__restrict__ to, u32 n) {
  __shared__ float tile[32][33];
  const u32 lx = threadIdx.x, ly = threadIdx.y;
  const u32 x = blockIdx.x * 32 + lx, y = blockIdx.y * 32 + ly;
  for (u32 j = 0; j < 32; j += 8)
    tile[ly + j][lx] = from[(y + j) * n + x];
  __syncthreads();
  const u32 tx = blockIdx.y * 32 + lx, ty = blockIdx.x * 32 + ly;
  for (u32 j = 0; j < 32; j += 8)
    to[(ty + j) * n + tx] = tile[lx][ly + j];
}

KERNEL(256) reduce(const float *__restrict__ values, float *__restrict__ partial, u32 n) {
  __shared__ float sums[256];
  const u32 l = threadIdx.x, stride = gridDim.x * blockDim.x;
  float sum = 0;
  for (u32 i = blockIdx.x * blockDim.x + l; i < n; i += stride)
    sum += values[i];
  sums[l] = sum;
  __syncthreads();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half)
      sums[l] += sums[l + half];
    __syncthreads();
  }
  if (l == 0)
    partial[blockIdx.x] = sums[0];
}

KERNEL(256) scan(const u32 *__restrict__ values, u32 *__restrict__ sums, u32 *__restrict__ totals) {
  __shared__ u32 tile[256];
  const u32 l = threadIdx.x, i = blockIdx.x * blockDim.x + l;
  tile[l] = values[i];
  __syncthreads();
  for (u32 step = 1; step < 256; step *= 2) {
    const u32 before = l >= step ? tile[l - step] : 0;
    __syncthreads();
    tile[l] += before;
    __syncthreads();
  }
  sums[i] = tile[l];
  if (l == 255)
    totals[blockIdx.x] = tile[255];
}

KERNEL(256) histogram(const u32 *__restrict__ words, u32 *__restrict__ bins, u32 n) {
  __shared__ u32 local[256];
  const u32 l = threadIdx.x, stride = gridDim.x * blockDim.x;
  local[l] = 0;
  __syncthreads();
  for (u32 i = blockIdx.x * blockDim.x + l; i < n; i += stride)
    for (u32 shift = 0; shift < 32; shift += 8)
      atomicAdd(&local[(words[i] >> shift) & 255], 1u);
  __syncthreads();
  atomicAdd(&bins[l], local[l]);
}

KERNEL(256)
stencil2d(const float *__restrict__ from, float *__restrict__ to, u32 width, u32 height) {
  const u32 x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height)
    return;
  const u32 i = y * width + x;
  to[i] = 0.5f * from[i] + 0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

KERNEL(256) stencil3d(const float *__restrict__ from, float *__restrict__ to, u32 n) {
  const u32 x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x == 0 || y == 0 || z == 0 || x + 1 >= n || y + 1 >= n || z + 1 >= n)
    return;
  const u32 i = (z * n + y) * n + x;
  to[i] = 0.4f * from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] +
                                   from[i - n * n] + from[i + n * n]);
}

KERNEL(256) mandelbrot(u32 *__restrict__ counts, u32 width, float scale, u32 limit) {
  const u32 px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = static_cast<float>(px) * scale - 2.0f;
  const float cy = static_cast<float>(py) * scale - 1.5f;
  float x = 0, y = 0;
  u32 count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++count;
  }
  counts[py * width + px] = count;
}

KERNEL(256)
matmul_int8(const i8 *__restrict__ a, const i8 *__restrict__ b, i32 *__restrict__ c, u32 n) {
  const u32 x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  i32 sum = 0;
  for (u32 k = 0; k < n; ++k)
    sum += static_cast<i32>(a[y * n + k]) * static_cast<i32>(b[x * n + k]);
  c[y * n + x] = sum;
}

__constant__ u32 sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ inline u32 rotate(u32 x, u32 n) {
  return __funnelshift_r(x, x, n);
}

KERNEL(64) sha256(const u32 *__restrict__ blocks, u32 *__restrict__ digests) {
  const u32 start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const u32 item = blockIdx.x * blockDim.x + threadIdx.x;
  u32 w[16];
  for (u32 t = 0; t < 16; ++t)
    w[t] = blocks[item * 16 + t];
  u32 a = start[0], b = start[1], c = start[2], d = start[3];
  u32 e = start[4], f = start[5], g = start[6], h = start[7];
#pragma unroll
  for (u32 t = 0; t < 64; ++t) {
    if (t >= 16) {
      const u32 w1 = w[(t + 1) % 16], w14 = w[(t + 14) % 16];
      const u32 s0 = rotate(w1, 7) ^ rotate(w1, 18) ^ (w1 >> 3);
      const u32 s1 = rotate(w14, 17) ^ rotate(w14, 19) ^ (w14 >> 10);
      w[t % 16] += s0 + w[(t + 9) % 16] + s1;
    }
    const u32 s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const u32 t1 = h + s1 + ((e & f) ^ (~e & g)) + sha256_constants[t] + w[t % 16];
    const u32 s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
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

KERNEL(64)
fft_pass(const float2 *__restrict__ from, float2 *__restrict__ to,
         const float2 *__restrict__ twiddles, u32 stride, u32 n) {
  const u32 quarter = n / 4, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quarter)
    return;
  const u32 k = i % stride, step = quarter / stride;
  float2 v[4];
  for (u32 r = 0; r < 4; ++r) {
    const float2 x = from[i + r * quarter], w = twiddles[k * step * r];
    v[r] = make_float2(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
  }
  const float2 s0 = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
  const float2 s1 = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
  const float2 s2 = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
  const float2 s3 = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
  const u32 out = (i - k) * 4 + k;
  to[out] = make_float2(s0.x + s2.x, s0.y + s2.y);
  to[out + stride] = make_float2(s1.x + s3.x, s1.y + s3.y);
  to[out + 2 * stride] = make_float2(s0.x - s2.x, s0.y - s2.y);
  to[out + 3 * stride] = make_float2(s1.x - s3.x, s1.y - s3.y);
}

KERNEL(256) softmax(const float *__restrict__ from, float *__restrict__ to, u32 columns) {
  __shared__ float partial[256];
  const u32 l = threadIdx.x, row = blockIdx.x * columns;
  float largest = -__int_as_float(0x7f800000);
  for (u32 i = l; i < columns; i += 256)
    largest = fmaxf(largest, from[row + i]);
  partial[l] = largest;
  __syncthreads();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half)
      partial[l] = fmaxf(partial[l], partial[l + half]);
    __syncthreads();
  }
  largest = partial[0];
  __syncthreads();
  float sum = 0;
  for (u32 i = l; i < columns; i += 256)
    sum += expf(from[row + i] - largest);
  partial[l] = sum;
  __syncthreads();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half)
      partial[l] += partial[l + half];
    __syncthreads();
  }
  const float scale = 1.0f / partial[0];
  for (u32 i = l; i < columns; i += 256)
    to[row + i] = expf(from[row + i] - largest) * scale;
}

KERNEL(256)
matmul_blocked(const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ c,
               u32 n) {
  __shared__ float ta[8][128];
  __shared__ float4 tb[8][32];
  const u32 l = threadIdx.x, row = blockIdx.y * 128, column = blockIdx.x * 128;
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
    __syncthreads();
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
    __syncthreads();
  }
  for (u32 i = 0; i < 8; ++i) {
    const u32 at = (row + y * 8 + i) * quads + column / 4 + x * 2;
    c[at] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    c[at + 1] = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
  }
}

KERNEL(256) layer_norm(const float *__restrict__ from, float *__restrict__ to, u32 columns) {
  __shared__ float sums[256];
  __shared__ float squares[256];
  const u32 l = threadIdx.x, row = blockIdx.x * columns;
  float sum = 0, square = 0;
  for (u32 i = l; i < columns; i += 256) {
    const float x = from[row + i];
    sum += x;
    square += x * x;
  }
  sums[l] = sum;
  squares[l] = square;
  __syncthreads();
  for (u32 half = 128; half > 0; half /= 2) {
    if (l < half) {
      sums[l] += sums[l + half];
      squares[l] += squares[l + half];
    }
    __syncthreads();
  }
  const float count = static_cast<float>(columns);
  const float mean = sums[0] / count;
  const float scale = rsqrtf(squares[0] / count - mean * mean + 1e-5f);
  for (u32 i = l; i < columns; i += 256)
    to[row + i] = (from[row + i] - mean) * scale;
}

__device__ inline float normal(float x) {
  const float size = fabsf(x), k = 1.0f / (1.0f + 0.2316419f * size);
  const float tail =
      0.39894228f * expf(-0.5f * size * size) * k *
      (0.31938153f +
       k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return x > 0 ? 1.0f - tail : tail;
}

KERNEL(256)
black_scholes(const float *__restrict__ price, const float *__restrict__ strike,
              const float *__restrict__ years, float2 *__restrict__ options, u32 n) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  constexpr float rate = 0.02f, volatility = 0.3f;
  const float s = 1 + 100 * price[i], x = 1 + 100 * strike[i], t = 0.25f + 9.75f * years[i];
  const float root = sqrtf(t);
  const float d1 =
      (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  const float d2 = d1 - volatility * root;
  const float n1 = normal(d1), n2 = normal(d2), discounted = x * expf(-rate * t);
  options[i] = make_float2(s * n1 - discounted * n2, discounted * (1 - n2) - s * (1 - n1));
}

KERNEL(256) bitonic_step(u32 *__restrict__ keys, u32 distance, u32 size) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  const u32 low = (i / distance) * distance * 2 + i % distance, high = low + distance;
  const u32 a = keys[low], b = keys[high];
  const bool up = (low & size) == 0;
  if ((a > b) == up) {
    keys[low] = b;
    keys[high] = a;
  }
}

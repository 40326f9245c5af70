//===- kernels.ispc - the benchmark's kernels in ISPC -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//

export void ispc_triad(uniform float a[], const uniform float b[], const uniform float c[],
                       uniform float s, uniform unsigned int first, uniform unsigned int last) {
  foreach (i = first ... last) { a[i] = b[i] + s * c[i]; }
}

export void ispc_nbody(const uniform float x[], const uniform float y[], const uniform float z[],
                       const uniform float mass[], uniform float ax[], uniform float ay[],
                       uniform float az[], uniform unsigned int n, uniform unsigned int first, uniform unsigned int last) {
  foreach (i = first ... last) {
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

export void ispc_mandelbrot(uniform int counts[], uniform unsigned int width, uniform int most,
                            uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int row = first; row < last; ++row) {
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
                               uniform unsigned int first, uniform unsigned int last) {
  foreach (i = first ... last) {
    float spread = volatility * sqrt(years[i]);
    float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) /
               spread;
    float d2 = d1 - spread;
    call[i] = price[i] * normal(d1) - strike[i] * exp(-rate * years[i]) * normal(d2);
  }
}

export void ispc_matmul_naive(const uniform float a[], const uniform float b[], uniform float c[],
                              uniform unsigned int n, uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int row = first; row < last; ++row) {
    foreach (column = 0 ... n) {
      float sum = 0;
      for (uniform unsigned int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}

export void ispc_matmul_tiled(const uniform float a[], const uniform float b[], uniform float c[],
                              uniform unsigned int n, uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int row = first * 16; row < last * 16; row += 16)
    for (uniform unsigned int column = 0; column < n; column += 16) {
      uniform float sums[16][16], ta[16][16], tb[16][16];
      foreach (y = 0 ... 16, x = 0 ... 16) { sums[y][x] = 0; }
      for (uniform unsigned int t = 0; t < n; t += 16) {
        for (uniform unsigned int y = 0; y < 16; ++y)
          foreach (x = 0 ... 16) {
            ta[y][x] = a[(row + y) * n + t + x];
            tb[y][x] = b[(t + y) * n + column + x];
          }
        for (uniform unsigned int y = 0; y < 16; ++y)
          foreach (x = 0 ... 16) {
            float sum = sums[y][x];
            for (uniform unsigned int k = 0; k < 16; ++k)
              sum += ta[y][k] * tb[k][x];
            sums[y][x] = sum;
          }
      }
      for (uniform unsigned int y = 0; y < 16; ++y)
        foreach (x = 0 ... 16) { c[(row + y) * n + column + x] = sums[y][x]; }
    }
}

export void ispc_stencil2d(const uniform float from[], uniform float to[],
                           uniform unsigned int width, uniform unsigned int height,
                           uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int y = max(first, 1u); y < min(last, height - 1); ++y)
    foreach (x = 1 ... width - 1) {
      unsigned int i = y * width + x;
      to[i] = 0.5f * from[i] +
              0.125f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
    }
}

export void ispc_stencil3d(const uniform float from[], uniform float to[], uniform unsigned int n,
                           uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int z = max(first, 1u); z < min(last, n - 1); ++z)
    for (uniform unsigned int y = 1; y < n - 1; ++y)
      foreach (x = 1 ... n - 1) {
        unsigned int i = (z * n + y) * n + x;
        to[i] = 0.4f * from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] +
                                         from[i - n * n] + from[i + n * n]);
      }
}

export void ispc_sobel(const uniform float from[], uniform float to[], uniform unsigned int width,
                       uniform unsigned int height, uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int y = max(first, 1u); y < min(last, height - 1); ++y)
    foreach (x = 1 ... width - 1) {
      unsigned int i = y * width + x;
      unsigned int up = i - width, down = i + width;
      float gx = from[up + 1] - from[up - 1] + 2 * (from[i + 1] - from[i - 1]) + from[down + 1] -
                 from[down - 1];
      float gy = from[down - 1] - from[up - 1] + 2 * (from[down] - from[up]) + from[down + 1] -
                 from[up + 1];
      to[i] = sqrt(gx * gx + gy * gy);
    }
}

// Scalar: atomic_add_local goes lane by lane too, and is slower.
export void ispc_histogram(const uniform unsigned int words[], uniform unsigned int bins[],
                           uniform unsigned int chunk, uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int g = first; g < last; ++g) {
    uniform unsigned int local[256];
    foreach (k = 0 ... 256) { local[k] = 0; }
    for (uniform unsigned int k = 0; k < chunk; ++k)
      for (uniform unsigned int shift = 0; shift < 32; shift += 8)
        ++local[(words[g * chunk + k] >> shift) & 255];
    foreach (k = 0 ... 256) { bins[g * 256 + k] = local[k]; }
  }
}

export void ispc_reduction(const uniform float values[], uniform float sums[],
                           uniform unsigned int chunk, uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int g = first; g < last; ++g) {
    float sum = 0;
    foreach (k = 0 ... chunk) { sum += values[g * chunk + k]; }
    sums[g] = reduce_add(sum);
  }
}

export void ispc_scan(const uniform unsigned int values[], uniform unsigned int sums[],
                      uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int row = first; row < last; ++row) {
    uniform unsigned int before = 0;
    for (uniform unsigned int k = 0; k < 256; k += programCount) {
      unsigned int value = values[row * 256 + k + programIndex];
      unsigned int sum = before + exclusive_scan_add(value) + value;
      sums[row * 256 + k + programIndex] = sum;
      before = extract(sum, programCount - 1);
    }
  }
}

export void ispc_softmax(const uniform float from[], uniform float to[],
                         uniform unsigned int columns, uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int row = first; row < last; ++row) {
    const uniform float *uniform input = from + row * columns;
    uniform float *uniform output = to + row * columns;
    float largest = input[0];
    foreach (k = 0 ... columns) { largest = max(largest, input[k]); }
    uniform float most = reduce_max(largest);
    float sum = 0;
    foreach (k = 0 ... columns) {
      float e = exp(input[k] - most);
      output[k] = e;
      sum += e;
    }
    uniform float scale = 1 / reduce_add(sum);
    foreach (k = 0 ... columns) { output[k] *= scale; }
  }
}

export void ispc_matmul_int8(const uniform int8 a[], const uniform int8 b[], uniform int32 c[],
                             uniform unsigned int n, uniform unsigned int first, uniform unsigned int last) {
  for (uniform unsigned int row = first; row < last; ++row) {
    foreach (column = 0 ... n) {
      int32 sum = 0;
      for (uniform unsigned int k = 0; k < n; ++k)
        sum += (int32)a[row * n + k] * (int32)b[k * n + column];
      c[row * n + column] = sum;
    }
  }
}

static inline unsigned int rotate_right(unsigned int x, uniform unsigned int by) {
  return x >> by | x << (32 - by);
}

static const uniform unsigned int constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static const uniform unsigned int start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

export void ispc_sha256(const uniform unsigned int blocks[], uniform unsigned int digests[],
                        uniform unsigned int first, uniform unsigned int last) {
  foreach (item = first ... last) {
  unsigned int w[16];
  for (uniform unsigned int t = 0; t < 16; ++t)
    w[t] = blocks[item * 16 + t];
  unsigned int a = start[0], b = start[1], c = start[2], d = start[3];
  unsigned int e = start[4], f = start[5], g = start[6], h = start[7];
  for (uniform unsigned int t = 0; t < 64; ++t) {
    if (t >= 16) {
      const unsigned int w1 = w[(t + 1) % 16], w14 = w[(t + 14) % 16];
      const unsigned int s0 = rotate_right(w1, 7) ^ rotate_right(w1, 18) ^ (w1 >> 3);
      const unsigned int s1 = rotate_right(w14, 17) ^ rotate_right(w14, 19) ^ (w14 >> 10);
      w[t % 16] += s0 + w[(t + 9) % 16] + s1;
    }
    const unsigned int s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
    const unsigned int t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t % 16];
    const unsigned int s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
    const unsigned int t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const unsigned int end[8] = {a, b, c, d, e, f, g, h};
  for (uniform unsigned int k = 0; k < 8; ++k)
    digests[item * 8 + k] = start[k] + end[k];
}
}

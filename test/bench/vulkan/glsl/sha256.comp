//===- sha256.comp - the peer of sha256() in ../../kernels/kernels.cpp -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { uint blocks[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { uint digests[]; };

const uint constants[64] = uint[](
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
    0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
    0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
    0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
    0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
    0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
    0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
    0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
    0xc67178f2u);
const uint start[8] = uint[](0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu,
                             0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u);

uint rotate(uint x, uint n) { return (x >> n) | (x << (32 - n)); }

void main() {
  uint item = gl_GlobalInvocationID.x;
  uint w[16];
  for (uint t = 0; t < 16; ++t)
    w[t] = blocks[item * 16 + t];
  uint a = start[0], b = start[1], c = start[2], d = start[3];
  uint e = start[4], f = start[5], g = start[6], h = start[7];
  for (uint t = 0; t < 64; ++t) {
    if (t >= 16) {
      uint w1 = w[(t + 1) % 16], w14 = w[(t + 14) % 16];
      uint s0 = rotate(w1, 7) ^ rotate(w1, 18) ^ (w1 >> 3);
      uint s1 = rotate(w14, 17) ^ rotate(w14, 19) ^ (w14 >> 10);
      w[t % 16] += s0 + w[(t + 9) % 16] + s1;
    }
    uint s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    uint t1 = h + s1 + ((e & f) ^ (~e & g)) + constants[t] + w[t % 16];
    uint s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    uint t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  uint end[8] = uint[](a, b, c, d, e, f, g, h);
  for (uint k = 0; k < 8; ++k)
    digests[item * 8 + k] = start[k] + end[k];
}

//===- matmul_blocked.comp - the peer of matmul_blocked() in ../../kernels/kernels.cpp -------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { vec4 a[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer B1 { vec4 b[]; };
layout(std430, set = 0, binding = 2) restrict writeonly buffer B2 { vec4 c[]; };
layout(push_constant) uniform Arguments { uint n; };

shared float ta[8][128];
shared vec4 tb[8][32];

void main() {
  uint l = gl_LocalInvocationID.x, row = gl_WorkGroupID.y * 128, column = gl_WorkGroupID.x * 128;
  uint x = l % 16, y = l / 16, quads = n / 4;
  float sums[8][8];
  for (uint i = 0; i < 8; ++i)
    for (uint j = 0; j < 8; ++j)
      sums[i][j] = 0;
  for (uint k = 0; k < n; k += 8) {
    vec4 va = a[(row + l / 2) * quads + k / 4 + l % 2];
    vec4 vb = b[(k + l / 32) * quads + column / 4 + l % 32];
    ta[l % 2 * 4 + 0][l / 2] = va.x;
    ta[l % 2 * 4 + 1][l / 2] = va.y;
    ta[l % 2 * 4 + 2][l / 2] = va.z;
    ta[l % 2 * 4 + 3][l / 2] = va.w;
    tb[l / 32][l % 32] = vb;
    barrier();
    for (uint step = 0; step < 8; ++step) {
      float left[8];
      for (uint i = 0; i < 8; ++i)
        left[i] = ta[step][y * 8 + i];
      vec4 b0 = tb[step][x * 2], b1 = tb[step][x * 2 + 1];
      float right[8] = float[](b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w);
      for (uint i = 0; i < 8; ++i)
        for (uint j = 0; j < 8; ++j)
          sums[i][j] += left[i] * right[j];
    }
    barrier();
  }
  for (uint i = 0; i < 8; ++i) {
    uint at = (row + y * 8 + i) * quads + column / 4 + x * 2;
    c[at] = vec4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    c[at + 1] = vec4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
  }
}

//===- fft_pass.comp - the peer of fft_pass() in ../../kernels/kernels.cpp -------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 64, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { vec2 from[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { vec2 to[]; };
layout(std430, set = 0, binding = 2) restrict readonly buffer B2 { vec2 twiddles[]; };
layout(push_constant) uniform Arguments { uint stride, n; };

void main() {
  uint quarter = n / 4, i = gl_GlobalInvocationID.x;
  if (i >= quarter)
    return;
  uint k = i % stride, step = quarter / stride;
  vec2 v[4];
  for (uint r = 0; r < 4; ++r) {
    vec2 x = from[i + r * quarter], w = twiddles[k * step * r];
    v[r] = vec2(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
  }
  vec2 s0 = v[0] + v[2], s1 = v[0] - v[2], s2 = v[1] + v[3], d = v[1] - v[3];
  vec2 s3 = vec2(d.y, -d.x);
  uint place = (i - k) * 4 + k;
  to[place] = s0 + s2;
  to[place + stride] = s1 + s3;
  to[place + 2 * stride] = s0 - s2;
  to[place + 3 * stride] = s1 - s3;
}

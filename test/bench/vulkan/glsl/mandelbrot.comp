//===- mandelbrot.comp - the peer of mandelbrot() in ../../kernels/kernels.cpp ---------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 16, local_size_y = 16, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict writeonly buffer B0 { uint counts[]; };
layout(push_constant) uniform Arguments { uint width; float scale; uint limit; };

void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  float cx = float(p.x) * scale - 2.0;
  float cy = float(p.y) * scale - 1.5;
  float x = 0, y = 0;
  uint count = 0;
  while (count < limit && x * x + y * y <= 4.0) {
    float next = x * x - y * y + cx;
    y = 2.0 * x * y + cy;
    x = next;
    ++count;
  }
  counts[p.y * width + p.x] = count;
}

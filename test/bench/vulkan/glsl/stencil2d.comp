//===- stencil2d.comp - the peer of stencil2d() in ../../kernels/kernels.cpp -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 16, local_size_y = 16, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float from[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { float to[]; };
layout(push_constant) uniform Arguments { uint width, height; };

void main() {
  uint x = gl_GlobalInvocationID.x, y = gl_GlobalInvocationID.y;
  if (x == 0 || y == 0 || x + 1 >= width || y + 1 >= height)
    return;
  uint i = y * width + x;
  to[i] = 0.5 * from[i] + 0.125 * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
}

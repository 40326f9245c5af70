//===- layer_norm.comp - the peer of layer_norm() in ../../kernels/kernels.cpp ---------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float from[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { float to[]; };
layout(push_constant) uniform Arguments { uint columns; };

shared float sums[256];
shared float squares[256];

void main() {
  uint l = gl_LocalInvocationID.x, row = gl_WorkGroupID.x * columns;
  float sum = 0, square = 0;
  for (uint i = l; i < columns; i += 256) {
    float x = from[row + i];
    sum += x;
    square += x * x;
  }
  sums[l] = sum;
  squares[l] = square;
  barrier();
  for (uint width = 128; width > 0; width /= 2) {
    if (l < width) {
      sums[l] += sums[l + width];
      squares[l] += squares[l + width];
    }
    barrier();
  }
  float count = float(columns);
  float mean = sums[0] / count;
  float scale = inversesqrt(squares[0] / count - mean * mean + 1e-5);
  for (uint i = l; i < columns; i += 256)
    to[row + i] = (from[row + i] - mean) * scale;
}

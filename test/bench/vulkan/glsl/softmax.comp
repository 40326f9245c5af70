//===- softmax.comp - the peer of softmax() in ../../kernels/kernels.cpp ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float from[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { float to[]; };
layout(push_constant) uniform Arguments { uint columns; };

shared float partial[256];

void main() {
  uint l = gl_LocalInvocationID.x, row = gl_WorkGroupID.x * columns;
  float largest = uintBitsToFloat(0xff800000u);
  for (uint i = l; i < columns; i += 256)
    largest = max(largest, from[row + i]);
  partial[l] = largest;
  barrier();
  for (uint width = 128; width > 0; width /= 2) {
    if (l < width)
      partial[l] = max(partial[l], partial[l + width]);
    barrier();
  }
  largest = partial[0];
  barrier();
  float sum = 0;
  for (uint i = l; i < columns; i += 256)
    sum += exp(from[row + i] - largest);
  partial[l] = sum;
  barrier();
  for (uint width = 128; width > 0; width /= 2) {
    if (l < width)
      partial[l] = partial[l] + partial[l + width];
    barrier();
  }
  float scale = 1.0 / partial[0];
  for (uint i = l; i < columns; i += 256)
    to[row + i] = exp(from[row + i] - largest) * scale;
}

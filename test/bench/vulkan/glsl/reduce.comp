//===- reduce.comp - the peer of reduce() in ../../kernels/kernels.cpp -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float values[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { float partial[]; };
layout(push_constant) uniform Arguments { uint n; };

shared float sums[256];

void main() {
  uint l = gl_LocalInvocationID.x, stride = gl_NumWorkGroups.x * 256;
  float sum = 0;
  for (uint i = gl_GlobalInvocationID.x; i < n; i += stride)
    sum += values[i];
  sums[l] = sum;
  barrier();
  for (uint width = 128; width > 0; width /= 2) {
    if (l < width)
      sums[l] += sums[l + width];
    barrier();
  }
  if (l == 0)
    partial[gl_WorkGroupID.x] = sums[0];
}

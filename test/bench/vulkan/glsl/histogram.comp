//===- histogram.comp - the peer of histogram() in ../../kernels/kernels.cpp -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { uint words[]; };
layout(std430, set = 0, binding = 1) restrict buffer B1 { uint bins[]; };
layout(push_constant) uniform Arguments { uint n; };

shared uint local[256];

void main() {
  uint l = gl_LocalInvocationID.x, stride = gl_NumWorkGroups.x * 256;
  local[l] = 0;
  barrier();
  for (uint i = gl_GlobalInvocationID.x; i < n; i += stride)
    for (uint shift = 0; shift < 32; shift += 8)
      atomicAdd(local[(words[i] >> shift) & 255], 1);
  barrier();
  atomicAdd(bins[l], local[l]);
}

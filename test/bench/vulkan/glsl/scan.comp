//===- scan.comp - the peer of scan() in ../../kernels/kernels.cpp ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { uint values[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { uint sums[]; };
layout(std430, set = 0, binding = 2) restrict writeonly buffer B2 { uint totals[]; };

shared uint tile[256];

void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  tile[l] = values[i];
  barrier();
  for (uint step = 1; step < 256; step *= 2) {
    uint before = l >= step ? tile[l - step] : 0;
    barrier();
    tile[l] += before;
    barrier();
  }
  sums[i] = tile[l];
  if (l == 255)
    totals[gl_WorkGroupID.x] = tile[255];
}

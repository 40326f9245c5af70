//===- transpose.comp - the peer of transpose() in ../../kernels/kernels.cpp -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 32, local_size_y = 8, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float from[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { float to[]; };
layout(push_constant) uniform Arguments { uint n; };

shared float tile[32][33];

void main() {
  uvec2 group = gl_WorkGroupID.xy, l = gl_LocalInvocationID.xy;
  uvec2 p = group * 32 + l;
  for (uint j = 0; j < 32; j += 8)
    tile[l.y + j][l.x] = from[(p.y + j) * n + p.x];
  barrier();
  uvec2 q = group.yx * 32 + l;
  for (uint j = 0; j < 32; j += 8)
    to[(q.y + j) * n + q.x] = tile[l.x][l.y + j];
}

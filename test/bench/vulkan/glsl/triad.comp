//===- triad.comp - the peer of triad() in ../../kernels/kernels.cpp -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict writeonly buffer B0 { float a[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer B1 { float b[]; };
layout(std430, set = 0, binding = 2) restrict readonly buffer B2 { float c[]; };
layout(push_constant) uniform Arguments { float s; uint n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n)
    a[i] = b[i] + s * c[i];
}

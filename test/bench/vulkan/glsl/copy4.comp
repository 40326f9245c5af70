//===- copy4.comp - the peer of copy4() in ../../kernels/kernels.cpp -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict writeonly buffer B0 { vec4 to[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer B1 { vec4 from[]; };
layout(push_constant) uniform Arguments { uint n; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < n)
    to[i] = from[i];
}

//===- matmul_naive.comp - the peer of matmul_naive() in ../../kernels/kernels.cpp -----------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 16, local_size_y = 16, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float a[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer B1 { float b[]; };
layout(std430, set = 0, binding = 2) restrict writeonly buffer B2 { float c[]; };
layout(push_constant) uniform Arguments { uint n; };

void main() {
  uvec2 g = gl_GlobalInvocationID.xy;
  float sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += a[g.y * n + k] * b[k * n + g.x];
  c[g.y * n + g.x] = sum;
}

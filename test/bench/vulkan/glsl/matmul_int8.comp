//===- matmul_int8.comp - the peer of matmul_int8() in ../../kernels/kernels.cpp -------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
layout(local_size_x = 16, local_size_y = 16, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { int8_t a[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer B1 { int8_t b[]; };
layout(std430, set = 0, binding = 2) restrict writeonly buffer B2 { int c[]; };
layout(push_constant) uniform Arguments { uint n; };

void main() {
  uvec2 g = gl_GlobalInvocationID.xy;
  int sum = 0;
  for (uint k = 0; k < n; ++k)
    sum += int(a[g.y * n + k]) * int(b[g.x * n + k]);
  c[g.y * n + g.x] = sum;
}

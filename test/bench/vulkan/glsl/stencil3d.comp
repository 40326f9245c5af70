//===- stencil3d.comp - the peer of stencil3d() in ../../kernels/kernels.cpp -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 32, local_size_y = 4, local_size_z = 2) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float from[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { float to[]; };
layout(push_constant) uniform Arguments { uint n; };

void main() {
  uvec3 p = gl_GlobalInvocationID;
  if (any(equal(p, uvec3(0))) || any(greaterThanEqual(p + 1, uvec3(n))))
    return;
  uint i = (p.z * n + p.y) * n + p.x;
  to[i] = 0.4 * from[i] + 0.1 * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] +
                                 from[i - n * n] + from[i + n * n]);
}

//===- nbody.comp - the peer of nbody() in ../../kernels/kernels.cpp -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256, local_size_y = 1, local_size_z = 1) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { vec4 bodies[]; };
layout(std430, set = 0, binding = 1) restrict writeonly buffer B1 { vec4 accelerations[]; };
layout(push_constant) uniform Arguments { uint n; };

shared vec4 tile[256];

void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  vec4 me = bodies[i];
  vec3 sum = vec3(0);
  for (uint first = 0; first < n; first += 256) {
    tile[l] = bodies[first + l];
    barrier();
    for (uint k = 0; k < 256; ++k) {
      vec4 other = tile[k];
      vec3 d = other.xyz - me.xyz;
      float r = inversesqrt(dot(d, d) + 1e-3);
      sum += d * (other.w * r * r * r);
    }
    barrier();
  }
  accelerations[i] = vec4(sum, 0);
}

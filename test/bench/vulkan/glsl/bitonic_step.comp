//===- bitonic_step.comp - the peer of bitonic_step() in ../../kernels/kernels.cpp -----------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) restrict buffer B0 { uint keys[]; };
layout(push_constant) uniform Arguments { uint apart, size; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint low = (i / apart) * apart * 2 + i % apart, high = low + apart;
  uint a = keys[low], b = keys[high];
  bool up = (low & size) == 0;
  if ((a > b) == up) {
    keys[low] = b;
    keys[high] = a;
  }
}

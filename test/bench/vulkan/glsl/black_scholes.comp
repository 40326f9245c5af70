//===- black_scholes.comp - the peer of black_scholes() in ../../kernels/kernels.cpp ---------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) restrict readonly buffer B0 { float price[]; };
layout(std430, set = 0, binding = 1) restrict readonly buffer B1 { float strike[]; };
layout(std430, set = 0, binding = 2) restrict readonly buffer B2 { float years[]; };
layout(std430, set = 0, binding = 3) restrict writeonly buffer B3 { vec2 options[]; };
layout(push_constant) uniform Arguments { uint n; };

float normal(float x) {
  float size = abs(x), k = 1.0 / (1.0 + 0.2316419 * size);
  float tail = 0.39894228 * exp(-0.5 * size * size) * k *
               (0.31938153 +
                k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  return x > 0 ? 1.0 - tail : tail;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= n)
    return;
  const float rate = 0.02, volatility = 0.3;
  float s = 1 + 100 * price[i], x = 1 + 100 * strike[i], t = 0.25 + 9.75 * years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = normal(d1), n2 = normal(d2), discounted = x * exp(-rate * t);
  options[i] = vec2(s * n1 - discounted * n2, discounted * (1 - n2) - s * (1 - n1));
}

#version 450
// spin(span<u32> x, u32 rounds): so many rounds of a linear congruential generator
layout(local_size_x = 32) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer X { uint x[]; };
layout(push_constant) uniform Block { uint rounds, x_length, x_offset; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint xo = shifted ? x_offset / 4 : 0;
  if (i >= x_length) return;
  uint value = x[xo + i];
  for (uint r = 0; r < rounds; ++r) value = value * 1664525u + 1013904223u;
  x[xo + i] = value;
}

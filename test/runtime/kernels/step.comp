#version 450
// step(span<u32> x, u32 value): x[i] = x[i] * 3 + value; the order of steps shows in the result
layout(local_size_x = 32) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer X { uint x[]; };
layout(push_constant) uniform Block { uint value, x_length, x_offset; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint xo = shifted ? x_offset / 4 : 0;
  if (i < x_length) x[xo + i] = x[xo + i] * 3 + value;
}

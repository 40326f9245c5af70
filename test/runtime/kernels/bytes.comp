#version 450
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
// bytes(span<u8> x): x[i] += 1
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer X { uint8_t x[]; };
layout(push_constant) uniform Block { uint x_length, x_offset; };
void main() {
  uint i = gl_GlobalInvocationID.x + (shifted ? x_offset : 0);
  if (gl_GlobalInvocationID.x < x_length) x[i] = uint8_t(x[i] + uint8_t(1));
}

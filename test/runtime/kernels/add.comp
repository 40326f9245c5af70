#version 450
// add(span<float> a, span<const float> b): a[i] += b[i]
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(push_constant) uniform Block { uint a_length, b_length, a_offset, b_offset; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint ao = shifted ? a_offset / 4 : 0;
  uint bo = shifted ? b_offset / 4 : 0;
  if (i < a_length && i < b_length) a[ao + i] += b[bo + i];
}

#version 450
// shift(span<u32> to, span<const u32> from), may_alias: to[i] = from[i] + 1
layout(local_size_x = 32) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer To { uint to[]; };
layout(set = 0, binding = 1) readonly buffer From { uint from[]; };
layout(push_constant) uniform Block { uint to_length, from_length, to_offset, from_offset; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint t = shifted ? to_offset / 4 : 0;
  uint f = shifted ? from_offset / 4 : 0;
  if (i < to_length && i < from_length) to[t + i] = from[f + i] + 1;
}

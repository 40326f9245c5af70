#version 450
// where(u32 *out), groups of 4 x 2 x 2: each item writes its index, where it is and the grid's size
layout(local_size_x = 4, local_size_y = 2, local_size_z = 2) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer Out { uint data[]; };
layout(push_constant) uniform Block { uint out_offset; };
void main() {
  uvec3 g = gl_GlobalInvocationID;
  uvec3 n = gl_NumWorkGroups * gl_WorkGroupSize;
  uint i = (g.z * n.y + g.y) * n.x + g.x + (shifted ? out_offset / 4 : 0);
  data[i] = g.x | g.y << 8 | g.z << 16 | gl_NumWorkGroups.x << 24;
}

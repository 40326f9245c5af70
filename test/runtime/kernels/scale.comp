#version 450
// scale(span<float> x, const float &factor): x[i] *= factor
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer X { float x[]; };
layout(set = 0, binding = 1) readonly buffer F { float factor[]; };
layout(push_constant) uniform Block { uint x_length, x_offset, factor_offset; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i < x_length)
    x[(shifted ? x_offset / 4 : 0) + i] *= factor[shifted ? factor_offset / 4 : 0];
}

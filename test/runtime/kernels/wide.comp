#version 450
// wide(span<float> y, float c[40]): y[i] = c[i % 40]; the block is too large for push constants
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool shifted = false;
layout(set = 0, binding = 0) buffer Y { float y[]; };
layout(set = 0, binding = 1) uniform Block { uvec4 words[11]; };
uint word(uint i) { return words[i / 4][i % 4]; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint yo = shifted ? word(41) / 4 : 0;
  if (i < word(40)) y[yo + i] = uintBitsToFloat(word(i % 40));
}

#version 450
// sum20(u32 *out, const u32 *in1, ... in19): out[i] = in1[i] + ... + in19[i], for 32 items
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint sum[]; };
layout(set = 0, binding = 1) readonly buffer In1 { uint in1[]; };
layout(set = 0, binding = 2) readonly buffer In2 { uint in2[]; };
layout(set = 0, binding = 3) readonly buffer In3 { uint in3[]; };
layout(set = 0, binding = 4) readonly buffer In4 { uint in4[]; };
layout(set = 0, binding = 5) readonly buffer In5 { uint in5[]; };
layout(set = 0, binding = 6) readonly buffer In6 { uint in6[]; };
layout(set = 0, binding = 7) readonly buffer In7 { uint in7[]; };
layout(set = 0, binding = 8) readonly buffer In8 { uint in8[]; };
layout(set = 0, binding = 9) readonly buffer In9 { uint in9[]; };
layout(set = 0, binding = 10) readonly buffer In10 { uint in10[]; };
layout(set = 0, binding = 11) readonly buffer In11 { uint in11[]; };
layout(set = 0, binding = 12) readonly buffer In12 { uint in12[]; };
layout(set = 0, binding = 13) readonly buffer In13 { uint in13[]; };
layout(set = 0, binding = 14) readonly buffer In14 { uint in14[]; };
layout(set = 0, binding = 15) readonly buffer In15 { uint in15[]; };
layout(set = 0, binding = 16) readonly buffer In16 { uint in16[]; };
layout(set = 0, binding = 17) readonly buffer In17 { uint in17[]; };
layout(set = 0, binding = 18) readonly buffer In18 { uint in18[]; };
layout(set = 0, binding = 19) readonly buffer In19 { uint in19[]; };
layout(push_constant) uniform Block { uint offsets[20]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  sum[i] = in1[i] + in2[i] + in3[i] + in4[i] + in5[i] + in6[i] + in7[i] +
           in8[i] + in9[i] + in10[i] + in11[i] + in12[i] + in13[i] + in14[i] +
           in15[i] + in16[i] + in17[i] + in18[i] + in19[i];
}

#version 450
// unbound(u32 *x), wrongly at a binding that no launch fills: for the validation layer to find
layout(local_size_x = 1) in;
layout(set = 0, binding = 7) buffer X { uint x[]; };
void main() { x[0] = 1; }

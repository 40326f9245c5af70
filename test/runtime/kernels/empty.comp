#version 450
layout(local_size_x = 32) in;
// empty(): nothing
void main() {}

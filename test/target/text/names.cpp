// What the user named keeps its name, also where the language's words are in the way; blocks and
// buffers are where abi.h says.
//
// RUN: %khal-opt --abi=shader --stage=wgsl %s | FileCheck --check-prefix=WGSL %s
// RUN: %khal-opt --abi=shader --stage=glsl %s | FileCheck --check-prefix=GLSL %s
// RUN: %khal-opt --abi=shader --stage=msl %s | FileCheck --check-prefix=MSL %s
// RUN: %khal-opt --abi=shader --stage=hlsl %s | FileCheck --check-prefix=HLSL %s
// RUN: %khalc --target=hlsl --emit=json -o %t %s
// RUN: FileCheck --check-prefix=ENTRY --input-file=%t/names.khal.json %s

#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void sum(span<const float> loop, span<float> total, u32 steps) {
  float result = 0;
  for (u32 step = 0; step < steps; ++step)
    result += loop[step];
  total[global_id().x] = result;
}
// WGSL-DAG: @group(0) @binding(0) var<storage, read> loop_: array<f32>;
// WGSL-DAG: @group(0) @binding(1) var<storage, read_write> total: array<f32>;
// WGSL-DAG: @group(0) @binding(2) var<uniform> arguments: array<vec4<u32>, 2>;
// WGSL: fn sum(
// WGSL: var result: f32;
// GLSL: layout(binding = 2, std140) uniform arguments_block
// GLSL: layout(binding = 0, std430) restrict readonly buffer loop_block
// GLSL: void main()
// GLSL: float result
// MSL: kernel void sum(const device loop_block& __restrict loop {{\[\[}}buffer(0){{\]\]}}, device total_block& __restrict total {{\[\[}}buffer(1){{\]\]}}, constant arguments_block& arguments {{\[\[}}buffer(2){{\]\]}}
// HLSL: cbuffer arguments_block : register(b0, space0)
// HLSL-DAG: {{^}}ByteAddressBuffer loop : register(t0, space0);
// HLSL-DAG: RWByteAddressBuffer total : register(u1, space0);
// HLSL: void sum(
// ENTRY: "entry": "sum"

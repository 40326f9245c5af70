// The launch sizes a shared span by a constant: a macro, or an override in WGSL.
//
// RUN: %khalc --target=glsl,hlsl,msl,wgsl --emit=text -o %t %s
// RUN: FileCheck --check-prefixes=MACRO,GLSL --input-file=%t/shared_span.kernel.comp %s
// RUN: FileCheck --check-prefixes=MACRO,HLSL --input-file=%t/shared_span.kernel.hlsl %s
// RUN: FileCheck --check-prefixes=MACRO,MSL --input-file=%t/shared_span.kernel.metal %s
// RUN: FileCheck --check-prefix=WGSL --input-file=%t/shared_span.kernel.wgsl %s
#include <khal/kernel.hpp>
using namespace khal;

struct Pair {
  float first, second;
};

// MACRO:      #ifndef SPIRV_CROSS_CONSTANT_ID_1
// MACRO-NEXT: #define SPIRV_CROSS_CONSTANT_ID_1 1u
// MACRO:      pairs_size = SPIRV_CROSS_CONSTANT_ID_1;
// MACRO:      {{[a-z_0-9]+}} = (pairs_size * 2u);
// GLSL:       shared float pairs[
// HLSL:       groupshared float pairs[
// MSL:        threadgroup float pairs[
// WGSL:       @id(1) override pairs_size: u32 = 1u;
// WGSL-NEXT:  var<workgroup> pairs: array<f32, pairs_size * 2u>;
[[khal::kernel(64)]] void kernel(shared_span<Pair> pairs, span<float> a) {
  const u32 l = local_id().x;
  if (l < pairs.size())
    pairs[l] = {a[l], 1};
  barrier();
  a[l] = pairs[(l + 1) % pairs.size()].first + pairs[0].second;
}

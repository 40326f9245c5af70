// Shading languages choose by 32 bits alone, so that narrower selectors are widened.
//
// RUN: %khal-opt --abi=shader --stage=glsl %s > %t.comp
// RUN: FileCheck --check-prefix=GLSL --input-file=%t.comp %s
// RUN: glslangValidator --quiet -S comp -V --target-env vulkan1.1 -o %t.spv %t.comp
// RUN: %khal-opt --abi=shader --stage=msl %s | FileCheck --check-prefix=MSL %s

#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void kernel(span<const u8> in, span<u32> out) {
  const u32 i = global_id().x;
  switch (static_cast<u8>(in[i] % 5)) {
  case 0:
    out[i] = in[i + 1] * 7;
    break;
  case 1:
    out[i + 2] = 9;
    break;
  case 3:
    out[i] = i / 3;
    break;
  default:
    out[0] = 1;
  }
}
// GLSL: switch (uint(
// MSL: switch (uint(

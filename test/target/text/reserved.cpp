// Values that are called like a language's own words get another name; LLVM's own names, too.
//
// RUN: %khal-opt --abi=shader --stage=glsl %s > %t.comp
// RUN: FileCheck --check-prefix=GLSL --input-file=%t.comp %s
// RUN: glslangValidator --quiet -S comp -V --target-env vulkan1.1 -o %t.spv %t.comp
// RUN: %khal-opt --abi=shader --stage=hlsl %s | FileCheck --check-prefix=HLSL %s
// RUN: %khal-opt --abi=shader --stage=msl %s | FileCheck --check-prefix=MSL %s

#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void kernel(span<const u32> in, span<u32> out, u32 steps) {
  u32 half = 1, sample = in[3];
  for (u32 step = 0; step < steps; ++step) {
    half += in[step] * sample;
    sample ^= half / 3;
  }
  out[global_id().x] = half || in[sample] > 4 ? half : sample;
}
// GLSL-DAG: uint half_ = {{.*}};
// GLSL-DAG: uint sample_ = {{.*}};
// GLSL-DAG: uint step_ = {{.*}};
// HLSL-DAG: uint half_ = {{.*}};
// HLSL-DAG: uint sample_ = {{.*}};
// MSL-DAG: uint half_ = {{.*}};
// MSL-DAG: uint step_ = {{.*}};

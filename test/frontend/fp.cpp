// --fp on each target: what may be fused, and how division and square root are done.
// RUN: %khal-opt --abi=host --fp=strict --stage=cpu %s | FileCheck --check-prefix=CPU-STRICT %s
// RUN: %khal-opt --abi=host --stage=cpu %s | FileCheck --check-prefix=CPU %s
// RUN: %khal-opt --abi=nvptx --fp=strict --stage=ptx %s | FileCheck --check-prefix=PTX-STRICT %s
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck --check-prefix=PTX %s
// RUN: %khal-opt --abi=nvptx --fp=fast --stage=ptx %s | FileCheck --check-prefix=PTX-FAST %s
// RUN: %khal-opt --abi=shader --fp=strict --stage=spirv %s | FileCheck --check-prefix=SPIRV-STRICT %s
// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck --check-prefix=SPIRV --implicit-check-not=NoContraction --implicit-check-not=SignedZero %s
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void f(span<float> a, span<const float> b) {
  const u32 i = global_id().x;
  a[i] = a[i] * b[i] + 1.5f / b[i] + sqrt(b[i + 1]) + rsqrt(b[i + 2]);
  if constexpr (target::ptx) // on shaders khal's own, of which nothing is fused
    a[i] += exp(b[i + 3]);
}
// CPU-STRICT: fmul <8 x float>
// CPU-STRICT: fadd <8 x float>
// CPU: fmul contract <8 x float>
// CPU: fadd contract <8 x float>

// PTX-STRICT-NOT: fma.rn.f32 %r{{[0-9]+}}, %r5
// PTX-STRICT: mul.rn.f32
// PTX-STRICT: div.rn.f32
// PTX-STRICT: add.rn.f32
// PTX-STRICT: sqrt.rn.f32
// PTX-STRICT: sqrt.rn.f32
// PTX-STRICT: rcp.rn.f32

// PTX: div.rn.f32
// PTX: fma.rn.f32
// PTX: sqrt.rn.f32
// PTX: rsqrt.approx.f32

// PTX-FAST: div.approx.ftz.f32
// PTX-FAST: fma.rn.ftz.f32
// PTX-FAST: sqrt.approx.ftz.f32
// PTX-FAST: rsqrt.approx.ftz.f32
// PTX-FAST: ex2.approx.ftz.f32

// SPIRV-STRICT: OpCapability DenormPreserve
// SPIRV-STRICT: OpCapability SignedZeroInfNanPreserve
// SPIRV-STRICT: OpExecutionMode %f SignedZeroInfNanPreserve 32
// SPIRV-STRICT: OpExecutionMode %f DenormPreserve 32
// SPIRV-STRICT: OpDecorate %[[PRODUCT:[0-9]+]] NoContraction
// SPIRV-STRICT: %[[PRODUCT]] = OpFMul
// SPIRV-STRICT: OpUDiv
// A second module for devices that can't be told to keep subnormals:
// SPIRV-STRICT-NOT: OpCapability DenormPreserve
// SPIRV-STRICT: OpExecutionMode %f SignedZeroInfNanPreserve 32

// SPIRV: OpFMul
// SPIRV: OpFDiv
// SPIRV: OpExtInst %float %{{[0-9]+}} Sqrt
// SPIRV: OpExtInst %float %{{[0-9]+}} InverseSqrt

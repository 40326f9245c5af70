//===- MathLibrary.h - maths functions of khal's own for shaders ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_MATHLIBRARY_H
#define KHALC_TARGET_SHADER_MATHLIBRARY_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Replaces the maths functions that GLSL.std.450 lacks, or allows large errors, by calls of khal's
/// own, and links these into the function's module, to be inlined:
///
///   call float @llvm.sin.f32(float %x)   =>   call float @khal.maths.sin.f32(float %x)
///   call double @erf(double %x)          =>   call double @khal.maths.erf.f64(double %x)
///
/// Of exp and exp2 there is a second form that rests on the device's exp2; it is taken for calls that
/// may be fused, so not under --fp=strict:
///
///   call contract float @llvm.exp.f32(float %x)   =>   call float @khal.maths.exp.device.f32(float %x)
///
/// half is computed in float, a vector element by element. Calls that may be approximate (--fp=fast)
/// stay where GLSL.std.450 has the function for their type. True if there are any calls to inline.
bool lowerMaths(llvm::Function &entry);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_MATHLIBRARY_H

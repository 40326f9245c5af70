//===- ExpandIntrinsics.h - LLVM intrinsics that no shader language has --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_EXPANDINTRINSICS_H
#define KHALC_TARGET_SHADER_EXPANDINTRINSICS_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Rewrites integer and bit-level intrinsics into plain arithmetic and the few that every shader
/// language has (see isNativeIntrinsic in shader/spirv). What is left for a writer:
///   on i32: umin umax smin smax abs ctpop ctlz cttz bitreverse;
///   on floats: the maths that the shader languages share, fma and fmuladd, minnum and maxnum.
///
///   %r = call i64 @llvm.ctpop.i64(%x)  =>  sum of llvm.ctpop.i32 of both halves
void expandIntrinsics(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_EXPANDINTRINSICS_H

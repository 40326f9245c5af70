//===- ExpandRemainder.h - fmod without a remainder instruction ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_EXPANDREMAINDER_H
#define KHALC_TARGET_SHADER_EXPANDREMAINDER_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Replaces `frem`, C's fmod, by long division on the significands, which is exact: the shader
/// languages' own remainder is x - y * trunc(x / y) with every rounding error of that.
///
///   %r = frem float %x, %y   =>   one step of shift and subtract for each bit of exponent between
void expandRemainder(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_EXPANDREMAINDER_H

//===- WidenAccesses.h - neighbouring accesses as one of up to 16 bytes ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_WIDENACCESSES_H
#define KHALC_TARGET_SHADER_WIDENACCESSES_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Joins loads, and stores, of neighbours whose first is aligned to their common size, and makes
/// 64-bit integers that are only copied two words, which need no 64-bit arithmetic.
///
///   4 x load float, align 16, 4, 8, 4   =>   load <4 x float>, 4 x extractelement
///   4 x load i8, align 4, 1, 2, 1       =>   load i32, shifts and truncations
///   store i64 (load i64 %p), %q         =>   store <2 x i32> (load <2 x i32> %p), %q
///
/// Afterwards an access is a scalar or a vector of two or four 32-bit, or two 64-bit, elements, and
/// a vector is only copied, taken apart by extractelement or put together by insertelement, both
/// with constant indices.
void widenAccesses(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_WIDENACCESSES_H

//===- SplitIntegers.h - 64-bit integers as pairs of words ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_SPLITINTEGERS_H
#define KHALC_TARGET_SHADER_SPLITINTEGERS_H

namespace llvm {
class Function;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// For targets whose integers are 32 bits wide: rewrites a function whose integers are 1, 32 and 64
/// bits wide so that none of 64 bits is left. Divisions become LLVM's shift-and-subtract loops.
///
///   %s = add i64 %a, %b   =>   %lo = add i32 %a.lo, %b.lo
///                              %carry = icmp ult i32 %lo, %a.lo
///                              %hi = %a.hi + %b.hi + %carry
///
/// False after a report.
bool splitIntegers(llvm::Function &function, diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_SPLITINTEGERS_H

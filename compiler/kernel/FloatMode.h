//===- FloatMode.h - how exactly floating-point arithmetic is done ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_KERNEL_FLOATMODE_H
#define KHALC_KERNEL_FLOATMODE_H

namespace khalc {

/// khalc's --fp.
enum class FloatMode {
  /// Every operation rounded on its own, division and square root correctly on every target, so
  /// that all targets give the same bits.
  Strict,
  /// a * b + c may be rounded once; division and square root as the target does them natively.
  Default,
  /// Reassociated and approximate: a reciprocal for a division, the target's own functions,
  /// subnormals as zero where that is faster. Infinities and NaN keep their meaning.
  Fast
};

} // namespace khalc

#endif // KHALC_KERNEL_FLOATMODE_H

//===- LegaliseIntegers.h - integers of the widths that shaders have -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_LEGALISEINTEGERS_H
#define KHALC_TARGET_SHADER_LEGALISEINTEGERS_H

namespace llvm {
class Function;
}

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// The narrowest integers, in bits, that a target computes with and that its memory has.
struct IntegerWidths {
  unsigned computed = 32, stored = 8;
};

/// Gives every integer of an odd width (i3, i24, i33 …) the next width that shaders compute with, 32
/// or 64. Upper bits may be anything until an operation looks at them.
///
///   %s = add i33 %a, %b   =>   %w = add i64 %a, %b
///   %r = lshr i33 %s, 1        %s = and i64 %w, 0x1ffffffff
///                              %r = lshr i64 %s, 1
///
/// Widths of 8 and 16 bits stay in loads, stores and calls where `widths` has them, but aren't computed
/// with though SPIR-V could: few devices have such arithmetic, and what drivers make of it isn't always
/// right (NVIDIA's 580 forgets that results wrap, as in -static_cast<i8>(-128)).
///
/// False after a report.
bool legaliseIntegers(llvm::Function &function, diag::Engine &diagnostics,
                      IntegerWidths widths = {});

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_LEGALISEINTEGERS_H

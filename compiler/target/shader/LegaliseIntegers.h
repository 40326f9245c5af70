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

/// Gives every integer that the optimiser made of an odd width (i3, i24, i33 …) the next width that
/// shaders have, 8, 16, 32 or 64, with the upper bits kept zero. Wider ones are reported.
///
///   %s = add i33 %a, %b   =>   %w = add i64 %a, %b; %s = and i64 %w, 0x1ffffffff
///
/// With a `narrowest` of 32 the widths 8 and 16 are odd, too, for targets that don't compute with
/// them. False after a report.
bool legaliseIntegers(llvm::Function &function, diag::Engine &diagnostics, unsigned narrowest = 8);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_LEGALISEINTEGERS_H

//===- WordViews.h - buffers reached by words alone -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_WORDVIEWS_H
#define KHALC_TARGET_SHADER_WORDVIEWS_H

#include "shader/Lowered.h"

namespace khalc::shader {

/// For targets that bind a buffer once and under a 32-bit element type: gives each buffer of a
/// lowered kernel one view. It is the buffer's own where that is the only one and 32 bits wide, else
/// u32 words. Narrow loads take their part of a word; narrow stores clear and set theirs by two
/// atomics, so that neighbours written by other work-items meanwhile are safe.
///
///   store i8 %v, @bytes[%i]     =>   atomicrmw and @words[%i / 4], ~(0xff << 8 * (%i % 4))
///                                    atomicrmw or  @words[%i / 4], %v << 8 * (%i % 4)
///
/// With `widen`, 8- and 16-bit elements of other memory lie in a word each; with `split`, 64-bit
/// integers there are two words.
void useWordViews(LoweredKernel &kernel, bool widen, bool split);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_WORDVIEWS_H

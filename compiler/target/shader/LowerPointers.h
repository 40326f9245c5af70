//===- LowerPointers.h - pointers as root and offset ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_LOWERPOINTERS_H
#define KHALC_TARGET_SHADER_LOWERPOINTERS_H

#include "shader/Lowered.h"

#include <optional>

namespace khalc::diag {
class Engine;
}

namespace khalc::shader {

/// Rewrites a function so that no pointer is left but those that name an element of a resource.
/// Every pointer becomes an i32 offset in units of its root (see PointerRoots), and where it may
/// point into several roots also an i32 tag that tells which; an access through such a pointer
/// becomes a switch over the roots.
///
///   %p = phi ptr [@khal.buffer.0, %a], [%q, %b]          =>   %p.at = phi i32 [0, %a], [%q.at, %b]
///   %q = getelementptr float, ptr %p, i32 %i                  %q.at = add i32 %p.at, %i
///   %v = load float, ptr %q                                   %v = load float, @view[%q.at]
///
/// What can't be traced is reported at its source line and gives nothing.
std::optional<LoweredKernel> lowerPointers(llvm::Function &function, const KernelInfo &kernel,
                                           diag::Engine &diagnostics);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_LOWERPOINTERS_H

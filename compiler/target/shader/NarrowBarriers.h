//===- NarrowBarriers.h - barriers that need not order storage buffers -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_NARROWBARRIERS_H
#define KHALC_TARGET_SHADER_NARROWBARRIERS_H

namespace llvm {
class Function;
}

namespace khalc::shader {

struct LoweredKernel;

/// Marks with `sharedOnlyAttribute` each barrier across which no buffer can carry anything: for no
/// buffer is there an access that may come before it and one that may come after it, of which at
/// least one writes. Ordering storage buffers costs a fence on hardware that orders work-group
/// memory for free.
///
/// Buffers that do carry something between work-items, across a barrier or by fences and ordered
/// atomics, become `coherent`.
void narrowBarriers(llvm::Function &function, LoweredKernel &kernel);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_NARROWBARRIERS_H

//===- AllLanes.h - asking all lanes with one scalar question -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_ALLLANES_H
#define KHALC_TARGET_CPU_SIMD_ALLLANES_H

#include "target/cpu/simd/Lanes.h"

namespace khalc::cpu::simd {

/// An i1 at `builder` that is true only if `condition` is `wanted` in all lanes, all of which must
/// be live; null where nothing short of the vector tells. Of a strided value the first and the last
/// lane are asked:
///
///   i < n, i = base + lane   =>   base + width - 1 < n, and that didn't wrap around
///
/// It may be false though all lanes agree.
llvm::Value *allLanesAre(llvm::IRBuilder<> &builder, Lanes &lanes, const llvm::Value *condition,
                         bool wanted);

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_ALLLANES_H

//===- HoistIndices.h - what follows from indices alone, computed once ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_HOISTINDICES_H
#define KHALC_TARGET_CPU_HOISTINDICES_H

namespace llvm {
class Function;
}

namespace khalc::cpu {

/// Moves integers that arguments alone give by cheap instructions to the entry block, each once:
///
///   then: %a = zext %lx            entry: %a = zext %lx
///   else: %b = zext %lx       =>
///   end:  %c = phi %a, %b          end: (%a instead of %c)
///
/// The optimiser makes such phis where it spares one way the computation. In vectors a phi of lanes
/// that came by different ways is no longer known to be base + lane.
void hoistIndices(llvm::Function &function);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_HOISTINDICES_H

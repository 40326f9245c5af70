//===- LowerBuiltins.h - device builtins and atomics in PTX's terms ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_NVPTX_LOWERBUILTINS_H
#define KHALC_TARGET_NVPTX_LOWERBUILTINS_H

#include "kernel/KernelInfo.h"

namespace llvm {
class Function;
}

namespace khalc::nvptx {

/// Replaces the builtins left in `entry` (inlined, specialised for the group size) by reads of
/// special registers, barriers and fences, and spells the scopes of atomics as NVPTX does:
///
///   call @__khal_local_id(0)          =>  call @llvm.nvvm.read.ptx.sreg.tid.x()
///   call @__khal_barrier()            =>  call @llvm.nvvm.barrier.cta.sync.aligned.all(0)
///   atomicrmw … syncscope("workgroup")  =>  atomicrmw … syncscope("block")
void lowerBuiltins(llvm::Function &entry, const KernelInfo &kernel);

} // namespace khalc::nvptx

#endif // KHALC_TARGET_NVPTX_LOWERBUILTINS_H

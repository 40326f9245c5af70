//===- UniformBarriers.h - barriers that WGSL's analysis would refuse --------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_UNIFORMBARRIERS_H
#define KHALC_TARGET_SHADER_UNIFORMBARRIERS_H

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace khalc::shader {

/// The first barrier of a lowered kernel that some work-items of a group can miss, as far as WGSL's
/// rules tell (WGSL 15.2, "Uniformity"); null when there is none.
const llvm::Instruction *firstDivergentBarrier(llvm::Function &function);

/// The same of subgroup operations.
const llvm::Instruction *firstDivergentSubgroupOperation(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_UNIFORMBARRIERS_H

//===- ExpandAtomics.h - atomics that shaders lack, as compare-exchange loops --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_EXPANDATOMICS_H
#define KHALC_TARGET_SHADER_EXPANDATOMICS_H

namespace llvm {
class Function;
}

namespace khalc::shader {

/// Rewrites atomic operations to those that SPIR-V and WGSL have natively on integers:
/// float operations, nand and the wrapping increments become compare-exchange loops, float loads,
/// stores and exchanges work on the integer of the same size.
///
///   %r = atomicrmw fadd ptr %p, float %v monotonic
///   =>
///   %first = load atomic i32, ptr %p
///   loop: %old = phi [%first], [%seen]; %new = bits(float(%old) + %v)
///         {%seen, %done} = cmpxchg %p, %old, %new; br %done, exit, loop
void expandAtomics(llvm::Function &function);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_EXPANDATOMICS_H

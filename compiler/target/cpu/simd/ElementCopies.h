//===- ElementCopies.h - copies to and from private arrays, by element ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_ELEMENTCOPIES_H
#define KHALC_TARGET_CPU_SIMD_ELEMENTCOPIES_H

namespace llvm {
class Function;
}

namespace khalc::cpu::simd {

/// Makes loads and stores of short copies to or from arrays that are used by their elements alone
/// otherwise: a copy of bytes would keep each lane's elements together, and all accesses to them
/// would be gathers.
void expandElementCopies(llvm::Function &function);

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_ELEMENTCOPIES_H

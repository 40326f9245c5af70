//===- Width.h - how many work-items are run at once ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_WIDTH_H
#define KHALC_TARGET_CPU_SIMD_WIDTH_H

#include "shader/Structured.h"

#include <cstdint>

namespace khalc::cpu::simd {

class Shapes;

/// A level's vector registers.
struct VectorUnit {
  unsigned lanes = 1; ///< 32-bit elements of a register
  unsigned registers = 16;
};

/// How many registers a vector of a region's work-items should have, 1, 2 or 4: several if it has
/// loops whose values then still fit the registers. A group's work-items go over memory together
/// then, and a loop has several chains of operations instead of one. `shapes` are those for one
/// register, `items` how many work-items are neighbours.
unsigned registersPerVector(const shader::StructuredFunction &tree, const Shapes &shapes,
                            const VectorUnit &unit, uint32_t items);

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_WIDTH_H

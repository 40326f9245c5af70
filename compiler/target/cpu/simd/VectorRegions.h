//===- VectorRegions.h - regions that are run for several work-items at once ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_VECTORREGIONS_H
#define KHALC_TARGET_CPU_SIMD_VECTORREGIONS_H

#include "kernel/KernelInfo.h"
#include "shader/Structured.h"
#include "target/cpu/simd/Width.h"

#include "llvm/IR/IRBuilder.h"

#include <memory>
#include <vector>

namespace khalc::cpu {
struct BarrierRegions;
}

namespace khalc::cpu::simd {

/// Whole-function vectorisation across work-items, for each barrier region of a kernel:
///
///   for x: region(x)   =>   for x in steps of the width: region(x … x + width - 1)
///                           region(the rest), under a mask
///
/// A region becomes a function and is structured once, for all levels; shapes say which of its
/// values differ between the lanes; ControlEmitter makes straight lines under masks of it. After
/// R. Karrenberg and S. Hack, "Whole-Function Vectorization" (CGO 2011), and M. Pharr and W. Mark,
/// "ispc: A SPMD Compiler for High-Performance CPU Programming" (InPar 2012).
class VectorRegions {
public:
  /// Without any region.
  explicit VectorRegions(const KernelInfo &kernel) : kernel(kernel) {}
  /// Of all regions that can be vectorised. `item` isn't changed. With `vectorMaths`, functions
  /// that the host has vectors' forms of are called in these, which round a little differently.
  VectorRegions(llvm::Function &item, const BarrierRegions &regions, const KernelInfo &kernel,
                bool vectorMaths);
  ~VectorRegions();
  VectorRegions(const VectorRegions &) = delete;
  VectorRegions &operator=(const VectorRegions &) = delete;

  bool has(unsigned region) const { return region < regions.size() && regions[region]; }
  bool any() const;

  /// Emits a region's loops at `builder` into `group`; gives what the work-items decided, an i32.
  /// `uniformSlots`: the addresses of what they hold and will hold, see RegionSignature.
  llvm::Value *emit(unsigned region, const VectorUnit &unit, llvm::Function &group,
                    llvm::ArrayRef<llvm::Value *> uniformSlots, llvm::IRBuilder<> &builder,
                    llvm::IRBuilder<> &variables) const;

private:
  struct Region {
    llvm::Function *function;
    shader::StructuredFunction tree;
  };
  class LoopEmitter;

  const KernelInfo &kernel;
  bool vectorMaths = false;
  std::vector<std::unique_ptr<Region>> regions; ///< by number; null for those that aren't
};

/// Gives values that some way to a use goes around a variable: on those ways no lane is live that
/// would need them.
void repairDominance(llvm::Function &function);

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_VECTORREGIONS_H

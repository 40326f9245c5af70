//===- ContextLayout.h - where work-items keep what lives across barriers --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_CONTEXTLAYOUT_H
#define KHALC_TARGET_CPU_CONTEXTLAYOUT_H

#include "target/cpu/BarrierRegions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <array>
#include <cstdint>

namespace khalc::cpu {

/// The context argument of a group function, for n work-items:
///
///   slot 0 of work-items 0 … n-1 │ slot 1 of 0 … n-1 │ … │ array 0 of 0 … n-1 │ …
///
/// Neighbouring work-items find a slot in neighbouring places, so that vectors of them are loaded
/// and stored whole. Every part starts at a multiple of 64 bytes.
class ContextLayout {
public:
  ContextLayout(const llvm::DataLayout &dataLayout, const std::array<uint32_t, 3> &groupSize,
                const BarrierRegions &regions)
      : items(uint64_t{groupSize[0]} * groupSize[1] * groupSize[2]) {
    for (llvm::AllocaInst *slot : regions.slots)
      if (!regions.uniformSlots.contains(slot))
        add(*slot, dataLayout.getTypeAllocSize(slot->getAllocatedType()).getFixedValue());
    for (llvm::AllocaInst *array : regions.arrays)
      add(*array,
          llvm::alignTo(array->getAllocationSize(dataLayout)->getFixedValue(), array->getAlign()));
  }

  /// Bytes for the whole group.
  uint64_t size() const { return end; }

  /// Where work-item number `item` (64 bits) keeps `variable`.
  llvm::Value *address(llvm::IRBuilderBase &builder, llvm::Value *context,
                       llvm::AllocaInst &variable, llvm::Value *item) const {
    const Part &part = parts.find(&variable)->second;
    llvm::Value *base =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context, part.offset);
    auto *bytes = llvm::ArrayType::get(builder.getInt8Ty(), part.stride);
    return builder.CreateInBoundsGEP(bytes, base, item, variable.getName());
  }

private:
  struct Part {
    uint64_t offset;
    uint64_t stride; ///< from one work-item to the next
  };

  void add(llvm::AllocaInst &variable, uint64_t stride) {
    constexpr uint64_t partAlignment = 64;
    end = llvm::alignTo(end, std::max<uint64_t>(partAlignment, variable.getAlign().value()));
    parts[&variable] = {end, stride};
    end += stride * items;
  }

  uint64_t items;
  uint64_t end = 0;
  llvm::DenseMap<llvm::AllocaInst *, Part> parts;
};

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_CONTEXTLAYOUT_H

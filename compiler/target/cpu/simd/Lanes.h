//===- Lanes.h - what the lanes of a vector of work-items hold --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_LANES_H
#define KHALC_TARGET_CPU_SIMD_LANES_H

#include "target/cpu/simd/Shapes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace khalc::cpu::simd {

/// A mask is <width x i1>, or null where all lanes are live.
using Mask = llvm::Value *;

/// Where each value of the function that is being vectorised is found in the one that is made, in
/// whichever form it is asked for:
///
///   scalar   of a uniform value; the base, lane 0's value, of a strided one
///   vector   <width x T>
///   lane     one lane's value, of any type
class Lanes {
public:
  Lanes(llvm::IRBuilder<> &builder, const Shapes &shapes) : builder(builder), shapes(shapes) {}

  unsigned width() const { return shapes.width(); }
  Shape shapeOf(const llvm::Value *value) const { return shapes.of(value); }

  void setScalar(const llvm::Value *value, llvm::Value *made) { scalars[value] = made; }
  void setVector(const llvm::Value *value, llvm::Value *made) { vectors[value] = made; }
  void setLanes(const llvm::Value *value, llvm::SmallVector<llvm::Value *> made) {
    singles[value] = std::move(made);
  }

  llvm::Value *scalar(const llvm::Value *value) const;
  llvm::Value *vector(const llvm::Value *value);
  llvm::Value *lane(const llvm::Value *value, unsigned number);

  /// Of a strided value that may have wrapped, an i1: it has not. Null if there's nothing to ask.
  llvm::Value *inRange(const llvm::Value *value);

  /// True for types that a vector can have as its elements.
  static bool fitsVector(const llvm::Type *type) {
    return llvm::VectorType::isValidElementType(const_cast<llvm::Type *>(type)) &&
           !type->isX86_FP80Ty() && !type->isIntegerTy(128);
  }
  llvm::VectorType *vectorType(llvm::Type *element) const {
    return llvm::FixedVectorType::get(element, width());
  }
  llvm::Value *mask(Mask mask) const; ///< never null

  /// base + lane * stride, of integers or addresses.
  llvm::Value *spread(llvm::Value *base, int64_t stride);
  llvm::Value *offset(llvm::Value *base, int64_t bytesOrCount);

  /// An address from a base and indices, of which any may be vectors. Within a variable whose lanes
  /// are interleaved, what lies between a lane's elements is stepped over.
  llvm::Value *address(const llvm::GetElementPtrInst &step, llvm::Value *base,
                       llvm::ArrayRef<llvm::Value *> indices, llvm::GEPNoWrapFlags flags);

private:
  llvm::Value *recompute(const llvm::Instruction &instruction);
  llvm::Value *gatherLanes(const llvm::Value *value, llvm::ArrayRef<llvm::Value *> parts);

  llvm::IRBuilder<> &builder;
  const Shapes &shapes;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> vectors;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<llvm::Value *>> singles;
};

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_LANES_H

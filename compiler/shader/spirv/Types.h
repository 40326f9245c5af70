//===- Types.h - LLVM types and constants in SPIR-V, and what they require -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_SPIRV_TYPES_H
#define KHALC_SHADER_SPIRV_TYPES_H

#include "shader/Lowered.h"
#include "shader/spirv/Builder.h"

namespace llvm {
class Constant;
class Function;
class Type;
} // namespace llvm

namespace khalc::spirv {

/// Types and constants of a lowered kernel. Declares the capability of each width that is computed
/// with; widths that are only loaded, stored and converted need their storage capability alone.
class Types {
public:
  Types(Builder &builder, const llvm::Function &function);

  Id type(const llvm::Type *type);
  /// Null, undefined and poison values are zero, so that results are the same everywhere.
  Id constant(const llvm::Constant *constant);
  /// A type is calculated with, or lies in memory other than a storage buffer.
  void requireArithmetic(const llvm::Type *type);
  /// A narrow type lies in a storage buffer.
  void requireStorage(const llvm::Type *type);
  void requireInt64Atomics(bool shared);
  /// `feature`: bits of khal::abi::Feature that go with the capability.
  void require(spv::Capability capability, uint64_t feature);
  void requireFeature(uint64_t feature) { requiredFeatures |= feature; }

  /// Controls the arithmetic of every float type that was used.
  void require(shader::FloatControls controls, Id function);

  uint64_t features() const { return requiredFeatures; }

private:
  Builder &builder;
  uint64_t requiredFeatures = 0;
  bool usesHalf = false, usesFloat = false, usesDouble = false;
};

} // namespace khalc::spirv

#endif // KHALC_SHADER_SPIRV_TYPES_H

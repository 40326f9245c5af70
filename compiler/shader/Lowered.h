//===- Lowered.h - a kernel in logical form, ready for a shader writer ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After pointer lowering a kernel's function has no pointers but those of loads, stores and
// atomics, and each of these is `getelementptr [N x T], ptr V, 0, index` (or `getelementptr [N x
// T], V, 0, 0`, which LLVM may write as V itself) of a resource V listed here. An access has
// exactly the resource's element type. Integers are 1, 8, 16, 32 or 64 bits wide, floats half,
// float or double. Vectors come from loads and go to stores alone: they are taken apart by
// extractelement and put together by insertelement, with constant indices, and may be bitcast. There
// are no aggregates but the result of a cmpxchg.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_LOWERED_H
#define KHALC_SHADER_LOWERED_H

#include "kernel/KernelInfo.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Constant;
class Function;
class Type;
class Value;
} // namespace llvm

namespace khalc::shader {

/// Memory of one kind under one element type. Two resources of kind Buffer may share a buffer
/// index: they are views of the same memory and then `aliased`.
struct Resource {
  enum class Kind {
    Buffer,  ///< storage buffer number `index`; run-time sized
    Block,   ///< the argument block, as u32 words
    Shared,  ///< work-group memory
    Private, ///< a work-item's own array or variable (an alloca in the entry block)
    Table    ///< constant data
  };
  Kind kind = Kind::Private;
  llvm::Value *variable = nullptr;   ///< GlobalVariable or AllocaInst
  llvm::Type *elementType = nullptr; ///< a scalar, or a vector of 8 or 16 bytes
  uint64_t elementCount = 0;         ///< 0 for Buffer and shared spans
  unsigned index = 0;                ///< Buffer: its number
  /// Shared: the number of the shared span that it is, if any. The launch gives that its length in
  /// elements of the kernel's type, `spanFactor` times as many of elementType.
  int sharedSpan = -1;
  uint32_t spanFactor = 1;
  bool readOnly = false;                     ///< never written in this kernel
  bool coherent = false;                     ///< Buffer: work-items see each other's writes
  bool aliased = false;                      ///< another resource may be the same memory
  std::vector<llvm::Constant *> initialiser; ///< Table: one constant an element
  std::string name;                          ///< for OpName
};

struct LoweredKernel {
  const KernelInfo *info = nullptr;
  llvm::Function *function = nullptr; ///< void ()
  std::vector<Resource> resources;
  uint32_t sharedBytes = 0;
  /// The largest buffer that the kernel can address, where it keeps pointers in memory; 0: any.
  uint64_t maxBufferBytes = 0;
  /// Work-items read different words of the argument block by one load.
  bool blockIsIndexedApart = false;
};

/// What a module asks of a device's float arithmetic beyond the default.
struct FloatControls {
  bool specialValues = false; ///< zeros' signs, infinities and NaN are kept
  bool subnormals = false;    ///< subnormals are kept
};

/// Calls that remain in a lowered kernel besides LLVM intrinsics and builtins: the byte offset of
/// buffer `i` from its descriptor, `i32 (i32)`, 0 unless the launch says otherwise.
inline constexpr const char *bufferOffsetFunction = "khal.buffer.offset";
/// Where integers are 32 bits wide: a half by its bits, `half (i32)`, and its bits, `i32 (half)`.
inline constexpr const char *halfFromBitsFunction = "khal.half.from.bits";
inline constexpr const char *bitsFromHalfFunction = "khal.bits.from.half";

/// Attribute of a call of the barrier builtin that need not order storage buffers, only work-group
/// memory.
inline constexpr const char *sharedOnlyAttribute = "khal-shared-only";

} // namespace khalc::shader

#endif // KHALC_SHADER_LOWERED_H

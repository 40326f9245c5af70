//===- ResourceViews.h - roots as arrays of scalars, and accesses to them ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_RESOURCEVIEWS_H
#define KHALC_TARGET_SHADER_RESOURCEVIEWS_H

#include "shader/Lowered.h"
#include "target/shader/PointerRoots.h"

#include "llvm/IR/IRBuilder.h"

#include <map>

namespace khalc::shader {

/// Chooses for each root the element type or types under which it is reached, and emits accesses.
///
/// A buffer has one view for each access width; two widths give two aliased views. All other memory
/// has one view whose element is the root's unit wide, and wider accesses are put together from
/// several elements. The argument block is u32 words. An element type is the accesses' own type
/// when they agree, else the unsigned integer of that width, or a vector of u32 words where it is
/// wider than any integer or an access is a vector.
///
///   load double, root %tile with unit 4    =>   2 x load i32, joined to i64, bitcast to double
class ResourceViews {
public:
  ResourceViews(llvm::Function &function, const KernelInfo &kernel, const PointerRoots &roots);

  /// Emits the load, store or atomic `access` at `offset` units of `root` and gives its result
  /// (null for a store). Everything is emitted at `builder`.
  llvm::Value *emit(llvm::IRBuilderBase &builder, const Access &access, unsigned root,
                    llvm::Value *offset);

  /// The views made, for the writer.
  std::vector<Resource> takeResources() { return std::move(resources); }
  uint32_t sharedBytes() const { return sharedTotal; }

private:
  struct Widths {
    bool used = false;
    bool isInteger = false;         ///< an integer or atomic access, or two float types
    bool isVector = false;          ///< an access of two or four elements
    bool isAtomic = false;          ///< so that the element is the integer of that width
    llvm::Type *floating = nullptr; ///< the float type, or vector of it, of all float accesses
  };

  void survey();
  uint64_t viewBytes(unsigned root, const Access &access) const;
  llvm::Type *elementType(unsigned root, uint64_t bytes) const;
  uint64_t spanBytes(const Root &root) const;
  Resource &view(unsigned root, uint64_t bytes);
  llvm::Value *makeVariable(const Root &root, llvm::Type *element, uint64_t count, uint64_t bytes);
  std::vector<llvm::Constant *> tableElements(const Root &root, llvm::Type *element, uint64_t count,
                                              uint64_t bytes) const;
  llvm::Value *address(llvm::IRBuilderBase &builder, const Resource &resource, llvm::Value *index);
  llvm::Value *emitAtomic(llvm::IRBuilderBase &builder, const Access &access, Resource &resource,
                          llvm::Value *index);
  llvm::Value *loadFromBlock(llvm::IRBuilderBase &builder, llvm::Type *type, unsigned root,
                             llvm::Value *offset, uint64_t furtherBytes = 0);

  llvm::Function &function;
  const KernelInfo &kernel;
  const PointerRoots &pointers;
  std::map<std::pair<unsigned, uint64_t>, Widths> widths; ///< by root and view width in bytes
  std::map<std::pair<unsigned, uint64_t>, unsigned> viewIds;
  std::map<unsigned, bool> written;
  bool mayAlias;
  std::vector<Resource> resources;
  uint32_t sharedTotal = 0;
};

/// `value / divisor` where it is known to be a multiple: taken apart along sums and products of
/// constants, so that no division remains where there was a scale.
llvm::Value *divideExact(llvm::IRBuilderBase &builder, llvm::Value *value, uint64_t divisor);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_RESOURCEVIEWS_H

//===- PointerRoots.h - which memory each pointer points into ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_POINTERROOTS_H
#define KHALC_TARGET_SHADER_POINTERROOTS_H

#include "target/shader/PointerNumbers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Constant;
class Function;
class ICmpInst;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace khalc {
struct KernelInfo;
namespace diag {
class Engine;
enum class Id;
} // namespace diag
} // namespace khalc

namespace khalc::shader {

/// A piece of memory that pointers are traced to.
struct Root {
  enum class Kind { Buffer, Block, Shared, Private, Table, Null };
  Kind kind = Kind::Null;
  llvm::Value *value = nullptr; ///< the global, alloca or call; null for Null
  unsigned buffer = 0;          ///< Buffer: its number
  int sharedSpan = -1;          ///< Shared: the number of the shared span that it is, if any
  uint64_t bytes = 0;           ///< 0 for Buffer, Null and shared spans
  std::string name;
};

/// A load, store or atomic: where, how much, and whether its type matters.
struct Access {
  llvm::Instruction *instruction = nullptr;
  llvm::Value *pointer = nullptr;
  llvm::Type *type = nullptr; ///< of the value loaded or stored
  uint64_t bytes = 0;
  uint64_t alignment = 0;
  bool writes = false;
  bool atomic = false;
  bool untyped = false; ///< copies bytes: any element type of that size serves
};

/// For each pointer in a function, the roots that it may point into, and for each root the unit, in
/// bytes, of which every offset into it is a multiple: gcd of all index scales, constant offsets,
/// access sizes and alignments. Roots that one pointer may point into share a unit, so that the
/// pointer is (root, offset in units). Offsets therefore need no division to become element
/// indices.
class PointerRoots {
public:
  /// Says what it can't trace through `diagnostics`; then valid() is false.
  PointerRoots(llvm::Function &function, const KernelInfo &kernel, diag::Engine &diagnostics);

  bool valid() const { return isValid; }
  const std::vector<Root> &roots() const { return allRoots; }
  /// Ids of the roots that a pointer may point into, ascending. Null is one of them if it may be
  /// null.
  llvm::ArrayRef<unsigned> rootsOf(llvm::Value *pointer) const;
  uint64_t unitOf(unsigned root) const;
  uint64_t unitOf(llvm::Value *pointer) const { return unitOf(rootsOf(pointer).front()); }
  const std::vector<Access> &accesses() const { return allAccesses; }
  /// Pointer-typed instructions, in reverse postorder.
  const std::vector<llvm::Instruction *> &pointers() const { return pointerInstructions; }

  /// Which conversions give numbers that become pointers again. The roots of those come first among
  /// all, null as number 0, so that zeroed memory holds null pointers.
  const PointerNumbers &numbers() const { return pointerNumbers; }
  /// Low bits of a number that hold the offset; the root is in those above. 32 is all of them.
  unsigned offsetBits() const;
  /// What an offset in a number counts, in bytes.
  uint64_t numberUnit(unsigned root) const;
  /// The number of a pointer that is a constant: the address of a table or null.
  uint32_t numberOf(const llvm::Constant &pointer) const;
  /// The largest buffer whose every offset has a number, in bytes; 0 when no buffer needs one.
  uint64_t maxBufferBytes() const;

private:
  using RootSet = llvm::SmallVector<unsigned, 2>;

  void collect(llvm::Function &function);
  void propagate();
  bool propagateOnce();
  bool addNumberedInTables();
  void checkRoots();
  void putNumberedFirst();
  void findUnits();
  void narrowUnitsByTables();
  void checkTables();
  bool mergeInto(llvm::Value *pointer, llvm::Value *source);
  const RootSet &setOf(llvm::Value *pointer);
  unsigned rootFor(llvm::Value *value);
  void narrowUnit(llvm::Value *pointer, uint64_t bytes);
  void fail(diag::Id id, const llvm::Instruction &where, const std::string &argument);
  void failWith(diag::Id id, const llvm::Instruction &where, llvm::ArrayRef<std::string> arguments);

  const llvm::Function &function;
  const KernelInfo &kernel;
  diag::Engine &diagnostics;
  bool isValid = true;
  std::vector<Root> allRoots;
  llvm::DenseMap<llvm::Value *, unsigned> rootIds;
  llvm::DenseMap<llvm::Value *, RootSet> sets;
  llvm::EquivalenceClasses<unsigned> classes;
  std::vector<uint64_t> units; ///< by root; the class leader's counts
  std::vector<Access> allAccesses;
  std::vector<llvm::Instruction *> pointerInstructions;
  std::vector<llvm::ICmpInst *> comparisons; ///< of pointers
  std::vector<llvm::PtrToIntInst *> conversions;
  PointerNumbers pointerNumbers;
  RootSet numbered = {0}; ///< roots of pointers that become numbers; null is always one
};

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_POINTERROOTS_H

//===- PointerNumbers.h - pointers that are kept in memory, as numbers ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_POINTERNUMBERS_H
#define KHALC_TARGET_SHADER_POINTERNUMBERS_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class Constant;
class DataLayout;
class Function;
class GlobalVariable;
class PtrToIntInst;
class User;
} // namespace llvm

#include <cstdint>
#include <functional>

namespace khalc::shader {

/// Makes memory hold numbers alone, so that every copy of bytes copies the pointers among them:
///
///   store ptr %p, ptr %slot   =>  %n = ptrtoint ptr %p to i32; store i32 %n, ptr %slot
///   %p = load ptr, ptr %slot  =>  %n = load i32, ptr %slot; %p = inttoptr i32 %n to ptr
///
/// Copies of 8 bytes to or from a local become two of 4, so that they need no 64-bit integers.
void storePointersAsNumbers(llvm::Function &function);

/// How a function turns pointers into numbers and back. A pointer's number is its root, in the high
/// bits, and its offset. Differences and comparisons of pointers need no number: the offset in bytes
/// does.
class PointerNumbers {
public:
  explicit PointerNumbers(const llvm::Function &function);

  /// Whether any number becomes a pointer again.
  bool needed() const { return isNeeded; }
  /// The offset in a number counts bytes, since the function calculates with numbers; else units.
  bool countBytes() const { return hasArithmetic; }
  /// False where the offset in bytes serves all of the conversion's users.
  bool isNumber(const llvm::PtrToIntInst &conversion) const {
    return isNeeded && (hasArithmetic || numbers.contains(&conversion));
  }
  /// Whether this user of a conversion takes the number, and not the offset in bytes.
  bool takesNumber(const llvm::User &user) const;

private:
  bool isNeeded = false;
  bool hasArithmetic = false;
  llvm::SmallPtrSet<const llvm::PtrToIntInst *, 8> numbers;
};

/// Calls `visit` with each pointer that a constant holds and the byte it is at.
void forEachPointerIn(const llvm::Constant &constant, const llvm::DataLayout &layout,
                      const std::function<void(const llvm::Constant &, uint64_t)> &visit);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_POINTERNUMBERS_H

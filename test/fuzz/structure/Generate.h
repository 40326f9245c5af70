//===- Generate.h - random functions of calls and branches ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_STRUCTURE_GENERATE_H
#define KHAL_TEST_FUZZ_STRUCTURE_GENERATE_H

#include "llvm/IR/Module.h"

#include <cstdint>
#include <memory>

namespace khal::fuzz {

/// SplitMix64: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// 0 … limit-1
  unsigned below(unsigned limit) { return unsigned(next() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }

private:
  uint64_t state;
};

enum class Shape {
  Graph,  ///< any control flow graph, irreducible ones too
  Program ///< what a person could write: loops, breaks, switches, gotos
};

/// A module with `void @f(i32, i32)`, which calls `void @trace(i32)` and `i32 @input()`, and works
/// on i32 values in SSA form.
std::unique_ptr<llvm::Module> generate(llvm::LLVMContext &context, Shape shape, Random &random);

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_STRUCTURE_GENERATE_H

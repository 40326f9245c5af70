//===- Generate.h - random functions of calls and branches ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_STRUCTURE_GENERATE_H
#define KHAL_TEST_FUZZ_STRUCTURE_GENERATE_H

#include "../Random.h"

#include "llvm/IR/Module.h"

#include <memory>

namespace khal::fuzz {

enum class Shape {
  Graph,  ///< any control flow graph, irreducible ones too
  Program ///< what a person could write: loops, breaks, switches, gotos
};

/// A module with `void @f(i32, i32)`, which calls `void @trace(i32)` and `i32 @input()`, and works
/// on i32 values in SSA form.
std::unique_ptr<llvm::Module> generate(llvm::LLVMContext &context, Shape shape, Random &random);

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_STRUCTURE_GENERATE_H

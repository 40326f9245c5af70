//===- Interpret.h - runs functions and structured trees --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_STRUCTURE_INTERPRET_H
#define KHAL_TEST_FUZZ_STRUCTURE_INTERPRET_H

#include "shader/Structured.h"

#include <cstdint>
#include <string>
#include <vector>

namespace khal::fuzz {

/// What a run showed to the outside.
struct Observation {
  std::vector<uint64_t> events; ///< the values passed to @trace and taken from @input, in order
  bool finished = false;        ///< false: stopped at the limit of steps or events
  std::string fault;            ///< not empty: the program did what it must not
};

struct Limits {
  unsigned steps;  ///< blocks or nodes
  unsigned events; ///< observed
};

/// Runs a function with two arguments; `inputs` seeds what @input returns.
Observation run(const llvm::Function &function, uint64_t inputs, Limits limits);
Observation run(const khalc::shader::StructuredFunction &function, uint64_t inputs, Limits limits);

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_STRUCTURE_INTERPRET_H

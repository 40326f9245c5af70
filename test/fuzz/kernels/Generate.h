//===- Generate.h - random programs without undefined behaviour -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_KERNELS_GENERATE_H
#define KHAL_TEST_FUZZ_KERNELS_GENERATE_H

#include "Program.h"

namespace khal::fuzz {

/// The program of a seed, the same on every machine. It has no undefined behaviour and its loops
/// end; what it computes depends on nothing that the language leaves open.
Program generate(std::uint64_t seed);

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_KERNELS_GENERATE_H

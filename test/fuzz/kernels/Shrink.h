//===- Shrink.h - makes programs smaller ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_KERNELS_SHRINK_H
#define KHAL_TEST_FUZZ_KERNELS_SHRINK_H

#include "Program.h"

#include <functional>

namespace khal::fuzz {

/// Drops and simplifies what can go while `stillFails`, which is asked at most `mostTries` times.
Program shrink(Program program, const std::function<bool(const Program &)> &stillFails,
               unsigned mostTries);

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_KERNELS_SHRINK_H

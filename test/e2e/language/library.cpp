//===- library.cpp - each construct of library.def as a kernel --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "library.hpp"

#include "Kernel.hpp"

namespace table {
#include "library.def"
} // namespace table

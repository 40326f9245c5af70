//===- scalars.cpp - each construct of scalars.def as a kernel --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "scalars.hpp"

#include "Kernel.hpp"

namespace table {
#include "scalars.def"
} // namespace table

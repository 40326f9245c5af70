//===- control.cpp - each construct of control.def as a kernel --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "control.hpp"

#include "Kernel.hpp"

namespace table {
#include "control.def"
} // namespace table

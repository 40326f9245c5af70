//===- clash.cpp - a struct of the program that isn't the kernel file's -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

// What another generated header would do for a struct of the same name.
#define KHAL_STRUCT_N5forms4PairE
namespace forms {
struct Pair {
  unsigned char first;
  float second;
};
} // namespace forms

#include "more_forms.khal.hpp"

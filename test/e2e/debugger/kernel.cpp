//===- kernel.cpp - a kernel that the debugger test steps through -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

using namespace khal;

[[khal::kernel(4)]] void doubled(span<u32> out, span<const u32> in) {
  const u32 i = global_index();
  u32 sum = in[i];      // the test breaks here
  sum += in[i];         // and steps to this line
  out[i] = sum + 1000u; // and to this one
}

//===- Kernel.hpp - a construct of the language table as a kernel -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

#define KHAL_CONSTRUCT(name)                                                                       \
  [[khal::kernel(64)]] void name(khal::span<const khal::u32> in, khal::span<khal::u32> out) {      \
    const khal::u32 i = khal::global_index();                                                      \
    if (i < out.size())                                                                            \
      out[i] = language::name(i, in);                                                              \
  }

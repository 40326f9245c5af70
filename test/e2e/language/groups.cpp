//===- groups.cpp - each construct of groups.def as a kernel ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "groups.hpp"

using namespace khal;

#define KHAL_GROUP_CONSTRUCT(name)                                                                 \
  [[khal::kernel(language::groups::group)]] void name(span<const u32> in, span<u32> out) {         \
    const u32 x = global_index();                                                                  \
    out[x] = language::groups::name(x, local_index(), in);                                         \
  }
namespace group_table {
#include "groups.def"
} // namespace group_table

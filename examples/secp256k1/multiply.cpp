//===- multiply.cpp - multiples of secp256k1's base point, one a work-item --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include "curve.hpp"

#include <khal/kernel.hpp>

using namespace khal;

namespace secp256k1 {

[[khal::kernel(64)]] void multiply_base(span<const Number> scalars, span<Point> points) {
  const u32 i = global_index();
  if (i < scalars.size())
    points[i] = multiple_of_base(scalars[i]);
}

} // namespace secp256k1

//===- more_forms.cpp - a second kernel file of the same program --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//

#include <khal/kernel.hpp>

using namespace khal;

namespace forms {
struct Pair { // the same as in forms.cpp
  u8 first;
  double second;
};
} // namespace forms

namespace more {
[[khal::kernel(1)]] void second_of(forms::Pair pair, span<double> seen) {
  seen[0] = pair.second;
}
} // namespace more

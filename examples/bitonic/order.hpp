//===- order.hpp - the orders that keys can be sorted in --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_EXAMPLES_BITONIC_ORDER_HPP
#define KHAL_EXAMPLES_BITONIC_ORDER_HPP

struct Ascending {
  template <class Key> static constexpr bool before(Key a, Key b) { return a < b; }
};

struct Descending {
  template <class Key> static constexpr bool before(Key a, Key b) { return b < a; }
};

/// Keys that one work-group sorts in its own memory; each work-item takes care of two.
inline constexpr unsigned bitonic_tile = 512;

#endif // KHAL_EXAMPLES_BITONIC_ORDER_HPP

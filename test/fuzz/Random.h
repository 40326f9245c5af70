//===- Random.h - the random numbers of all fuzzers -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_FUZZ_RANDOM_H
#define KHAL_TEST_FUZZ_RANDOM_H

#include <cstdint>

namespace khal::fuzz {

/// SplitMix64: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// 0 … limit-1
  unsigned below(unsigned limit) { return unsigned(next() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }

private:
  uint64_t state;
};

} // namespace khal::fuzz

#endif // KHAL_TEST_FUZZ_RANDOM_H

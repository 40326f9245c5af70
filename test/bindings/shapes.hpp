//===- shapes.hpp - types of a user's own header ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BINDINGS_SHAPES_HPP
#define KHAL_TEST_BINDINGS_SHAPES_HPP

#include <khal/kernel/vector.hpp>

namespace shapes {

/// Members that only its own functions see.
class Fixed16 {
public:
  constexpr Fixed16() = default;
  constexpr explicit Fixed16(float value) : bits(static_cast<khal::i32>(value * 65536.0f)) {}
  constexpr float value() const { return static_cast<float>(bits) / 65536.0f; }
  constexpr khal::i32 raw() const { return bits; }

private:
  khal::i32 bits = 0;
};

struct Sphere {
  khal::float3 middle;
  float radius;
  Fixed16 weight;

  constexpr float diameter() const { return 2 * radius; }
};

} // namespace shapes

#endif // KHAL_TEST_BINDINGS_SHAPES_HPP

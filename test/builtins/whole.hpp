//===- whole.hpp - integer and vector functions, for device and host alike ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BUILTINS_WHOLE_HPP
#define KHAL_TEST_BUILTINS_WHOLE_HPP

#include <khal/kernel/bits.hpp>
#include <khal/kernel/math.hpp>
#include <khal/kernel/vector.hpp>

namespace whole {

using namespace khal;

/// What the functions of bits.hpp give for two numbers.
template <class T> struct Bits {
  u32 counts[5];
  T values[10];
};

template <class T> constexpr Bits<T> bits_of(T a, T b) {
  Bits<T> result{};
  result.counts[0] = popcount(a);
  result.counts[1] = clz(a);
  result.counts[2] = ctz(a);
  result.counts[3] = static_cast<u32>(find_msb(a));
  result.counts[4] = static_cast<u32>(find_lsb(a));
  result.values[0] = reverse_bits(a);
  result.values[1] = rotate_left(a, static_cast<u32>(b));
  result.values[2] = rotate_right(a, static_cast<u32>(b));
  T carry = 1;
  result.values[3] = add_carry(a, b, carry);
  result.values[4] = carry;
  carry = 1;
  result.values[5] = sub_borrow(a, b, carry);
  result.values[6] = carry;
  result.values[7] = min(a, b);
  result.values[8] = max(a, b);
  if constexpr (sizeof(T) >= 4)
    result.values[9] = mul_hi(a, b);
  return result;
}

/// What operators and functions of vectors give, all in arithmetic that has one right answer.
struct Vectors {
  int4 sums;
  uint3 shifts;
  float4 mixed;
  float3 crossed;
  float2 swizzled;
  i32 picked;
  u32 flags;
};

constexpr Vectors vectors_of(const int4 &a, const int4 &b) {
  Vectors result{};
  result.sums = a * 3 + b - (-a & b) / 7;
  result.shifts = uint3(a.xyz()) >> uint3(b.zyx() & 7);
  result.mixed = float4(float2(a.xy() & 255), 0.5f, 2.0f) * 2.0f + float4(b & 255).wzyx();
  result.crossed = cross(float3(a.xyz() & 255), float3(b.xyz() & 255));
  result.swizzled = float4(a & 255).zx();
  result.picked = a[static_cast<u32>(b.x) & 3] + select(less_than(a, b), a, b).w;
  result.flags = u32{a == b} | u32{any(equal(a, b))} << 1 | u32{all(less_equal(a, max(a, b)))} << 2;
  return result;
}

} // namespace whole

#endif // KHAL_TEST_BUILTINS_WHOLE_HPP

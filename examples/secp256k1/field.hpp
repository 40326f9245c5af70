//===- field.hpp - numbers modulo secp256k1's prime -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers below p = 2^256 - 2^32 - 977 as eight 32-bit limbs, the lowest first. Plain C++: kernels
// and the host compile the same text.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHAL_EXAMPLES_SECP256K1_FIELD_HPP
#define KHAL_EXAMPLES_SECP256K1_FIELD_HPP

#include <khal/kernel/bits.hpp>
#include <khal/kernel/scalar.hpp>

// Before a loop over limbs: written out in full, so that limbs can live in registers.
#if defined(__clang__)
#define SECP256K1_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define SECP256K1_UNROLL _Pragma("GCC unroll 8")
#else
#define SECP256K1_UNROLL
#endif

namespace secp256k1 {

using khal::u32;
using khal::u64;

inline constexpr u32 limbs = 8;

/// 256 bits.
struct Number {
  u32 limb[limbs];

  friend constexpr bool operator==(const Number &a, const Number &b) {
    u32 difference = 0;
    SECP256K1_UNROLL
    for (u32 i = 0; i < limbs; ++i)
      difference |= a.limb[i] ^ b.limb[i];
    return difference == 0;
  }
  constexpr bool bit(u32 i) const { return (limb[i / 32] >> (i % 32)) & 1; }
};

inline constexpr Number prime{{0xfffffc2f, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff,
                               0xffffffff, 0xffffffff, 0xffffffff}};
inline constexpr Number zero{};
inline constexpr Number one{{1}};

/// a + b modulo 2^256; `carry` becomes 1 if that lost something, else 0.
constexpr Number add_wrapping(const Number &a, const Number &b, u32 &carry) {
  Number sum{};
  carry = 0;
  SECP256K1_UNROLL
  for (u32 i = 0; i < limbs; ++i)
    sum.limb[i] = khal::add_carry(a.limb[i], b.limb[i], carry);
  return sum;
}

/// a - b modulo 2^256; `borrow` becomes 1 if b was larger, else 0.
constexpr Number subtract_wrapping(const Number &a, const Number &b, u32 &borrow) {
  Number difference{};
  borrow = 0;
  SECP256K1_UNROLL
  for (u32 i = 0; i < limbs; ++i)
    difference.limb[i] = khal::sub_borrow(a.limb[i], b.limb[i], borrow);
  return difference;
}

/// A number below 2 p, of which bit 256 is `carry`, brought below p.
constexpr Number reduce_once(const Number &a, u32 carry) {
  u32 borrow = 0;
  const Number reduced = subtract_wrapping(a, prime, borrow);
  return carry || !borrow ? reduced : a;
}

constexpr Number add(const Number &a, const Number &b) {
  u32 carry = 0;
  const Number sum = add_wrapping(a, b, carry);
  return reduce_once(sum, carry);
}

constexpr Number subtract(const Number &a, const Number &b) {
  u32 borrow = 0, carry = 0;
  const Number difference = subtract_wrapping(a, b, borrow);
  return borrow ? add_wrapping(difference, prime, carry) : difference;
}

constexpr Number multiply(const Number &a, const Number &b) {
  // The 512-bit product, one row of partial products after the other.
  u32 wide[2 * limbs] = {};
  SECP256K1_UNROLL
  for (u32 i = 0; i < limbs; ++i) {
    u64 carry = 0;
    SECP256K1_UNROLL
    for (u32 j = 0; j < limbs; ++j) {
      carry += u64{a.limb[i]} * b.limb[j] + wide[i + j];
      wide[i + j] = static_cast<u32>(carry);
      carry >>= 32;
    }
    wide[i + limbs] = static_cast<u32>(carry);
  }

  // 2^256 is 2^32 + 977 modulo p, so the high half counts that often on top of the low half.
  Number low{};
  u64 carry = 0;
  SECP256K1_UNROLL
  for (u32 i = 0; i < limbs; ++i) {
    carry += u64{wide[i]} + u64{wide[limbs + i]} * 977 + (i > 0 ? wide[limbs + i - 1] : 0);
    low.limb[i] = static_cast<u32>(carry);
    carry >>= 32;
  }
  // What is left above bit 256 has at most 33 bits; the same again.
  const u64 top = carry + wide[2 * limbs - 1];
  carry = low.limb[0] + top * 977;
  low.limb[0] = static_cast<u32>(carry);
  carry = (carry >> 32) + low.limb[1] + top;
  low.limb[1] = static_cast<u32>(carry);
  carry >>= 32;
  SECP256K1_UNROLL
  for (u32 i = 2; i < limbs; ++i) {
    carry += low.limb[i];
    low.limb[i] = static_cast<u32>(carry);
    carry >>= 32;
  }
  return reduce_once(low, static_cast<u32>(carry));
}

constexpr Number square(const Number &a) {
  return multiply(a, a);
}

/// 1 / a, and 0 for 0: a to the power p - 2.
constexpr Number invert(const Number &a) {
  Number exponent = prime;
  exponent.limb[0] -= 2;
  Number power = one;
  for (u32 i = 256; i-- > 0;) {
    power = square(power);
    if (exponent.bit(i))
      power = multiply(power, a);
  }
  return power;
}

} // namespace secp256k1

#endif // KHAL_EXAMPLES_SECP256K1_FIELD_HPP

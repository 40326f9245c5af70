//===- scalars.hpp - the language table's scalar types, each operation on each ----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include <khal/kernel.hpp>

namespace language {

using namespace khal;
using Input = span<const u32>;

// --- integers of every width --------------------------------------------------------------------

/// A value with bits all over T, from two inputs.
template <class T> inline T spread(u32 x, Input in, u32 which) {
  const u64 bits = (u64{in[(x + which) & 31]} * 0x9e3779b97f4a7c15ull) ^ (u64{x} << (which * 7));
  return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
}
template <class T> inline u32 folded(T value) {
  const u64 wide = static_cast<u64>(value);
  return static_cast<u32>(wide) ^ static_cast<u32>(wide >> 32) * 31u;
}

/// The lowest signed value over -1 is the one quotient that doesn't fit.
template <class T> inline u32 division(u32 x, Input in) {
  const T a = spread<T>(x, in, 1);
  T b = static_cast<T>(spread<T>(x, in, 2) >> (x & 7));
  if (b == 0 || b == static_cast<T>(-1))
    b = 3;
  return folded(static_cast<T>(a / b)) * 7 + folded(static_cast<T>(a % b)) +
         folded(static_cast<T>(a / 7)) * 3 + folded(static_cast<T>(a % 10)) +
         folded(static_cast<T>(a / 16));
}
template <class T> inline u32 shifting(u32 x, Input in) {
  const T a = spread<T>(x, in, 3);
  const u32 by = in[x & 15] & (sizeof(T) * 8 - 1);
  return folded(static_cast<T>(a << by)) + folded(static_cast<T>(a >> by)) * 3 +
         folded(static_cast<T>(a >> 3)) * 5 + folded(static_cast<T>(a << 5)) * 7;
}
template <class T> inline u32 comparing(u32 x, Input in) {
  const T a = spread<T>(x, in, 4), b = x % 5 ? spread<T>(x, in, 5) : a;
  return u32(a < b) + u32(a <= b) * 2 + u32(a > b) * 4 + u32(a >= b) * 8 + u32(a == b) * 16 +
         u32(a != b) * 32 + u32(a < 0) * 64 + folded(a < b ? a : b) * 128;
}
template <class T> inline u32 converting(u32 x, Input in) {
  const T a = spread<T>(x, in, 6);
  return folded(static_cast<i8>(a)) + folded(static_cast<u8>(a)) * 3 +
         folded(static_cast<i16>(a)) * 5 + folded(static_cast<u16>(a)) * 7 +
         folded(static_cast<i32>(a)) * 11 + folded(static_cast<u32>(a)) * 13 +
         folded(static_cast<i64>(a)) * 17 + folded(static_cast<u64>(a)) * 19 +
         folded(static_cast<bool>(a)) * 23;
}
/// To floating point and back; the float is rounded to nearest.
template <class T> inline u32 to_floating(u32 x, Input in) {
  const T a = spread<T>(x, in, 7);
  const float f = static_cast<float>(a);
  const double d = static_cast<double>(a);
  return bit_cast<u32>(f) * 3 + folded(bit_cast<u64>(d));
}
template <class T> inline u32 from_floating(u32 x, Input in) {
  const float f = static_cast<float>(in[x & 31] % 120) + 0.75f;
  const double d = static_cast<double>(in[(x + 1) & 31] % 120) + 0.999;
  const T sign = static_cast<T>(-1) < static_cast<T>(0) ? static_cast<T>(-1) : static_cast<T>(1);
  return folded(static_cast<T>(f)) * 3 + folded(static_cast<T>(sign < 0 ? -d : d));
}
template <class T> inline u32 wrapping(u32 x, Input in) {
  T a = spread<T>(x, in, 8);
  a = static_cast<T>(static_cast<u64>(a) * static_cast<u64>(spread<T>(x, in, 9)));
  a ^= static_cast<T>(~a >> 1);
  a = static_cast<T>(static_cast<u64>(a) - in[x & 31]);
  return folded(a);
}

#define KHAL_EACH_INTEGER(construct)                                                               \
  inline u32 construct##_i8(u32 x, Input in) {                                                     \
    return construct<i8>(x, in);                                                                   \
  }                                                                                                \
  inline u32 construct##_u8(u32 x, Input in) {                                                     \
    return construct<u8>(x, in);                                                                   \
  }                                                                                                \
  inline u32 construct##_i16(u32 x, Input in) {                                                    \
    return construct<i16>(x, in);                                                                  \
  }                                                                                                \
  inline u32 construct##_u16(u32 x, Input in) {                                                    \
    return construct<u16>(x, in);                                                                  \
  }                                                                                                \
  inline u32 construct##_i32(u32 x, Input in) {                                                    \
    return construct<i32>(x, in);                                                                  \
  }                                                                                                \
  inline u32 construct##_u32(u32 x, Input in) {                                                    \
    return construct<u32>(x, in);                                                                  \
  }                                                                                                \
  inline u32 construct##_i64(u32 x, Input in) {                                                    \
    return construct<i64>(x, in);                                                                  \
  }                                                                                                \
  inline u32 construct##_u64(u32 x, Input in) {                                                    \
    return construct<u64>(x, in);                                                                  \
  }
KHAL_EACH_INTEGER(division)
KHAL_EACH_INTEGER(shifting)
KHAL_EACH_INTEGER(comparing)
KHAL_EACH_INTEGER(converting)
KHAL_EACH_INTEGER(to_floating)
KHAL_EACH_INTEGER(from_floating)
KHAL_EACH_INTEGER(wrapping)
#undef KHAL_EACH_INTEGER

inline u32 high_products(u32 x, Input in) {
  const u32 a = spread<u32>(x, in, 1), b = spread<u32>(x, in, 2);
  const u64 c = spread<u64>(x, in, 3), d = spread<u64>(x, in, 4);
  return mul_hi(a, b) + static_cast<u32>(mul_hi(static_cast<i32>(a), static_cast<i32>(b))) * 3 +
         folded(mul_hi(c, d)) * 5;
}

/// 256 bits by 256 bits, of 64-bit pieces, as cryptography does it.
inline u32 wide_product(u32 x, Input in) {
  u64 a[4], b[4], product[8] = {};
  for (u32 i = 0; i < 4; ++i) {
    a[i] = spread<u64>(x + i, in, 1);
    b[i] = spread<u64>(x + i, in, 2);
  }
  for (u32 i = 0; i < 4; ++i) {
    u64 carry = 0;
    for (u32 j = 0; j < 4; ++j) {
      const u64 low = a[i] * b[j], high = mul_hi(a[i], b[j]);
      const u64 sum = product[i + j] + low;
      const u64 total = sum + carry;
      carry = high + (sum < low) + (total < sum);
      product[i + j] = total;
    }
    product[i + 4] = carry;
  }
  u32 result = 0;
  for (u64 piece : product)
    result = result * 31 + folded(piece);
  return result;
}

inline u32 carries(u32 x, Input in) {
  u32 carry = 0, borrow = 1;
  u32 result = 0;
  for (u32 i = 0; i < 6; ++i) {
    const u32 a = spread<u32>(x + i, in, 1), b = spread<u32>(x + i, in, 2);
    result = result * 3 + add_carry(a, b, carry);
    result ^= sub_borrow(b, a, borrow);
  }
  return result + carry * 2 + borrow;
}

inline u32 booleans(u32 x, Input in) {
  bool flags[8];
  for (u32 i = 0; i < 8; ++i)
    flags[i] = (in[i] ^ x) & 1;
  flags[x & 7] |= in[x & 31] > 400;
  flags[(x + 1) & 7] ^= true;
  u32 result = 0;
  for (bool flag : flags)
    result = result * 2 + flag;
  return result + (flags[0] == flags[1]) * 1000u + static_cast<u32>(!flags[3] && flags[2]) * 5000u;
}

// --- floating point, bit by bit -----------------------------------------------------------------

template <class T> inline T real(u32 x, Input in, u32 which) {
  return static_cast<T>(in[(x + which) & 31]) / static_cast<T>(37) -
         static_cast<T>((x * 7 + which) & 15);
}
inline u32 bits(float value) {
  return bit_cast<u32>(value);
}
inline u32 bits(double value) {
  return folded(bit_cast<u64>(value));
}

/// A product that is added to must be rounded first.
template <class T> inline u32 strict_arithmetic(u32 x, Input in) {
  const T a = real<T>(x, in, 1), b = real<T>(x, in, 2), c = real<T>(x, in, 3);
  const T sum = a * b + c;
  const T difference = a * c - b * a;
  return bits(sum) + bits(difference) * 3 + bits((a + b) * (a - b)) * 5 + bits(a * b * c) * 7;
}
template <class T> inline u32 quotients(u32 x, Input in) {
  const T a = real<T>(x, in, 4), b = real<T>(x, in, 5) + static_cast<T>(100);
  return bits(a / b) + bits(static_cast<T>(1) / b) * 3 + bits(sqrt(b)) * 5;
}
/// No value is a number's neighbour of NaN.
template <class T> inline u32 comparisons(u32 x, Input in) {
  const T zero = real<T>(x, in, 1) * static_cast<T>(0);
  const T nan = x & 1 ? static_cast<T>(__builtin_nanf("")) : real<T>(x, in, 6);
  const T a = x % 3 ? real<T>(x, in, 7) : zero;
  return u32(a < nan) + u32(a <= nan) * 2 + u32(a > nan) * 4 + u32(a >= nan) * 8 +
         u32(a == nan) * 16 + u32(a != nan) * 32 + u32(!(a < nan)) * 64 + u32(nan == nan) * 128 +
         u32(zero == -zero) * 256 + u32(isnan(nan)) * 512;
}
template <class T> inline u32 roundings(u32 x, Input in) {
  const T a = real<T>(x, in, 8) * static_cast<T>(0.5);
  const T half = static_cast<T>(static_cast<i32>(x & 31) - 16) + static_cast<T>(0.5);
  return bits(floor(a)) + bits(ceil(a)) * 3 + bits(trunc(a)) * 5 + bits(round_even(half)) * 7 +
         bits(round(half)) * 11;
}
template <class T> inline u32 signs(u32 x, Input in) {
  const T a = real<T>(x, in, 9), b = x & 1 ? static_cast<T>(-0.0) : real<T>(x, in, 10);
  return bits(copysign(a, b)) + bits(abs(a)) * 3 + bits(-b) * 5 + bits(b) * 7;
}
template <class T> inline u32 sums(u32 x, Input in) {
  T sum = 0, product = 1;
  for (u32 i = 0; i < 32; ++i) {
    sum += real<T>(x + i, in, 1) * static_cast<T>(0.1);
    product *= static_cast<T>(1) + real<T>(x + i, in, 2) * static_cast<T>(0.001);
  }
  return bits(sum) + bits(product) * 3;
}

#define KHAL_EACH_FLOAT(construct)                                                                 \
  inline u32 construct##_float(u32 x, Input in) {                                                  \
    return construct<float>(x, in);                                                                \
  }                                                                                                \
  inline u32 construct##_double(u32 x, Input in) {                                                 \
    return construct<double>(x, in);                                                               \
  }
KHAL_EACH_FLOAT(strict_arithmetic)
KHAL_EACH_FLOAT(quotients)
KHAL_EACH_FLOAT(comparisons)
KHAL_EACH_FLOAT(roundings)
KHAL_EACH_FLOAT(signs)
KHAL_EACH_FLOAT(sums)
#undef KHAL_EACH_FLOAT

inline u32 float_and_double(u32 x, Input in) {
  const float f = real<float>(x, in, 1);
  const double d = real<double>(x, in, 2) * 1.0000001;
  const float narrowed = static_cast<float>(d);
  const double widened = f;
  return bits(narrowed) + bits(widened + d) * 3;
}

// --- all widths together ------------------------------------------------------------------------------------

inline u32 narrow_integers(u32 x, Input in) {
  i8 a = static_cast<i8>(in[x & 31]);
  u16 b = static_cast<u16>(in[(x + 1) & 31] * 91);
  i16 c = static_cast<i16>(b - a * 300);
  u8 d = static_cast<u8>(c >> 3);
  return static_cast<u32>(a * 7 + b / 3 + c % 100) + d;
}

inline u32 wide_integers(u32 x, Input in) {
  u64 a = u64{in[x & 31]} * 0x123456789abcdefull + x;
  i64 b = static_cast<i64>(a) >> 9;
  a = (a << 7) ^ (a >> 13) ^ static_cast<u64>(b * 3);
  return static_cast<u32>(a >> 32) + static_cast<u32>(a);
}

inline u32 wide_division(u32 x, Input in) {
  const u64 a = u64{in[x & 31] + 1} * 0xfedcba987654321ull;
  const i64 b = static_cast<i64>(x) - 100;
  const u64 quotient = a / (u64{in[(x + 3) & 31]} * 1000003 + 7);
  const i64 signedQuotient = static_cast<i64>(a) / (b | 1);
  return static_cast<u32>(quotient ^ (a % 1000007)) + static_cast<u32>(signedQuotient);
}

inline u32 shifts(u32 x, Input in) {
  const u32 a = in[x & 31] * 0x9e3779b9u;
  const i32 s = static_cast<i32>(a);
  return (a << (x & 31)) + (a >> (x & 15)) + static_cast<u32>(s >> (x & 7)) +
         rotate_left(a, x & 31);
}

inline u32 signed_division(u32 x, Input in) {
  const i32 a = static_cast<i32>(in[x & 31]) - 500, b = static_cast<i32>(x % 17) - 8;
  return static_cast<u32>(a / (b | 1) * 1000 + a % (b | 1));
}

inline u32 bit_counts(u32 x, Input in) {
  const u32 a = in[x & 31] << (x & 15);
  const u64 wide = u64{a} << (x & 31);
  return static_cast<u32>(popcount(a) + clz(a) * 100 + ctz(a) * 10000) +
         static_cast<u32>(popcount(wide) + clz(wide) + ctz(wide)) * 7 + reverse_bits(a);
}

inline u32 conversions(u32 x, Input in) {
  const float f = static_cast<float>(in[x & 31]) * 1.25f - 300.0f;
  const i32 toward = static_cast<i32>(f);
  const u32 positive = static_cast<u32>(f * f);
  return static_cast<u32>(toward) * 31 + positive + (f < 0.0f);
}

} // namespace language

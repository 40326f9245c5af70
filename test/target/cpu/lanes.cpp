//===- lanes.cpp - kernels in which lanes go different ways -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// All take (out, in, n), in groups of different shapes; `in` has as many elements as there are
// work-items. LanesTest.cpp compares what they give for one work-item at a time and for vectors.
//
//===------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

using namespace khal;

#define KERNEL(name, ...)                                                                          \
  [[khal::kernel(__VA_ARGS__)]] void name(span<u32> out, span<const u32> in, u32 n)

KERNEL(break_continue_return, 64) {
  const u32 i = global_index();
  u32 sum = 0;
  for (u32 k = 0; k < 40; ++k) {
    if ((in[i] >> (k % 7)) % 5 == 0)
      continue;
    sum += k * in[i];
    if (sum % 11 == 3)
      break;
    if (sum % 97 == 5) {
      out[i] = sum;
      return;
    }
    for (u32 m = k; m < 12; ++m) {
      sum ^= m << 3;
      if ((sum + m) % 13 == n)
        break;
    }
  }
  out[i] = sum + 1;
}

KERNEL(return_from_nested_loops, 20) {
  const u32 i = global_index();
  for (u32 a = 0; a < 9; ++a)
    for (u32 b = 0; b < 9; ++b)
      if ((in[i] + a * b) % 31 == 7) {
        out[i] = a * 100 + b;
        return;
      }
  out[i] = n;
}

KERNEL(switches, 100) {
  const u32 i = global_index();
  u32 x = in[i];
  for (u32 k = 0; k < 6; ++k) {
    switch (x % 6) {
    case 0:
      x = x * 3 + n;
      break;
    case 1:
      x ^= 0x55;
      [[fallthrough]];
    case 2:
      x += i;
      break;
    case 4:
      if (x % 4 == 0)
        continue;
      x /= 3;
      break;
    default:
      x -= k;
    }
    x = x << 1 | x >> 31;
  }
  out[i] = x;
}

/// The first work-item's neighbour is far outside: it must not be touched, the others' must.
KERNEL(neighbours, 16) {
  const u32 i = global_index();
  u32 sum = in[i];
  if (i > 0)
    sum += in[i - 1] * 2;
  if (i + 1 < in.size())
    sum += in[i + 1] * 3;
  if (i >= n)
    sum += in[i - n];
  out[i] = sum;
}

KERNEL(divide_where_it_may, 3) {
  const u32 i = global_index();
  const u32 d = in[i] % 4;
  const i32 s = static_cast<i32>(in[i]) / 2 - 1000;
  u32 x = 0;
  if (d != 0)
    x = in[i] / d + in[i] % d + static_cast<u32>(s / static_cast<i32>(d) + s % static_cast<i32>(d));
  out[i] = x;
}

KERNEL(load_where_it_may, 64) {
  const u32 i = global_index();
  u32 x = i;
  if (in[i] % 1000 == 1001) // never
    x = in[n + 0x40000000u];
  if (n == 7 && in[i] % 2)
    x += in[n];
  out[i] = x;
}

KERNEL(private_arrays, 5, 3) {
  const u32 i = global_index();
  u32 kept[7];
  for (u32 k = 0; k < 7; ++k)
    kept[k] = in[i] + k;
  for (u32 k = 0; k < 20; ++k)
    kept[(in[i] + k) % 7] += kept[(k * n) % 7] ^ k;
  u8 bytes[11];
  for (u32 k = 0; k < 11; ++k)
    bytes[k] = static_cast<u8>(kept[k % 7] >> k);
  u32 sum = 0;
  for (u32 k = 0; k < 7; ++k)
    sum = sum * 31 + kept[k] + bytes[(kept[k] + k) % 11];
  out[i] = sum;
}

KERNEL(many_to_one, 64) {
  const u32 i = global_index();
  u32 best = 0;
  for (const u32 *p = in.data() + i; p < in.data() + in.size() && best < 1000000; p += 1 + *p % 3)
    best += *p % (n + 2);
  out[i] = best;
}

struct Pair {
  u32 a;
  u64 b;
};

static Pair step(Pair p, u32 k) {
  return p.a % 2 ? Pair{p.a / 2 + k, p.b * 3} : Pair{p.a * 5 + 1, p.b ^ k};
}

KERNEL(aggregates, 1, 9) {
  const u32 i = global_index();
  Pair p{in[i], in[i] * 7ull};
  while (p.a % 16 != 3 && p.b % 1024 != 5) {
    p = step(p, n);
    if (p.a > 1u << 30)
      break;
  }
  out[i] = p.a ^ static_cast<u32>(p.b >> 16);
}

KERNEL(narrow_and_wide, 37) {
  const u32 i = global_index();
  u8 a = static_cast<u8>(in[i]);
  i16 b = static_cast<i16>(in[i] >> 3);
  u64 c = in[i];
  bool odd = false;
  for (u32 k = 0; k < 5 + in[i] % 9; ++k) {
    a = static_cast<u8>(a * 7 + k);
    b = static_cast<i16>(b - a);
    c = c * 6364136223846793005ull + static_cast<u64>(b);
    odd ^= c >> 63;
  }
  out[i] = a + static_cast<u32>(b) + static_cast<u32>(c >> 32) + odd;
}

KERNEL(floats, 64) {
  const u32 i = global_index();
  float x = static_cast<float>(in[i] % 1000) * 0.37f;
  double y = x;
  for (u32 k = 0; k < in[i] % 17; ++k) {
    x = x > 50 ? sqrt(x) : x * 1.5f + 1;
    y += floor(x) / (y + 1);
  }
  out[i] = bit_cast<u32>(x) ^ bit_cast<u32>(static_cast<float>(y));
}

KERNEL(atomics, 32) {
  const u32 i = global_index();
  [[khal::shared]] u32 bins[8];
  [[khal::shared]] u32 most;
  if (local_index() < 8)
    bins[local_index()] = 0;
  if (local_index() == n)
    most = 0;
  barrier();
  if (in[i] % 3)
    atomic_add(bins[in[i] % 8], in[i] % 5 + 1);
  if (in[i] % 7 == 2)
    atomic_max(most, in[i] % 50);
  barrier();
  out[i] = bins[local_index() % 8] * 100 + most;
}

KERNEL(barriers_in_loops, 24) {
  [[khal::shared]] u32 tile[24];
  const u32 i = global_index(), l = local_index();
  u32 mine = in[i];
  for (u32 k = 0; k < n; ++k) {
    tile[l] = mine;
    barrier();
    mine = mine % 2 ? tile[(l + k) % 24] * 3 : tile[23 - l] + k;
    for (u32 m = 0; m < mine % 5; ++m)
      mine += tile[m] % 9;
    barrier();
  }
  out[i] = mine;
}

KERNEL(strides, 40) {
  const u32 i = global_index();
  u32 sum = 0;
  for (u32 k = i; k < in.size(); k += 40)
    sum += in[k] + in[in.size() - 1 - k] + in[k / 2] + in[(k * 3) % in.size()];
  out[out.size() - 1 - i] = sum;
}

//===- control.hpp - the language table's control flow ----------------------------------------===//
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

// --- control flow -------------------------------------------------------------------------------

inline u32 nested_exits(u32 x, Input in) {
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i) {
    for (u32 j = 0; j < 8; ++j) {
      const u32 value = in[(i * 8 + j) & 31];
      if (value == x)
        goto done;
      if (value % 11 == x % 11)
        break;
      if (value & 4)
        continue;
      result = result * 3 + value;
    }
    if (result % 5 == 3)
      continue;
    result += i;
  }
  result += 100000;
done:
  return result;
}

inline u32 continue_outer(u32 x, Input in) {
  u32 sum = 0;
  for (u32 i = 0; i < 10; ++i) {
    for (u32 j = 0; j < 5; ++j)
      if ((in[i] + j + x) % 9 == 0)
        goto next;
    sum += in[i];
  next:;
  }
  return sum;
}

inline u32 early_return(u32 x, Input in) {
  if (x % 3 == 0)
    return 7;
  u32 value = in[x & 31];
  if (value > 500) {
    if (value & 1)
      return value;
    value /= 2;
  }
  return value + x;
}

inline u32 return_in_loops(u32 x, Input in) {
  for (u32 i = 0; i < 6; ++i)
    for (u32 j = i; j < 12; ++j) {
      if ((in[i] + in[j]) % 64 == (x & 63))
        return i * 100 + j;
      if (in[j] % 50 == x)
        return 9999;
    }
  return 5555;
}

inline u32 switch_plain(u32 x, Input in) {
  switch (in[x & 31] % 6) {
  case 0:
    return x;
  case 1:
    return in[0];
  case 4:
    return x * in[1];
  default:
    return 3;
  }
}

inline u32 switch_fall_through(u32 x, Input in) {
  u32 result = in[x & 31];
  switch (x % 7) {
  case 0:
    result += 1;
    [[fallthrough]];
  case 1:
    result *= 3;
    [[fallthrough]];
  case 2:
    result ^= 0x55;
    break;
  case 5:
    result -= 9;
    [[fallthrough]];
  case 6:
    result <<= 1;
  }
  return result;
}

inline u32 switch_default_middle(u32 x, Input in) {
  u32 result = 0;
  switch (in[x & 31] & 7) {
  case 1:
    result = 10;
    break;
  default:
    result = 20;
    [[fallthrough]];
  case 3:
    result += 5;
    break;
  case 4:
    result = in[2];
  }
  return result;
}

inline u32 switch_in_loop(u32 x, Input in) {
  u32 state = x % 4, sum = 0;
  for (u32 i = 0; i < 30; ++i) {
    switch (state) {
    case 0:
      state = in[i] & 3;
      continue;
    case 1:
      sum += in[i];
      state = 2;
      break;
    case 2:
      if (in[i] > 900)
        return sum;
      state = 3;
      break;
    default:
      state = 0;
    }
    sum += i;
  }
  return sum + 1000000;
}

inline u32 goto_forward(u32 x, Input in) {
  u32 value = in[x & 31];
  if (value % 3 == 0)
    goto third;
  if (value % 2 == 0)
    goto second;
  value += 11;
second:
  value *= 2;
third:
  return value + x;
}

inline u32 goto_loop(u32 x, Input in) {
  u32 i = 0, sum = 0;
again:
  sum += in[i & 31];
  ++i;
  if (sum < 3000 + x)
    goto again;
  return sum * 64 + i;
}

inline u32 goto_irreducible(u32 x, Input in) {
  u32 i = 0, sum = 0;
  if (in[x & 31] & 1)
    goto middle;
top:
  sum += 3 * in[i & 31];
middle:
  sum ^= in[(i + x) & 31];
  if (++i < 9)
    goto top;
  return sum;
}

inline u32 do_while(u32 x, Input in) {
  u32 i = x & 15, sum = 0;
  do {
    sum += in[i];
    if (sum % 13 == 0)
      break;
    i += 2;
  } while (i < 40 && in[i] != 0);
  return sum * 41 + i;
}

inline u32 short_circuit(u32 x, Input in) {
  u32 result = 0;
  for (u32 i = 0; i + 2 < 40; ++i)
    if ((in[i] > 300 && in[i + 1] < 600) || (x & 1 ? in[i + 2] % 3 == 0 : in[i] % 5 == 1))
      result += i;
  return result;
}

inline u32 endless_with_exit(u32 x, Input in) {
  u32 i = x & 7, steps = 0;
  for (;;) {
    i = (i * 5 + in[i]) & 31;
    if (++steps == 20)
      return 777;
    if (in[i] % 10 == x % 10)
      break;
  }
  return i * 100 + steps;
}

inline u32 collatz(u32 x, Input in) {
  u32 n = x + in[x & 31] + 1, steps = 0;
  while (n != 1 && steps < 300) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  return steps;
}

} // namespace language

//===- groups.hpp - the language table's constructs of a whole work-group ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is a function of one work-item, `NAME`, and what the item must get, `NAME_expected`, computed
// on the host from the inputs of the whole group.
//
//===------------------------------------------------------------------------------------------===//
#pragma once

#include "scalars.hpp"

#include <algorithm>

namespace language::groups {

using namespace khal;

inline constexpr u32 group = 64;

/// What a work-item puts in.
inline u32 input_of(u32 x, Input in) {
  return in[x & 31] * 7 + x;
}
/// The same of item `local` in the group of work-item x.
inline u32 other_input(u32 x, u32 local, Input in) {
  return input_of(x / group * group + local % group, in);
}

// --- exchange -----------------------------------------------------------------------------------

inline u32 reversed(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  tile[local] = input_of(x, in);
  barrier();
  return tile[group - 1 - local];
}
inline u32 reversed_expected(u32 x, u32 local, Input in) {
  return other_input(x, group - 1 - local, in);
}

inline u32 transposed(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[8][9];
  tile[local / 8][local % 8] = input_of(x, in);
  barrier();
  return tile[local % 8][local / 8];
}
inline u32 transposed_expected(u32 x, u32 local, Input in) {
  return other_input(x, local % 8 * 8 + local / 8, in);
}

inline u32 narrow_slots(u32 x, u32 local, Input in) {
  [[khal::shared]] u8 bytes[group];
  [[khal::shared]] u16 halves[group];
  bytes[local] = static_cast<u8>(input_of(x, in));
  halves[local ^ 1] = static_cast<u16>(input_of(x, in) * 3);
  barrier();
  return bytes[(local + 1) % group] + halves[(local + 5) % group] * 256u;
}
inline u32 narrow_slots_expected(u32 x, u32 local, Input in) {
  return (other_input(x, local + 1, in) & 0xff) +
         (other_input(x, (local + 5) % group ^ 1, in) * 3 & 0xffff) * 256u;
}

struct Particle {
  float weight;
  u64 key;
  u8 tags[3];
};
inline u32 shared_structs(u32 x, u32 local, Input in) {
  [[khal::shared]] Particle particles[group];
  const u32 value = input_of(x, in);
  particles[local] = {static_cast<float>(value), u64{value} << 20, {u8(value), u8(local), 7}};
  barrier();
  const Particle other = particles[(local + 3) % group];
  return static_cast<u32>(other.weight) + static_cast<u32>(other.key >> 20) * 3 + other.tags[1] +
         other.tags[local % 3];
}
inline u32 shared_structs_expected(u32 x, u32 local, Input in) {
  const u32 from = (local + 3) % group, value = other_input(x, from, in);
  const u8 tags[3] = {u8(value), u8(from), 7};
  return value + value * 3 + tags[1] + tags[local % 3];
}

inline u32 broadcast(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 chosen;
  if (local == in[0] % group)
    chosen = input_of(x, in);
  barrier();
  return chosen;
}
inline u32 broadcast_expected(u32 x, u32, Input in) {
  return other_input(x, in[0], in);
}

// --- loops with barriers ------------------------------------------------------------------------

inline u32 sum_tree(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  tile[local] = input_of(x, in);
  barrier();
  for (u32 step = group / 2; step > 0; step /= 2) {
    if (local < step)
      tile[local] += tile[local + step];
    barrier();
  }
  return tile[0];
}
inline u32 sum_tree_expected(u32 x, u32, Input in) {
  u32 sum = 0;
  for (u32 i = 0; i < group; ++i)
    sum += other_input(x, i, in);
  return sum;
}

inline u32 prefix_sum(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  tile[local] = input_of(x, in);
  barrier();
  for (u32 step = 1; step < group; step *= 2) {
    const u32 before = local >= step ? tile[local - step] : 0;
    barrier();
    tile[local] += before;
    barrier();
  }
  return tile[local];
}
inline u32 prefix_sum_expected(u32 x, u32 local, Input in) {
  u32 sum = 0;
  for (u32 i = 0; i <= local; ++i)
    sum += other_input(x, i, in);
  return sum;
}

/// Two halves of one array that change roles each round.
inline u32 ping_pong(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tiles[2][group];
  u32 *from = tiles[0], *to = tiles[1];
  from[local] = input_of(x, in);
  for (u32 round = 0; round < in[1] % 4 + 1; ++round) {
    barrier();
    to[local] = from[(local + 1) % group] * 3;
    u32 *const other = from;
    from = to;
    to = other;
  }
  return from[local];
}
inline u32 ping_pong_expected(u32 x, u32 local, Input in) {
  u32 rounds = in[1] % 4 + 1, factor = 1;
  for (u32 i = 0; i < rounds; ++i)
    factor *= 3;
  return other_input(x, local + rounds, in) * factor;
}

inline u32 uniform_break(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  u32 value = input_of(x, in);
  for (u32 i = 0; i < 16; ++i) {
    tile[local] = value;
    barrier();
    value += tile[(local + i) % group] & 0xff;
    barrier();
    if (in[i] % 5 == 0)
      break;
    if (in[i] & 1)
      continue;
    value ^= i;
  }
  return value;
}
inline u32 uniform_break_expected(u32 x, u32 local, Input in) {
  u32 values[group], next[group];
  for (u32 i = 0; i < group; ++i)
    values[i] = other_input(x, i, in);
  for (u32 i = 0; i < 16; ++i) {
    for (u32 j = 0; j < group; ++j)
      next[j] = values[j] + (values[(j + i) % group] & 0xff);
    std::copy(next, next + group, values);
    if (in[i] % 5 == 0)
      break;
    if (!(in[i] & 1))
      for (u32 &value : values)
        value ^= i;
  }
  return values[local];
}

inline u32 uniform_branch(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  const u32 value = input_of(x, in);
  u32 result = 1;
  if (in[x / group] > 300) {
    tile[local] = value;
    barrier();
    result = tile[local ^ 5];
  } else {
    tile[local ^ 3] = value + 1;
    barrier();
    result = tile[local] * 2;
  }
  return result;
}
inline u32 uniform_branch_expected(u32 x, u32 local, Input in) {
  return in[x / group] > 300 ? other_input(x, local ^ 5, in)
                             : (other_input(x, local ^ 3, in) + 1) * 2;
}

/// Work-items that do very different things between two barriers.
inline u32 divergent_between(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  u32 value = input_of(x, in);
  while (value % 7 != 0 && value > 9)
    value = value / 2 + 1;
  tile[local] = value;
  barrier();
  u32 sum = 0;
  for (u32 i = 0; i < local % 5; ++i) {
    if (tile[i] > 50)
      continue;
    sum += tile[i] + i;
  }
  return sum;
}
inline u32 divergent_between_expected(u32 x, u32 local, Input in) {
  u32 sum = 0;
  for (u32 i = 0; i < local % 5; ++i) {
    u32 value = other_input(x, i, in);
    while (value % 7 != 0 && value > 9)
      value = value / 2 + 1;
    sum += value > 50 ? 0 : value + i;
  }
  return sum;
}

// --- functions, pointers, atomics ---------------------------------------------------------------

template <class T> inline T neighbour(T *slots, u32 local, T value) {
  slots[local] = value;
  barrier();
  const T result = slots[(local + 1) % group];
  barrier();
  return result;
}
inline u32 barrier_in_function(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  [[khal::shared]] float floats[group];
  const u32 value = input_of(x, in);
  const u32 next = neighbour(tile, local, neighbour(tile, local, value));
  return next + static_cast<u32>(neighbour(floats, local, static_cast<float>(value) * 0.5f));
}
inline u32 barrier_in_function_expected(u32 x, u32 local, Input in) {
  return other_input(x, local + 2, in) +
         static_cast<u32>(static_cast<float>(other_input(x, local + 1, in)) * 0.5f);
}

inline u32 barrier_in_lambda(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  const auto rotate = [&](u32 value, u32 by) {
    barrier();
    tile[local] = value;
    barrier();
    return tile[(local + by) % group];
  };
  return rotate(rotate(input_of(x, in), 3), 5);
}
inline u32 barrier_in_lambda_expected(u32 x, u32 local, Input in) {
  return other_input(x, local + 8, in);
}

/// A pointer into shared memory, a local array or a buffer.
inline u32 mixed_roots(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  tile[local] = input_of(x, in);
  u32 own[4] = {x, x + 1, x + 2, x + 3};
  barrier();
  const u32 *p = local % 3 == 0 ? tile + local / 2 : local % 3 == 1 ? own : in.data() + 8;
  return p[0] + p[1] * 3 + p[3] * 5;
}
inline u32 mixed_roots_expected(u32 x, u32 local, Input in) {
  const auto at = [&](u32 i) {
    return local % 3 == 0 ? other_input(x, local / 2 + i, in) : local % 3 == 1 ? x + i : in[8 + i];
  };
  return at(0) + at(1) * 3 + at(3) * 5;
}

inline u32 histogram(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 bins[8];
  [[khal::shared]] u32 most;
  if (local < 8)
    bins[local] = 0;
  if (local == 0)
    most = 0;
  barrier();
  atomic_add(bins[input_of(x, in) % 8], 1u);
  atomic_max(most, input_of(x, in));
  barrier();
  return bins[local % 8] + most * 100;
}
inline u32 histogram_expected(u32 x, u32 local, Input in) {
  u32 count = 0, most = 0;
  for (u32 i = 0; i < group; ++i) {
    const u32 value = other_input(x, i, in);
    count += value % 8 == local % 8;
    most = value > most ? value : most;
  }
  return count + most * 100;
}

/// Odd-even transposition: many barriers, neighbours' slots written in turn.
inline u32 sorted(u32 x, u32 local, Input in) {
  [[khal::shared]] u32 tile[group];
  tile[local] = input_of(x, in);
  barrier();
  for (u32 round = 0; round < group; ++round) {
    const u32 low = local * 2 + (round & 1);
    if (low + 1 < group && tile[low] > tile[low + 1]) {
      const u32 value = tile[low];
      tile[low] = tile[low + 1];
      tile[low + 1] = value;
    }
    barrier();
  }
  return tile[local];
}
inline u32 sorted_expected(u32 x, u32 local, Input in) {
  u32 values[group];
  for (u32 i = 0; i < group; ++i)
    values[i] = other_input(x, i, in);
  std::sort(values, values + group);
  return values[local];
}

} // namespace language::groups

//===- kernels.cpp - kernels whose barriers are in every place that they can be ------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BarrierTest.cpp compiles this file, runs each kernel and knows what it must give.
//
//===---------------------------------------------------------------------------------------------===//
#include <khal/kernel.hpp>

using namespace khal;

[[khal::kernel(64)]] void reverse(span<u32> data) {
  [[khal::shared]] u32 tile[64];
  const u32 i = local_index();
  tile[i] = data[global_index()];
  barrier();
  data[global_index()] = tile[63 - i];
}

[[khal::kernel(256)]] void tree_sum(span<const u32> data, span<u32> sums) {
  [[khal::shared]] u32 partial[256];
  const u32 i = local_index();
  const u32 g = global_index();
  partial[i] = g < data.size() ? data[g] : 0;
  for (u32 stride = 128; stride > 0; stride /= 2) {
    barrier();
    if (i < stride)
      partial[i] += partial[i + stride];
  }
  if (i == 0)
    sums[group_index()] = partial[0];
}

[[khal::kernel(128)]] void bitonic(span<u32> data) {
  [[khal::shared]] u32 keys[128];
  const u32 i = local_index();
  keys[i] = data[global_index()];
  for (u32 k = 2; k <= 128; k *= 2) {
    for (u32 j = k / 2; j > 0; j /= 2) {
      barrier();
      const u32 other = i ^ j;
      if (other > i) {
        const bool ascending = (i & k) == 0;
        if ((keys[i] > keys[other]) == ascending) {
          const u32 kept = keys[i];
          keys[i] = keys[other];
          keys[other] = kept;
        }
      }
    }
  }
  barrier();
  data[global_index()] = keys[i];
}

/// A barrier in one arm, in the other, in both or in none.
[[khal::kernel(32)]] void branches(span<u32> data, u32 choice) {
  [[khal::shared]] u32 tile[32];
  const u32 i = local_index();
  u32 mine = data[global_index()];
  if (choice & 1) {
    tile[i] = mine;
    barrier();
    mine = mine * 10 + tile[(i + 1) % 32];
    barrier();
  } else {
    mine += 7;
  }
  if (choice & 2) {
    mine ^= 0x55;
  } else {
    tile[i] = mine;
    barrier();
    mine -= tile[i ^ 1];
  }
  data[global_index()] = mine;
}

/// Private arrays with run-time indices keep their contents across barriers in a loop.
[[khal::kernel(16)]] void private_arrays(span<u32> data, u32 rounds) {
  [[khal::shared]] u32 tile[16];
  const u32 i = local_index();
  u32 history[8];
  for (u32 k = 0; k < 8; ++k)
    history[k] = i * 8 + k;
  for (u32 r = 0; r < rounds; ++r) {
    u32 scratch[4]; // lives within one round
    for (u32 k = 0; k < 4; ++k)
      scratch[(k + i) % 4] = history[(k + r) % 8];
    tile[i] = scratch[r % 4];
    barrier();
    history[(i + r) % 8] += tile[(i + 1) % 16];
    barrier();
  }
  u32 sum = 0;
  for (u32 k = 0; k < 8; ++k)
    sum = sum * 31 + history[k];
  data[global_index()] = sum;
}

[[khal::kernel(7, 5, 3)]] void three_dimensions(span<u32> data) {
  [[khal::shared]] u32 tile[3][5][7];
  const uint3 l = local_id();
  const u32 i = local_index();
  tile[l.z][l.y][l.x] = data[group_index() * 105 + i];
  barrier();
  const u32 mirrored = tile[2 - l.z][4 - l.y][6 - l.x];
  barrier();
  tile[l.z][l.y][l.x] = mirrored + l.x + 10 * l.y + 100 * l.z;
  barrier();
  data[group_index() * 105 + i] = tile[(l.z + 1) % 3][l.y][l.x];
}

/// Many values that take each other's place around a loop with a barrier in its middle.
[[khal::kernel(32)]] void rotating_values(span<u32> data, u32 rounds) {
  [[khal::shared]] u32 tile[32];
  const u32 i = local_index();
  u32 a = i, b = i + 1, c = i + 2, d = 1;
  bool odd = false;
  for (u32 r = 0; r < rounds; ++r) {
    tile[i] = a;
    barrier();
    const u32 seen = tile[(i + r) % 32];
    const u32 old = a;
    a = b;
    b = odd ? c + seen : c;
    c = d;
    d = old + seen;
    odd = !odd;
    barrier();
  }
  data[global_index()] = a + 3 * b + 5 * c + 7 * d + odd;
}

inline u32 inclusive_sum(span<u32> shared, u32 i, u32 mine) {
  shared[i] = mine;
  for (u32 step = 1; step < 64; step *= 2) {
    barrier();
    const u32 before = i >= step ? shared[i - step] : 0;
    barrier();
    shared[i] += before;
  }
  barrier();
  const u32 sum = shared[i];
  barrier();
  return sum;
}

/// Barriers in a function that is called twice, the second time for a value of the first.
[[khal::kernel(64)]] void helper_twice(span<u32> data) {
  [[khal::shared]] u32 memory[64];
  const u32 i = local_index();
  const span<u32> shared(memory, 64);
  const u32 once = inclusive_sum(shared, i, data[global_index()]);
  data[global_index()] = inclusive_sum(shared, i, once % 17) + once;
}

/// Leaves the loop when the group agrees, by way of shared memory.
[[khal::kernel(32)]] void until_agreed(span<u32> data, span<u32> rounds) {
  [[khal::shared]] u32 changed;
  u32 mine = data[global_index()];
  u32 count = 0;
  do {
    barrier();
    if (local_index() == 0)
      changed = 0;
    barrier();
    if (mine > 1) {
      mine = mine % 2 ? mine * 3 + 1 : mine / 2;
      atomic_or(changed, 1u);
    }
    barrier();
    ++count;
    if (count == 1000)
      break;
  } while (changed);
  data[global_index()] = mine;
  if (local_index() == 0)
    rounds[group_index()] = count;
}

/// Some groups go home before the barrier.
[[khal::kernel(8)]] void early_return(span<u32> data) {
  [[khal::shared]] u32 tile[8];
  if (group_index() % 3 == 1)
    return;
  tile[local_index()] = data[global_index()];
  barrier();
  if (group_index() % 3 == 2)
    return;
  data[global_index()] = tile[7 - local_index()];
}

[[khal::kernel(16)]] void switches(span<u32> data, u32 rounds) {
  [[khal::shared]] u32 tile[16];
  const u32 i = local_index();
  u32 mine = data[global_index()];
  for (u32 r = 0; r < rounds; ++r) {
    switch ((r + group_index()) % 4) {
    case 0:
      tile[i] = mine;
      barrier();
      mine += tile[(i + 1) % 16];
      [[fallthrough]];
    case 1:
      barrier();
      tile[i] = mine * 2;
      barrier();
      mine ^= tile[(i + 5) % 16];
      break;
    case 2:
      mine += r;
      break;
    default:
      continue;
    }
    barrier();
  }
  data[global_index()] = mine;
}

/// Each work-item has its own control flow between the barriers.
[[khal::kernel(64)]] void diverging(span<u32> data) {
  [[khal::shared]] u32 tile[64];
  const u32 i = local_index();
  u32 mine = data[global_index()];
  u32 steps = 0;
  while (mine != 1 && steps < i) {
    mine = mine % 2 ? mine * 3 + 1 : mine / 2;
    ++steps;
  }
  tile[i] = mine;
  barrier();
  if (i % 3 == 0) {
    for (u32 k = 0; k < i; ++k)
      mine += tile[k] * k;
  } else if (i % 3 == 1) {
    mine -= steps;
  } else {
    for (u32 k = 63; k > i; --k) {
      if (tile[k] == mine)
        break;
      mine += 1;
    }
  }
  barrier();
  tile[63 - i] = mine;
  barrier();
  data[global_index()] = tile[i] + steps;
}

[[khal::kernel(128)]] void histogram(span<const u32> data, span<u32> counts, span<u32> tickets) {
  [[khal::shared]] u32 local[16];
  const u32 i = local_index();
  if (i < 16)
    local[i] = 0;
  barrier();
  const u32 g = global_index();
  if (g < data.size()) {
    const u32 ticket = atomic_add(local[data[g] % 16], 1u);
    tickets[g] = ticket;
  }
  barrier();
  if (i < 16)
    atomic_add(counts[i], local[i]);
}

struct Pair {
  double first;
  i16 second;
  bool flag;
};

/// Values of many types and sizes live across a barrier.
[[khal::kernel(32)]] void many_types(span<double> data) {
  [[khal::shared]] u32 nothing[32];
  const u32 i = local_index();
  const u32 g = global_index();
  const bool flag = data[g] > 3;
  const u8 byte = static_cast<u8>(data[g] * 3);
  const i64 wide = static_cast<i64>(data[g]) << 33;
  const float single = static_cast<float>(data[g]) * 0.5f;
  const float4 vector(single, single + 1, single + 2, single + 3);
  Pair pair{data[g] * 2, static_cast<i16>(g), !flag};
  nothing[i] = i;
  barrier();
  pair.first += nothing[31 - i];
  barrier();
  data[g] = (flag ? 1 : 2) + byte + static_cast<double>(wide >> 33) + single +
            (vector.x + vector.y + vector.z + vector.w) + pair.first + pair.second + pair.flag;
}

/// Pointers that point to different memory live across a barrier.
[[khal::kernel(16)]] void pointers(span<u32> data, span<u32> other) {
  [[khal::shared]] u32 tile[16];
  const u32 i = local_index();
  u32 mine[2] = {i, i + 100};
  tile[i] = 1000 + i;
  u32 *p = i % 2 ? &data[global_index()] : &mine[i % 4 / 2];
  const u32 *q = i % 3 ? &tile[15 - i] : &other[global_index()];
  barrier();
  *p += *q;
  barrier();
  data[global_index()] += mine[0] * 2 + mine[1];
}

struct Record {
  u32 first;
  u8 bytes[76];
};

/// The address in `cleared` doesn't change in the loop, and so is worked out before its barriers.
[[khal::kernel(64)]] void cleared_between(span<u32> data) {
  [[khal::shared]] u32 tile[64];
  const u32 i = global_index(), place = data[i] % 12;
  u32 sum = 0;
  for (u32 k = 0; k < 3; ++k) {
    tile[local_index()] = data[i] + k;
    barrier();
    data[i] += tile[63 - local_index()];
    barrier();
    Record cleared = {};
    sum += cleared.bytes[place] + k;
    cleared.bytes[place] = static_cast<u8>(data[i]);
    sum += cleared.bytes[(place + (data[i] & 1)) % 12];
  }
  data[i] += sum;
}

/// A kept address of a buffer that is also reached by its own name.
[[khal::kernel(16)]] void chosen_and_named(span<u32> data, span<u32> other) {
  const u32 i = global_index();
  u32 *p = data[i] % 2 ? &data[i] : &other[i];
  barrier();
  *p += 5;
  data[i] *= 3;
  *p += 7;
  other[i] += data[i];
}

[[khal::kernel(1)]] void alone(span<u32> data) {
  [[khal::shared]] u32 cell;
  cell = data[global_index()];
  barrier();
  data[global_index()] = cell + 1;
}

[[khal::kernel(1024)]] void thousand(span<u32> data) {
  [[khal::shared]] u32 tile[1024];
  const u32 i = local_index();
  tile[(i * 5) % 1024] = data[global_index()];
  barrier();
  data[global_index()] = tile[i] + num_groups().x;
}

[[khal::kernel(4, 2)]] void where(span<u32> data) {
  const uint3 g = global_id(), l = local_id(), w = group_id(), n = num_groups(), s = global_size();
  const u32 at = (g.z * s.y + g.y) * s.x + g.x;
  data[at * 6 + 0] = g.x + 100 * g.y + 10000 * g.z;
  data[at * 6 + 1] = l.x + 100 * l.y + 10000 * l.z;
  data[at * 6 + 2] = w.x + 100 * w.y + 10000 * w.z;
  data[at * 6 + 3] = n.x + 100 * n.y + 10000 * n.z;
  data[at * 6 + 4] = global_index();
  data[at * 6 + 5] = group_size().x + 100 * group_size().y + 10000 * group_size().z;
}

[[khal::kernel(32)]] void maths(span<float> data, span<double> wide) {
  const u32 i = global_index();
  const float x = data[i];
  data[i] = sin(x) + sqrt(x) * pow(x, 1.5f) - floor(x);
  wide[i] = exp(wide[i]) + atan2(wide[i], 2.0);
}

struct View {
  span<float> values;
  u32 offset;
  span<const u32> indices;
};

[[khal::kernel(8)]] void aggregates(View view, float &total, const float &factor, double bias) {
  const u32 i = global_index();
  if (i < view.indices.size())
    view.values[view.indices[i] + view.offset] *= factor;
  if (i == 0)
    total = static_cast<float>(bias) + view.values.size();
}

[[khal::may_alias]] [[khal::kernel(16)]] void overlapping(span<u32> to, span<const u32> from) {
  const u32 i = global_index();
  const u32 before = from[i];
  barrier();
  to[i] = before * 2;
  barrier();
  to[i] += from[i];
}

/// The last barrier is followed by a loop without one, the first by a trap.
[[khal::kernel(8)]] void trapping(span<u32> data) {
  if (group_index() == 1000) {
    barrier();
    __builtin_trap();
  }
  barrier();
  u32 sum = 0;
  for (u32 k = 0; k <= local_index(); ++k)
    sum += data[group_index() * 8 + k];
  barrier();
  data[global_index()] = sum;
}

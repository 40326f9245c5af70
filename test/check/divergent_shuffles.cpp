// A shuffle that a part of a subgroup can miss is warned of, whatever the targets; operations that
// are of the active lanes by their definition aren't, nor what all lanes agree on.
// RUN: %khalc --target=spirv -o %t %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %khalc --target=ptx -o %t %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %khalc -O0 --target=cpu -o %t %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %khalc -Wno-khal-divergent-shuffle -o %t %s 2>&1 | FileCheck --allow-empty --check-prefix=OFF %s
// RUN: %exits 1 %khalc -Werror=khal-divergent-shuffle -o %t %s 2>&1 | FileCheck --check-prefix=ERROR %s
// OFF-NOT: {{warning|note|error}}
// ERROR: error: some lanes {{.*}} [-Werror,-Wkhal-divergent-shuffle]
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void early_return(span<float> a) {
  const u32 i = global_index();
  if (i >= a.size())
    return;
  // CHECK: divergent_shuffles.cpp:[[@LINE+1]]:10: warning: some lanes of a subgroup can miss this shuffle, and what it reads from them differs between targets; call it where all of them come by, and choose among the results [-Wkhal-divergent-shuffle]
  a[i] = subgroup_shuffle_down(a[i], 1);
  // CHECK: divergent_shuffles.cpp:[[@LINE-4]]:{{[0-9]+}}: note: the work-items part here: the condition depends on the work-item's id
}

/// Right where a subgroup has 32 lanes only.
[[khal::kernel(64)]] void assumes_a_size(span<u64> a) {
  u64 sum = a[global_index()];
  if (local_index() < 32)
    for (u32 d = 16; d > 0; d /= 2)
      // CHECK: divergent_shuffles.cpp:[[@LINE+2]]:14: warning:
      // CHECK: divergent_shuffles.cpp:[[@LINE-3]]:{{[0-9]+}}: note: the work-items part here
      sum += subgroup_shuffle_xor(sum, d);
  a[global_index()] = sum;
}

inline u32 last_of(u32 value) { return subgroup_broadcast(value, 1); }
[[khal::kernel(64)]] void by_lane(span<u32> a) {
  if (subgroup_lane() % 2 == 0)
    // CHECK: divergent_shuffles.cpp:[[@LINE-3]]:40: warning:
    // CHECK: divergent_shuffles.cpp:[[@LINE+2]]:25: note: called from 'by_lane' here
    // CHECK: divergent_shuffles.cpp:[[@LINE-3]]:{{[0-9]+}}: note: the work-items part here: the condition depends on the lane in the subgroup
    a[global_index()] = last_of(a[global_index()]);
}

/// Each work-item leaves the loop in a round of its own.
[[khal::kernel(64)]] void loop(span<u32> a) {
  u32 x = a[global_index()];
  for (u32 k = local_index(); k % 7 != 3; k = k * 5 + 1)
    // CHECK: divergent_shuffles.cpp:[[@LINE+2]]:10: warning:
    // CHECK: divergent_shuffles.cpp:[[@LINE-2]]:{{[0-9]+}}: note: the work-items part here
    x += subgroup_shuffle_up(x, 1);
  a[global_index()] = x;
}

// What follows is right everywhere.

[[khal::kernel(64)]] void active_lanes(span<u32> a) {
  const u32 i = global_index();
  if (i >= a.size())
    return;
  u32 x = subgroup_add(a[i]) + subgroup_inclusive_max(a[i]) + subgroup_count(a[i] > 3);
  if (subgroup_elect() || subgroup_any(x > 5))
    x ^= subgroup_ballot(true).x;
  a[i] = x + subgroup_broadcast_first(x);
}

[[khal::kernel(64)]] void lanes_agree(span<u32> a, u32 flag) {
  u32 x = a[global_index()];
  if (subgroup_id() == 0)
    x += subgroup_shuffle_xor(x, 1);
  if (group_id().x > flag)
    x += subgroup_shuffle_xor(x, 1);
  while (subgroup_any(x < 100))
    x = x * 2 + 1 + subgroup_shuffle(x, 0);
  if (subgroup_add(x) > 5)
    x += subgroup_shuffle_up(x, 1);
  if (subgroup_broadcast(x, 0) == 7)
    x += subgroup_shuffle_down(x, 1);
  const u32 moved = subgroup_shuffle_xor(x, 1);
  a[global_index()] = global_index() % 2 ? moved : x;
}

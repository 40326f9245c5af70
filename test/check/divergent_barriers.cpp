// A barrier that a part of the group can miss is warned of once a file, whatever the targets; what
// all work-items agree on isn't.
// RUN: %khalc -o %t %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %khalc --target=spirv -o %t %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %khalc -O0 --target=cpu -o %t %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %khalc -Wno-khal-divergent-barrier -o %t %s 2>&1 | FileCheck --allow-empty --check-prefix=OFF %s
// RUN: %khalc -Werror -Wno-error=khal-divergent-barrier -o %t %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khalc -Werror -o %t %s 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: %exits 1 %khalc -Werror=khal-divergent-barrier -o %t %s 2>&1 | FileCheck --check-prefix=ERROR %s
// OFF-NOT: {{warning|note|error}}
// ERROR: error: some work-items {{.*}} [-Werror,-Wkhal-divergent-barrier]
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void early_return(span<float> a) {
  const u32 i = global_index();
  if (i >= a.size())
    return;
  a[i] *= 2;
  // CHECK: divergent_barriers.cpp:[[@LINE+1]]:3: warning: some work-items of a group can miss this barrier while the others wait at it; call it where all of them come by, or none [-Wkhal-divergent-barrier]
  barrier();
  // CHECK: divergent_barriers.cpp:[[@LINE-5]]:{{[0-9]+}}: note: the work-items part here: the condition depends on the work-item's id
}

[[khal::kernel(64)]] void branch(span<float> a) {
  // CHECK: divergent_barriers.cpp:[[@LINE+3]]:5: warning:
  // CHECK: divergent_barriers.cpp:[[@LINE+1]]:{{[0-9]+}}: note: the work-items part here
  if (local_id().x % 2 == 0) {
    barrier();
    a[global_index()] = 1;
  }
}

void wait_in(u32 n, span<float> a) {
  // CHECK: divergent_barriers.cpp:[[@LINE+5]]:5: warning:
  // CHECK: divergent_barriers.cpp:[[@LINE+11]]:3: note: called from 'loop' here
  // CHECK: divergent_barriers.cpp:[[@LINE+1]]:{{[0-9]+}}: note: the work-items part here
  for (u32 i = 0; i < n; ++i) {
    a[i] += 1;
    barrier();
  }
}
// Said once, though two kernels call it.
[[khal::kernel(64)]] void loop(span<float> a) {
  a[0] = 3;
  // The number of rounds is the work-item's own.
  wait_in(local_index(), a);
}
[[khal::kernel(32)]] void loop_again(span<float> a) { wait_in(local_index() + 1, a); }

[[khal::kernel(64)]] void by_data(span<const u32> flags, span<u32> a) {
  // CHECK: divergent_barriers.cpp:[[@LINE+3]]:5: warning:
  // CHECK: divergent_barriers.cpp:[[@LINE+1]]:{{[0-9]+}}: note: the work-items part here: the condition depends on the work-item's id
  if (flags[global_index()] != 0)
    barrier();
  a[global_index()] = 1;
}

[[khal::kernel(64)]] void by_atomic(span<u32> a) {
  // CHECK: divergent_barriers.cpp:[[@LINE+3]]:5: warning:
  // CHECK: divergent_barriers.cpp:[[@LINE+1]]:{{[0-9]+}}: note: the work-items part here: the condition depends on what an atomic operation gives
  if (atomic_add(a[0], 1u) == 7)
    barrier();
  a[1] = 2;
}

[[khal::kernel(64)]] void leaves_early(span<u32> a, u32 n) {
  for (u32 i = 0; i < n; ++i) {
    // CHECK: divergent_barriers.cpp:[[@LINE+4]]:5: warning:
    // CHECK: divergent_barriers.cpp:[[@LINE+1]]:{{[0-9]+}}: note: the work-items part here
    if (a[local_index()] == i)
      break;
    barrier();
    a[local_index()] += 1;
  }
}

[[khal::kernel(64)]] void either(span<u32> a, u32 n) {
  u32 x = 0;
  switch (local_index() & 3) {
  case 0:
    x = 1;
    break;
  case 1:
    // CHECK: divergent_barriers.cpp:[[@LINE+1]]:5: warning:
    barrier();
    break;
  default:
    x = n;
  }
  // CHECK: divergent_barriers.cpp:[[@LINE-11]]:{{[0-9]+}}: note: the work-items part here
  a[local_index()] = x;
}

// From here on nothing is wrong.

[[khal::kernel(64)]] void uniform(span<const u32> table, span<u32> a, u32 n) {
  if (group_id().x == 3)
    barrier();
  if (n > 7)
    barrier();
  if (table[group_id().x] != 0) // the same for all of a group
    barrier();
  for (u32 i = 0; i < table[0]; ++i) {
    a[local_index()] += i;
    barrier();
  }
  if (a[0] != 0) // written elsewhere, yet not provably different
    barrier();
  while (a[group_id().x] < n) {
    barrier();
    if (local_index() == 0)
      a[group_id().x] += 1;
    barrier();
  }
}

[[khal::kernel(64)]] void after_divergence(span<u32> a, u32 n) {
  const u32 i = global_index();
  if (i < n)
    a[i] = 1;
  barrier();
  for (u32 j = local_index(); j < n; j += 64)
    a[j] += 1;
  barrier();
  while (true) {
    if (a[local_index()]++ > 5)
      break;
  }
  barrier();
}

// All work-items go the same number of rounds: 256 is a multiple of 64.
[[khal::kernel(64)]] void same_rounds(span<u32> a) {
  for (u32 i = local_index(); i < 256; i += 64) {
    a[i] += 1;
    barrier();
  }
}

// The size of the group decides.
[[khal::kernel(64)]] void always_true(span<u32> a) {
  if (local_index() < 64)
    barrier();
  a[0] = 1;
}

// Who fails an assertion waits for nobody.
[[khal::kernel(64)]] void asserts(span<u32> a) {
  if (a[local_index()] > 100)
    __builtin_trap();
  barrier();
  if (local_index() == a[1])
    __builtin_unreachable();
  barrier();
}

// A group's own decision, by way of shared memory.
[[khal::kernel(64)]] void decided_together(span<u32> a) {
  [[khal::shared]] u32 go;
  if (local_index() == 0)
    go = a[group_id().x];
  barrier();
  if (go)
    barrier();
  a[local_index()] = go;
}

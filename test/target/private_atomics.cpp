// Atomics on a work-item's own variable are plain accesses, where a GPU has no others.
// RUN: %khalc --target=spirv -o %t %s
// RUN: %khalc --target=ptx --emit=text -o %t %s
// RUN: FileCheck %s < %t/private_atomics.count.ptx
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-NOT: atom.
[[khal::kernel(64)]] void count(span<u32> a) {
  u32 own[4] = {};
  for (u32 i = 0; i < a[0]; ++i)
    __atomic_fetch_add(&own[i & 3], a[i], __ATOMIC_SEQ_CST);
  u32 expected = 3;
  __atomic_compare_exchange_n(&own[a[1] & 3], &expected, 7u, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  a[global_index()] = __atomic_load_n(&own[a[2] & 3], __ATOMIC_ACQUIRE) + expected;
}

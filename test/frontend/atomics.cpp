// One spelling of synchronisation scopes for all ABIs.
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=nvptx --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck --check-prefix=HOST %s
#include <khal/kernel.hpp>

[[khal::kernel(64)]] void kernel(int *a, float *f) {
  // CHECK: atomicrmw add ptr %{{.*}}, i32 %{{.*}} syncscope("workgroup") monotonic
  __scoped_atomic_fetch_add(a, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  // CHECK: atomicrmw max ptr %{{.*}}, i32 %{{.*}} syncscope("device") acq_rel
  __scoped_atomic_fetch_max(a, 2, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  // CHECK: atomicrmw fadd ptr %{{.*}}, float %{{.*}} syncscope("device") monotonic
  __scoped_atomic_fetch_add(f, 1.0f, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  // CHECK: atomicrmw xchg ptr %{{.*}}, i32 %{{.*}} syncscope("workgroup") monotonic
  __scoped_atomic_exchange_n(a, 2, __ATOMIC_RELAXED, __MEMORY_SCOPE_WVFRNT);
  // CHECK: load atomic i32, ptr %{{.*}} syncscope("device") acquire
  // CHECK: store atomic i32 %{{.*}}, ptr %{{.*}} release
  __scoped_atomic_store_n(a, __scoped_atomic_load_n(a, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE),
                          __ATOMIC_RELEASE, __MEMORY_SCOPE_SYSTEM);
  int expected = 0;
  // CHECK: cmpxchg ptr %{{.*}}, i32 %{{.*}}, i32 %{{.*}} syncscope("device") monotonic monotonic
  __scoped_atomic_compare_exchange_n(a, &expected, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
}
// HOST-NOT: syncscope
// HOST: atomicrmw add
// HOST-NOT: syncscope

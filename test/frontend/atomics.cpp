// One spelling of synchronisation scopes for all ABIs.
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=nvptx --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck %s
#include <khal/kernel.hpp>

template <int Scope> struct Counter {
  int *value;
  Counter(int *at) : value(at) { __scoped_atomic_fetch_or(value, 1, __ATOMIC_RELAXED, Scope); }
  int operator++(int) {
    return __scoped_atomic_fetch_sub(value, 1, __ATOMIC_RELAXED, Scope);
  }
};

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
  Counter<__MEMORY_SCOPE_WRKGRP> group(a);
  Counter<__MEMORY_SCOPE_DEVICE> device(a);
  group++;
  device++;
}

// The same place in two instances of a template, with two scopes.
// CHECK: define {{.*}}@_ZN7CounterILi2EE{{.*}}
// CHECK: atomicrmw sub ptr %{{.*}}, i32 %{{.*}} syncscope("workgroup") monotonic
// CHECK: define {{.*}}@_ZN7CounterILi1EE{{.*}}
// CHECK: atomicrmw sub ptr %{{.*}}, i32 %{{.*}} syncscope("device") monotonic
// CHECK: atomicrmw or ptr %{{.*}}, i32 %{{.*}} syncscope("workgroup") monotonic
// CHECK: atomicrmw or ptr %{{.*}}, i32 %{{.*}} syncscope("device") monotonic

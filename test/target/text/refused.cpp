// What a target can't express is an error at the line that needs it when the target was asked for by
// name, and a warning when it came with all.
// RUN: split-file %s %t
// RUN: %exits 1 %khalc --target=wgsl -o %t/out %t/atomics.cpp 2>&1 | FileCheck %t/atomics.cpp
// RUN: %exits 1 %khalc --target=wgsl -o %t/out %t/order.cpp 2>&1 | FileCheck %t/order.cpp
// RUN: %exits 1 %khalc --target=wgsl -o %t/out %t/subgroups.cpp 2>&1 | FileCheck %t/subgroups.cpp
// RUN: %exits 1 %khalc --fp=strict --target=wgsl -o %t/out %t/strict.cpp 2>&1 | FileCheck %t/strict.cpp
// RUN: %khalc --target=wgsl -o %t/out %t/strict.cpp
// RUN: %exits 0 %khalc --target=all -o %t/out %t/unavailable.cpp 2>&1 | FileCheck %t/unavailable.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/unavailable.cpp 2>&1 | FileCheck --check-prefix=NAMED %t/unavailable.cpp

//--- atomics.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u64> a) {
  atomic_add(a[0], u64{1});
}
// CHECK: atomics.cpp:4:3: error: WGSL has no 64-bit atomics; use 32-bit ones [khal-shader-no-int64-atomics]

//--- order.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u32> a) {
  a[1] = 1;
  fence(scope::device);
  a[2] = 2;
}
// CHECK: order.cpp:5:3: error: WGSL has no fences and no atomics with a memory order; use relaxed atomics and barriers [khal-shader-no-memory-order]

//--- subgroups.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u32> a) {
  subgroup_barrier();
  a[0] = 1;
}
// CHECK: subgroups.cpp:4:3: error: WGSL has no barrier of subgroups; use barrier() [khal-shader-no-subgroup-barrier]

//--- strict.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<float> a) {
  a[0] = a[1] * a[2] + a[3];
}
// CHECK: strict.cpp:4:22: error: WGSL can't keep a multiplication and an addition from being fused, as --fp=strict wants; use fma, or compile without --fp=strict [khal-shader-no-strict-sum]

//--- unavailable.cpp
#include <khal/kernel.hpp>
using namespace khal;
struct Node {
  Node *next;
  u32 value;
};
[[khal::kernel(64)]] void kernel(span<u32> a) {
  a[0] = reinterpret_cast<Node *>(a.data())->next->value;
}
// CHECK: unavailable.cpp:8:46: warning: a pointer is kept in memory {{.*}} [khal-shader-pointer-in-memory]
// CHECK: unavailable.cpp:7:27: warning: kernel 'kernel' isn't available for spirv [-Wkhal-kernel-unavailable]
// NAMED: unavailable.cpp:8:46: error: a pointer is kept in memory {{.*}} [khal-shader-pointer-in-memory]


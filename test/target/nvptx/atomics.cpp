// Atomics keep their scope and need no loop where PTX has the operation.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck %s
// RUN: %khal-opt --abi=nvptx --stage=ptx-prepared %s | FileCheck --check-prefix=IR %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: .visible .entry khal_{{.*}}native
// CHECK-DAG:   {{atom|red}}.{{(relaxed\.)?}}{{(gpu\.)?}}shared{{.*}}.add.u32
// CHECK-DAG:   {{atom|red}}.{{(relaxed\.)?}}{{(gpu\.)?}}global{{.*}}.add.f32
// CHECK-DAG:   {{atom|red}}.{{(relaxed\.)?}}{{(gpu\.)?}}global{{.*}}.max.s32
// CHECK-NOT:   cas
// CHECK:       ret;
[[khal::kernel(64)]] void native(span<float> sum, span<i32> most) {
  [[khal::shared]] u32 count;
  if (local_index() == 0)
    count = 0;
  barrier();
  atomic_add(count, 1u);
  barrier();
  atomic_add(sum[0], static_cast<float>(count));
  atomic_max(most[0], static_cast<i32>(local_index()));
}

// IR:          define ptx_kernel void @khal_{{.*}}group_scope
// IR:          atomicrmw add {{.*}} syncscope("block") monotonic
// CHECK-LABEL: .visible .entry khal_{{.*}}group_scope
// CHECK:       {{atom|red}}{{.*}}global{{.*}}add.u32
[[khal::kernel(64)]] void group_scope(span<u32> counts) {
  atomic_ref<u32, scope::group>(counts[group_index()]).fetch_add(1);
}

// No instruction: compare and exchange in a loop.
//
// CHECK-LABEL: .visible .entry khal_{{.*}}emulated
// CHECK:       atom{{.*}}.cas.b32
[[khal::kernel(64)]] void emulated(span<float> least) {
  atomic_min(least[0], static_cast<float>(local_index()));
}

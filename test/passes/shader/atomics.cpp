// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: OpEntryPoint GLCompute %{{.*}} "integers"
// CHECK: OpAtomicIAdd %uint %{{.*}} %uint_1 %uint_0
// CHECK: OpAtomicUMax %uint
// CHECK: OpAtomicCompareExchange %uint
[[khal::kernel(64)]] void integers(span<u32> a) {
  atomic_add(a[0], 1u);
  atomic_max(a[1], a[2]);
  a[4] = atomic_compare_exchange(a[3], 5u, 6u);
}

// A float addition is a compare-exchange loop on the integer view.
// CHECK: OpEntryPoint GLCompute %{{.*}} "floats"
// CHECK: OpAtomicLoad %uint
// CHECK: OpLoopMerge
// CHECK: OpBitcast %float
// CHECK: OpFAdd %float
// CHECK: OpAtomicCompareExchange %uint
[[khal::kernel(64)]] void floats(span<float> a) { atomic_add(a[0], 1.5f); }

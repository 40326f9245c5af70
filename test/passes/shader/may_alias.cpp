// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// Buffers that may overlap are declared so, and a store to one makes a load of the other happen again.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-DAG: OpDecorate %a Aliased
// CHECK-DAG: OpDecorate %b Aliased
// CHECK: OpLoad %uint
// CHECK: OpStore
// CHECK: OpLoad %uint
// CHECK: OpStore
[[khal::kernel(64)]] [[khal::may_alias]] void twice(span<u32> a, span<const u32> b) {
  a[0] = b[0] + 1;
  a[1] = b[0] + 1;
}

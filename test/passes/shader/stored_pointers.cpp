// RUN: %khal-opt --abi=shader --stage=shader-lowered %s | FileCheck %s
// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck --check-prefix=SPIRV %s
// A pointer in memory is a number: its root in the high bits, its offset in units below.
#include <khal/kernel.hpp>
using namespace khal;

struct Views {
  span<const float> all[3];
};

// Four roots with null: two bits. The access is a switch over what the pointer may point into.
// CHECK-LABEL: define void @khal.entry.{{.*}}pick
// CHECK: or i32 {{.*}}1073741824
// CHECK: %[[NUMBER:.*]] = load i32, ptr
// CHECK-DAG: and i32 %[[NUMBER]], 1073741823
// CHECK-DAG: %[[ROOT:.*]] = lshr i32 %[[NUMBER]], 30
// CHECK: switch i32 %[[ROOT]]
// CHECK-NOT: inttoptr
// SPIRV-NOT: OpCapability Int64
[[khal::kernel(64)]] void pick(Views views, span<float> out) {
  const u32 i = global_index();
  const span<const float> mine = views.all[i % 3];
  out[i] = mine[i % mine.size()];
}

constexpr u32 low[2] = {1, 2}, high[3] = {10, 20, 30};
constexpr const u32 *tables[3] = {low, high + 1, nullptr};

// Pointers in a constant table are numbers too, zero for null.
// SPIRV: OpEntryPoint GLCompute %{{.*}} "constant_tables"
// SPIRV: %tables = OpVariable %_ptr_Private__arr_uint_uint_3 Private
[[khal::kernel(64)]] void constant_tables(span<u32> out) {
  const u32 *table = tables[global_index() % 3];
  out[global_index()] = table ? *table : 7;
}

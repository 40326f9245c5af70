// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// Two access widths are two aliased views of one binding; a lone view is Restrict.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-DAG: OpCapability StorageBuffer8BitAccess
// CHECK-DAG: OpExtension "SPV_KHR_8bit_storage"
// CHECK-NOT: OpCapability Int8
// CHECK-DAG: OpDecorate %[[WORDS:bytes[_0-9]*]] Binding 0
// CHECK-DAG: OpDecorate %[[BYTES:bytes[_0-9]*]] Binding 0
// CHECK-DAG: OpDecorate %bytes{{[_0-9]*}} Aliased
// CHECK-DAG: OpDecorate %out Restrict
[[khal::kernel(64)]] void views(span<u8> bytes, span<u32> out) {
  const u32 i = global_id().x;
  out[i] = bytes[i] + *reinterpret_cast<u32 *>(bytes.data() + 4 * i);
}

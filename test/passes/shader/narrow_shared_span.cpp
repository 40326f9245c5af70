// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// Narrow elements need the capability in work-group memory even where they are only moved.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-DAG: OpCapability Int8
// CHECK-DAG: OpCapability Int16
[[khal::kernel(64)]] void kernel(span<u32> out, shared_span<u8> bytes, shared_span<u16> halves) {
  const u32 i = global_index();
  out[i] = bytes[i] + halves[i];
}

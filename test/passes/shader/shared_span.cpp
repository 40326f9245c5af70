// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// A specialisation constant, in elements of the kernel's type, sizes a shared span's array.
#include <khal/kernel.hpp>
using namespace khal;

struct Pair {
  float f;
  u64 n;
};

// CHECK: OpDecorate %[[FLOATS:.*]] SpecId 1
// CHECK: OpDecorate %[[PAIRS:.*]] SpecId 2
// CHECK: %[[FLOATS]] = OpSpecConstant %uint 1
// CHECK: OpTypeArray %float %[[FLOATS]]
// CHECK: %[[PAIRS]] = OpSpecConstant %uint 1
// CHECK: %[[WORDS:.*]] = OpSpecConstantOp %uint IMul %[[PAIRS]] %uint_4
// CHECK: OpTypeArray %uint %[[WORDS]]
[[khal::kernel(64)]] void spans(shared_span<float> floats, shared_span<Pair> pairs,
                                span<float> out) {
  const u32 l = local_id().x;
  floats[l] = out[l];
  pairs[l].f = out[l + 64];
  pairs[l].n = l;
  barrier();
  out[l] = floats[63 - l] + pairs[63 - l].f + static_cast<float>(static_cast<u32>(pairs[0].n));
}

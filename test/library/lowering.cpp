// Library functions become the instructions that a device has for them.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck --check-prefix=PTX %s
// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck --check-prefix=SPIRV %s
#include <khal/kernel.hpp>
#include <khal/kernel/pack.hpp>
using namespace khal;

// PTX-LABEL: .visible .entry khal_{{.*}}dots
// PTX-DAG:   dp4a.s32.s32
// PTX-DAG:   dp4a.u32.u32
// PTX-DAG:   dp4a.u32.s32
//
// A module for devices with the instructions, then one for those without.
// SPIRV:     OpCapability DotProduct
// SPIRV:     OpEntryPoint GLCompute %{{.*}} "dots"
// SPIRV-DAG: OpSDot %uint %{{.*}} PackedVectorFormat4x8Bit
// SPIRV-DAG: OpUDot %uint %{{.*}} PackedVectorFormat4x8Bit
// SPIRV-DAG: OpSUDot %uint %{{.*}} PackedVectorFormat4x8Bit
// SPIRV-NOT: OpCapability DotProduct
// SPIRV:     OpEntryPoint GLCompute %{{.*}} "dots"
// SPIRV-NOT: Dot %uint
[[khal::kernel(64)]] void dots(span<u32> a, span<const u32> b) {
  const u32 i = global_index();
  const u32 both = dot4(u8x4(a[i]), u8x4(b[i]), 3u);
  const i32 one = dot4(i8x4(a[i]), i8x4(b[i]), static_cast<i32>(both));
  a[i] = static_cast<u32>(dot4(u8x4(a[i]), i8x4(b[i]), one));
}

// PTX-LABEL: .visible .entry khal_{{.*}}subgroups
// PTX-DAG:   activemask.b32
// PTX-DAG:   vote.sync.ballot.b32
// PTX-DAG:   shfl.sync.bfly.b32
//
// SPIRV:     OpEntryPoint GLCompute %{{.*}} "subgroups"
// SPIRV:     OpGroupNonUniformIAdd %uint %uint_3 Reduce
// SPIRV:     OpGroupNonUniformSMax %uint %uint_3 ExclusiveScan
// SPIRV:     OpGroupNonUniformShuffleXor %uint %uint_3 %{{.*}} %uint_1
[[khal::kernel(64)]] void subgroups(span<u32> a, span<i32> b) {
  const u32 i = global_index();
  const u32 sum = subgroup_add(a[i]);
  const i32 most = subgroup_exclusive_max(b[i]);
  a[i] = sum + subgroup_shuffle_xor(a[i], 1);
  b[i] = most;
}

// Of the sizes that shared memory of group functions comes in, the group's own remains.
// PTX-LABEL: .visible .entry khal_{{.*}}groups
// PTX:       .shared .align 4 .b8 {{.*}}[512]
// PTX-NOT:   .shared .align
//
// SPIRV:     OpEntryPoint GLCompute %{{.*}} "groups"
// SPIRV:     %[[SIZE:.*]] = OpConstant %uint 128
// SPIRV:     OpTypeArray %uint %[[SIZE]]
// SPIRV-NOT: OpTypeArray %uint %
// SPIRV:     OpFunction
[[khal::kernel(100)]] void groups(span<u32> a) {
  a[global_index()] = group_add(a[global_index()]) + group_inclusive_max(a[global_index()]);
}

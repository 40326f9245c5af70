// Subgroup operations in each language: its own where it has them, else put together from those.
// RUN: %khalc --target=glsl,hlsl,msl,wgsl --emit=text -o %t %s
// RUN: FileCheck --check-prefix=GLSL --input-file=%t/subgroups.moves.comp %s
// RUN: FileCheck --check-prefix=HLSL --input-file=%t/subgroups.moves.hlsl %s
// RUN: FileCheck --check-prefix=MSL --input-file=%t/subgroups.moves.metal %s
// RUN: FileCheck --check-prefix=WGSL --input-file=%t/subgroups.moves.wgsl %s
// RUN: FileCheck --check-prefix=COUNTED --input-file=%t/subgroups.ids.hlsl %s
// RUN: FileCheck --check-prefix=COUNTED-WGSL --input-file=%t/subgroups.ids.wgsl %s
// RUN: FileCheck --check-prefix=NAMED --input-file=%t/subgroups.subgroups.hlsl %s
// RUN: FileCheck --check-prefix=BRANCH --input-file=%t/subgroups.branch.wgsl %s
// RUN: FileCheck --check-prefix=WIDE --input-file=%t/subgroups.wide.comp %s
// RUN: FileCheck --check-prefix=WIDE-MSL --input-file=%t/subgroups.wide.metal %s

#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void moves(span<u32> a) {
  const u32 i = global_index();
  u32 v = subgroup_add(a[i]);
  v += subgroup_shuffle_xor(v, 1);
  // By a distance of each lane's own.
  v += subgroup_shuffle_xor(v, a[i]);
  a[i] = subgroup_inclusive_max(v);
}
// GLSL: #extension GL_KHR_shader_subgroup_arithmetic : require
// GLSL: subgroupAdd(
// GLSL: subgroupShuffleXor({{.*}}, 1u)
// GLSL: subgroupInclusiveMax({{.*}}subgroupShuffleXor(

// HLSL: WaveActiveSum(
// HLSL: WaveReadLaneAt(
// HLSL: WaveReadLaneAt(
// HLSL: WaveActiveBallot(
// HLSL: WaveReadLaneAt(

// MSL: kernel void moves
// MSL: simd_sum(
// MSL: spvSubgroupShuffleXor({{.*}}, 1u)
// MSL: spvSubgroupShuffle(
// MSL: spvSubgroupBallot(
// MSL: spvSubgroupShuffle(

// WGSL: enable subgroups;
// WGSL-NOT: diagnostic
// WGSL: subgroupAdd(
// WGSL: subgroupShuffleXor({{.*}}, 1u)
// WGSL: subgroupShuffle({{.*}} & 127u)
// WGSL: subgroupBallot(1u != 0u)[0u]
// WGSL: subgroupShuffle(

// Subgroups number themselves where the language doesn't.
[[khal::kernel(64)]] void ids(span<u32> a) {
  a[global_index()] = subgroup_id() + num_subgroups();
}
// COUNTED: groupshared uint subgroups
// COUNTED: WaveIsFirstLane()
// COUNTED: InterlockedAdd(subgroups
// COUNTED-WGSL: var<workgroup> subgroups: array<atomic<u32>, 1>;
// COUNTED-WGSL: workgroupBarrier();
// COUNTED-WGSL: subgroupElect()
// COUNTED-WGSL: atomicAdd(&subgroups[0u], 1u)

// What is called like the kernel gives way.
[[khal::kernel(64)]] void subgroups(span<u32> a) {
  a[global_index()] = subgroup_id();
}
// NAMED: groupshared uint subgroups_[1];
// NAMED: void subgroups(

[[khal::kernel(64)]] void branch(span<u32> a) {
  const u32 i = global_index();
  if (a[i] > 3)
    a[i] = subgroup_min(a[i]);
}
// BRANCH: diagnostic(off, subgroup_uniformity);

[[khal::kernel(64)]] void wide(span<u64> a) {
  a[global_index()] = subgroup_add(a[global_index()]);
}
// WIDE: #extension GL_EXT_shader_subgroup_extended_types_int64 : require
// WIDE: subgroupAdd(
// WIDE-MSL: kernel void wide
// WIDE-MSL-NOT: simd_sum
// WIDE-MSL: spvSubgroupShuffle(

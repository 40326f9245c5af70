// WGSL and HLSL reach buffers by words: a narrow load takes its part, a narrow store sets it by two
// atomics, and other memory has a word an element.
//
// RUN: %khal-opt --abi=shader --stage=wgsl %s | FileCheck --check-prefix=WGSL %s
// RUN: %khal-opt --abi=shader --stage=hlsl %s | FileCheck --check-prefix=HLSL %s

#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void bytes(span<const u8> in, span<u8> out) {
  [[khal::shared]] u8 tile[64];
  const u32 i = local_id().x;
  tile[i] = in[i];
  barrier();
  out[i] = tile[63 - i];
}
// WGSL: @group(0) @binding(0) var<storage, read> in: array<u32>;
// WGSL: @group(0) @binding(1) var<storage, read_write> out: array<atomic<u32>>;
// WGSL: var<workgroup> tile: array<u32, 64>;
// WGSL: @compute @workgroup_size(64, 1, 1)
// WGSL-NEXT: fn bytes(
// WGSL: in[{{.*}} >> 2u]
// WGSL: workgroupBarrier();
// WGSL-NOT: storageBarrier
// WGSL: atomicAnd(&out[
// WGSL: atomicOr(&out[
// HLSL: ByteAddressBuffer {{.*}} : register(t0
// HLSL: RWByteAddressBuffer {{.*}} : register(u1
// HLSL: groupshared uint tile[64];
// HLSL: InterlockedAnd
// HLSL: InterlockedOr

// Structs are copied by the widest accesses that their alignment allows.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: .visible .entry khal_{{.*}}vectors
// CHECK:       ld.global.nc.v4.b32
// CHECK-NEXT:  st.global.v4.b32
[[khal::kernel(64)]] void vectors(span<float4> to, span<const float4> from) {
  to[global_id().x] = from[global_id().x];
}

struct alignas(8) Triple {
  u32 words[6];
};

// CHECK-LABEL: .visible .entry khal_{{.*}}triples
// CHECK-COUNT-3: ld.global.nc.{{v2.b32|b64}}
// CHECK-COUNT-3: st.global.{{v2.b32|b64}}
[[khal::kernel(64)]] void triples(span<Triple> to, span<const Triple> from) {
  to[global_id().x] = from[global_id().x];
}

// CHECK-LABEL: .visible .entry khal_{{.*}}through_shared
// CHECK:       ld.global.nc.v4.b32
// CHECK:       st.shared.v4.b32
// CHECK:       ld.shared.v4.b32
// CHECK:       st.global.v4.b32
[[khal::kernel(64)]] void through_shared(span<const float4> from, span<float4> to) {
  [[khal::shared]] float4 tile[64];
  const u32 l = local_index();
  tile[l] = from[global_id().x];
  barrier();
  to[global_id().x] = tile[63 - l];
}

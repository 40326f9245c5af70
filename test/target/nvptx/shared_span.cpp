// Shared spans are pieces of PTX's dynamic shared memory, each at a multiple of 16 bytes.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK:       .extern .shared .align 16 .b8 khal_dynamic_shared[];
// CHECK-LABEL: .visible .entry khal_{{.*}}spans
// CHECK:       and.b32 {{.*}}, -16;
// CHECK:       st.shared
// CHECK:       bar{{(rier)?}}.sync
// CHECK:       ld.shared
[[khal::kernel(64)]] void spans(shared_span<u16> halves, shared_span<float> floats,
                                span<float> out) {
  const u32 l = local_id().x;
  halves[l] = static_cast<u16>(l);
  floats[l] = out[l];
  barrier();
  out[l] = floats[63 - l] + halves[63 - l];
}

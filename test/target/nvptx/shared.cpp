// Work-group memory is in the shared state space, and reached as such after inlining.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

inline u32 turned(u32 *tile, u32 i) {
  barrier();
  return tile[31 - i];
}

// CHECK-LABEL: .visible .entry khal_{{.*}}reverse
// CHECK:       .shared .align 4 .b8 {{.*}}[128];
// CHECK:       st.shared
// CHECK:       bar{{(rier)?}}.sync
// CHECK-NOT:   ld.b32
// CHECK:       ld.shared
// CHECK-NOT:   bar{{(rier)?}}.sync
// CHECK:       ret;
[[khal::kernel(32)]] void reverse(span<u32> data) {
  [[khal::shared]] u32 tile[32];
  const u32 i = local_index();
  tile[i] = data[global_index()];
  data[global_index()] = turned(tile, i);
}

// CHECK-LABEL: .visible .entry khal_{{.*}}fences
// CHECK:       membar.cta
// CHECK:       membar.gl
[[khal::kernel(32)]] void fences(span<u32> data) {
  data[global_index()] = 1;
  fence(scope::group);
  data[global_index() + 1] = 2;
  fence(scope::device);
  data[global_index() + 2] = 3;
}

// A constant table is in global memory, read-only.
//
// CHECK: .global .align 4 .b8 {{.*}}primes
constexpr u32 primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
// CHECK-LABEL: .visible .entry khal_{{.*}}table
// CHECK:       ld.global
[[khal::kernel(32)]] void table(span<u32> data) {
  data[global_index()] = primes[data[global_index()] % 8];
}

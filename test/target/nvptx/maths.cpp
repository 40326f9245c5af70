// Maths functions without an instruction are linked and inlined; those with one are instructions.
//
// RUN: %khal-opt --abi=nvptx --stage=ptx %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: .visible .entry khal_{{.*}}functions
// CHECK-NOT:   call
// CHECK-NOT:   .extern
// CHECK:       ret;
[[khal::kernel(64)]] void functions(span<float> a, span<double> b) {
  const u32 i = global_index();
  a[i] = sin(a[i]) + pow(a[i], 2.5f) + log2(a[i]) + __builtin_cbrtf(a[i]) +
         __builtin_fmodf(a[i], 3.0f);
  b[i] = exp(b[i]) + atan2(b[i], 3.0) + __builtin_lgamma(b[i]);
}

// CHECK-LABEL: .visible .entry khal_{{.*}}instructions
// CHECK-DAG:   sqrt.rn.f32
// CHECK-DAG:   cvt.rmi.f32.f32
// CHECK-DAG:   div.rn.f32
// CHECK-DAG:   fma.rn.f32
// CHECK-DAG:   max.f32
// CHECK:       ret;
[[khal::kernel(64)]] void instructions(span<float> a, span<float> b) {
  const u32 i = global_index();
  a[i] = sqrt(a[i]) + floor(b[i]);
  b[i] = fma(a[i], b[i], a[i] / b[i]) + max(a[i], b[i]);
}

// Maths on shaders is khal's own, but for approximate calls of functions that GLSL has.
//
// RUN: %khal-opt --abi=shader --stage=shader-optimised %s | FileCheck %s
// RUN: %khal-opt --abi=shader --stage=shader-optimised --fp=fast %s | FileCheck --check-prefix=FAST %s
#include <khal/kernel.hpp>
#include <cmath>
using namespace khal;

// CHECK-LABEL: define {{.*}}sines
// CHECK-NOT:   @llvm.sin
// CHECK-NOT:   @khal.maths
// CHECK:       ret void
// FAST-LABEL:  define {{.*}}sines
// FAST:        call {{.*}}@llvm.sin.f32
[[khal::kernel(64)]] void sines(span<float> a) {
  a[global_index()] = sin(a[global_index()]);
}

// CHECK-LABEL: define {{.*}}doubles
// CHECK-NOT:   @llvm.exp
// CHECK-NOT:   @erf
// CHECK:       ret void
// FAST-LABEL:  define {{.*}}doubles
// FAST-NOT:    @llvm.exp
// FAST:        ret void
[[khal::kernel(64)]] void doubles(span<double> a) {
  a[global_index()] = std::exp(a[global_index()]) + std::erf(a[global_index()]);
}

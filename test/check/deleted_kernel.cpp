// A deleted overload is no kernel.
// RUN: %khal-opt --emit-kernels %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: "display_name": "scale"
// CHECK-NOT: "display_name"
[[khal::kernel(64)]] void scale(span<double> a) = delete;
[[khal::kernel(64)]] void scale(span<float> a) { a[0] *= 2; }

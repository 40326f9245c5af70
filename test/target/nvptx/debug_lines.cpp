// With -g the PTX names files and lines; without it, nothing of the machine that it was compiled on.
// RUN: rm -rf %t && mkdir %t
// RUN: %khalc -g --target=ptx --emit=text -o %t/with %s
// RUN: FileCheck %s < %t/with/debug_lines.kernel.ptx
// RUN: %khalc --target=ptx --emit=text -o %t/without %s
// RUN: FileCheck --check-prefix=PLAIN %s < %t/without/debug_lines.kernel.ptx
#include <khal/kernel.hpp>
using namespace khal;

float scaled(float x) { return x * 3; }

[[khal::kernel(64)]] void kernel(span<float> a) {
  const u32 i = global_index();
  a[i] = scaled(a[i]);
}

// CHECK: .loc [[FILE:[0-9]+]] 10 34
// CHECK-NEXT: mul
// CHECK: .file [[FILE]] "{{.*}}debug_lines.cpp"
// PLAIN-NOT: .loc
// PLAIN-NOT: .file
// PLAIN-NOT: .section

// Targets without memory order, and without 64-bit atomics, say so at the line.
//
// RUN: %khalc --target=spirv,glsl,hlsl --emit=text -o %t -DFENCE %s
// RUN: %exits 1 %khalc --target=msl -o %t -DFENCE %s 2>&1 | FileCheck --check-prefix=FENCE %s
// RUN: %exits 1 %khalc --target=wgsl -o %t -DFENCE %s 2>&1 | FileCheck --check-prefix=FENCE %s
// RUN: %exits 1 %khalc --target=wgsl -o %t -DWIDE %s 2>&1 | FileCheck --check-prefix=WIDE %s
// RUN: %exits 1 %khalc --target=hlsl -o %t -DWIDE %s 2>&1 | FileCheck --check-prefix=WIDE %s
// RUN: %exits 1 %khalc --target=glsl -o %t -DWIDE %s 2>&1 | FileCheck --check-prefix=WIDE %s

#include <khal/kernel.hpp>
using namespace khal;

#if defined(FENCE)
[[khal::kernel(64)]] void publish(span<u32> a) {
  a[0] = 1;
  fence(); // FENCE: order.cpp:[[#@LINE]]:{{.*}} error: {{WGSL|Metal 2.2}} has no fences and no atomics with a memory order
  a[1] = 2;
}
#else
[[khal::kernel(64)]] void count(span<u64> a) {
  atomic_add(a[0], u64{1}); // WIDE: order.cpp:[[#@LINE]]:{{.*}} error: {{WGSL|HLSL|GLSL}} has no 64-bit atomics
}
#endif

// WGSL's compilers take a barrier only where they see that all work-items come by.
//
// RUN: split-file %s %t
// RUN: %exits 1 %khalc --target=wgsl -o %t/out %t/written.cpp 2>&1 | FileCheck %t/written.cpp
// RUN: %exits 1 %khalc --target=wgsl -o %t/out %t/rounds.cpp 2>&1 | FileCheck %t/rounds.cpp
// RUN: %khalc --target=wgsl -o %t/out %t/taken.cpp
// RUN: %khalc --target=glsl,hlsl,msl,spirv -o %t/out %t/written.cpp %t/rounds.cpp

//--- written.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u32> a, span<const u32> in) {
  [[khal::shared]] u32 tile[64];
  const u32 i = local_index();
  tile[i] = in[i];
  barrier();
  if (tile[3] > 7) {
    tile[i ^ 1] += 2;
    barrier();
    a[i] = tile[i];
  }
}
// CHECK: written.cpp:10:5: error: WGSL has barriers only where its compilers see that all work-items of a group come by; branch on arguments, group ids and what the kernel doesn't write [khal-shader-divergent-barrier]

//--- rounds.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u32> a) {
  [[khal::shared]] u32 tile[64];
  const u32 i = local_index();
#pragma clang loop unroll(disable)
  for (u32 k = i; k < 6400; k += 64) {
    tile[i] = a[k];
    barrier();
    a[k] = tile[i ^ 1];
    barrier();
  }
}
// CHECK: rounds.cpp:9:5: error: WGSL has barriers only where {{.*}} [khal-shader-divergent-barrier]

//--- taken.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u32> a, span<const u32> in, u32 n) {
  [[khal::shared]] u32 tile[64];
  const u32 i = local_index();
  tile[i] = a[global_index()];
  barrier();
  for (u32 k = 0; k < n; ++k) {
    if (in[k] > 7) {
      tile[i ^ 1] += 2;
      barrier();
    }
  }
  a[global_index()] = tile[i];
}

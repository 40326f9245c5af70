// RUN: split-file %s %t
// RUN: %exits 1 %khalc --target=cpu -o %t/out %t/own.cpp 2>&1 | FileCheck --implicit-check-not=error: %t/own.cpp
// RUN: %exits 1 %khalc --target=ptx -o %t/out %t/own.cpp 2>&1 | FileCheck --implicit-check-not=error: %t/own.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/own.cpp 2>&1 | FileCheck --implicit-check-not=error: %t/own.cpp
// RUN: %exits 1 %khalc --target=cpu -o %t/out %t/shared.cpp 2>&1 | FileCheck --implicit-check-not=error: %t/shared.cpp

//--- own.cpp
#include <khal/kernel.hpp>
using namespace khal;
u32 pick(span<const u32> a) {
  // CHECK: own.cpp:[[@LINE+2]]:{{[0-9]+}}: error: the local variables of a work-item need 524288 bytes here; at most 262144 are allowed, put large arrays into a buffer or shared memory [khal-private-memory-too-large]
  // CHECK: own.cpp:[[@LINE+7]]:{{[0-9]+}}: note: called from 'kernel' here
  u32 all[1 << 17];
  for (u32 i = 0; i < 1 << 17; ++i)
    all[i] = a[i];
  return all[a[0]];
}
[[khal::kernel(64)]] void kernel(span<u32> a, span<const u32> b) {
  a[global_index()] = pick(b);
}

//--- shared.cpp
#include <khal/kernel.hpp>
using namespace khal;
// CHECK: shared.cpp:[[@LINE+1]]:{{[0-9]+}}: error: kernel 'kernel' needs 8589934592 bytes for a work-group on the CPU, more than 4 GiB; use smaller shared or local arrays, or a smaller group [khal-cpu-too-much-memory]
[[khal::kernel(64)]] void kernel(span<u8> a) {
  [[khal::shared]] u8 all[1ull << 33];
  all[a[0]] = 1;
  barrier();
  a[0] = all[a[1]];
}

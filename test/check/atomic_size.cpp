// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khal-opt --abi=nvptx %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

struct Three {
  u32 x, y, z;
};

[[khal::kernel(64)]] void kernel(span<u32> a) {
  Three now, next{1, 2, 3};
  // CHECK: atomic_size.cpp:[[@LINE+1]]:3: error: there is no atomic operation on 'Three', which has 12 bytes; use a type of 4 or 8 bytes [khal-atomic-size]
  __atomic_exchange((Three *)a.data(), &next, &now, __ATOMIC_RELAXED);
  // CHECK: atomic_size.cpp:[[@LINE+1]]:3: error: there is no atomic operation on '__int128', which has 16 bytes
  __atomic_fetch_add((__int128 *)a.data(), 1, __ATOMIC_RELAXED);
}

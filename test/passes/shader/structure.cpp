// RUN: %khal-opt --abi=shader --stage=shader-structured %s | FileCheck %s --implicit-check-not=scope --implicit-check-not=flag
// What C++ wrote structured stays structured: no scopes, no flags.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: loop
// CHECK: return
[[khal::kernel(64)]] void counted(span<const u32> in, span<u32> out, u32 n) {
  u32 sum = 0;
  for (u32 i = 0; i < n; ++i)
    if (in[i] & 1)
      out[i] = sum += in[i];
  out[0] = sum;
}

// CHECK: loop
// CHECK: return
[[khal::kernel(64)]] void found(span<const u32> in, span<u32> out, u32 n) {
  u32 at = n;
  for (u32 i = 0; i < n; ++i) {
    if (in[i] == 7) {
      at = i;
      out[i + 1] = 3;
      break;
    }
    out[i + 1] = in[i];
  }
  out[0] = at;
}

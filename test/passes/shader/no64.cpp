// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s --implicit-check-not=Int64 --implicit-check-not="OpTypeInt 64"
// Pointers and sizes are 32 bits wide here: no 64-bit arithmetic that the source doesn't have.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: OpEntryPoint
[[khal::kernel(64)]] void sum(span<const float> in, span<float> out, u32 n) {
  float total = 0;
  for (u32 i = 0; i < n; ++i)
    for (const float *p = in.begin(); p != in.end(); ++p)
      total += *p * float(i);
  out[global_index()] = total;
}

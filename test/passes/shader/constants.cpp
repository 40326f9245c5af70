// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// Constants that the compiler's own steps make are folded to what SPIR-V has.
#include <algorithm>
#include <khal/kernel.hpp>
using namespace khal;

// A double that is copied as two words: 69.0 is 0x40514000'00000000.
//
// CHECK: OpEntryPoint GLCompute %{{.*}}halves
// CHECK-DAG: OpConstant %uint 1079066624
[[khal::kernel(64)]] void halves(span<const u32> in, span<u32> out) {
  double values[8] = {69.0, 1.5};
  u32 sum = 0;
  for (u32 i = 0; i < 8; ++i)
    sum = sum * 31 + static_cast<u32>(bit_cast<u64>(values[(in[i] + i) & 7]) >> 32);
  __builtin_memcpy(&values[in[0] & 7], &values[in[1] & 7], 8);
  out[global_index()] = sum + static_cast<u32>(bit_cast<u64>(values[in[2] & 7]) >> 32);
}

// libstdc++'s std::advance asks whether its distance is a constant.
//
// CHECK: OpEntryPoint GLCompute %{{.*}}lower_bound
[[khal::kernel(64)]] void lower_bound(span<const u32> in, span<u32> out) {
  const u32 *found = std::lower_bound(in.begin(), in.end(), global_index());
  out[global_index()] = static_cast<u32>(found - in.begin());
}

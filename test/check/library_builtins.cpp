// RUN: %khal-opt --abi=host --emit-kernels %s | FileCheck %s
// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck --check-prefix=SPIRV %s
// What looks like a C function but is the compiler's own, or is written with such, needs no library.
#include <algorithm>
#include <array>
#include <cmath>
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: is_nan
// SPIRV: OpEntryPoint GLCompute %{{.*}}is_nan
[[khal::kernel(64)]] void is_nan(span<float> a) {
  const u32 i = global_index();
  a[i] = isnan(a[i]) || std::signbit(a[i]) || std::isinf(a[i]) ? 1.0f : 0.0f;
}

// std::equal is memcmp, which becomes bcmp.
// CHECK: are_equal
// SPIRV: OpEntryPoint GLCompute %{{.*}}are_equal
[[khal::kernel(64)]] void are_equal(span<const u32> a, span<u32> out) {
  std::array<u32, 8> first, second;
  for (u32 i = 0; i < 8; ++i) {
    first[i] = a[i];
    second[i] = a[global_index() + i];
  }
  out[global_index()] = (first == second) + 2u * std::equal(first.begin(), first.begin() + 3, second.begin() + 1);
}

// SPIRV: OpEntryPoint GLCompute %{{.*}}find_byte
[[khal::kernel(64)]] void find_byte(span<const u32> a, span<u32> out) {
  const char *bytes = reinterpret_cast<const char *>(a.data());
  out[global_index()] = static_cast<u32>(std::find(bytes, bytes + 32, 'x') - bytes);
}

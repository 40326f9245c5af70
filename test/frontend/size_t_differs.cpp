// A type whose size the shader ABI has its own idea of can't cross.
// RUN: %exits 1 %khal-opt --abi=shader --emit-ir %s 2>&1 | FileCheck %s
// RUN: %khal-opt --abi=nvptx --emit-ir %s | FileCheck --check-prefix=SAME %s
#include <cstddef>
#include <khal/kernel.hpp>

struct Range {
  std::size_t first, count;
};

// CHECK: size_t_differs.cpp:[[@LINE+1]]:64: error: parameter 'r' of kernel 'kernel' has another layout on the spirv target than on the host; use types of fixed size, such as khal::u32 or khal::u64 in place of std::size_t [khal-parameter-layout-differs]
[[khal::kernel(64)]] void kernel(khal::span<float> a, Range    r) { a[r.first] = 1; }
// CHECK: khalc: note: while compiling for the spirv target
// SAME: define {{.*}}void @khal_body_

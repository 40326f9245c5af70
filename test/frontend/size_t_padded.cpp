// A struct of the same size with a member of another: only comparing members finds that.
// RUN: %exits 1 %khal-opt --abi=shader --emit-ir %s 2>&1 | FileCheck %s
#include <cstddef>
#include <khal/kernel.hpp>

struct Padded {
  std::size_t first;
  khal::u64 second;
};
struct Outer {
  Padded inner[2];
};

// CHECK: size_t_padded.cpp:[[@LINE+1]]:53: error: parameter 'a' of kernel 'kernel' has another layout on the spirv target than on the host
[[khal::kernel(64)]] void kernel(khal::span<Outer>  a) { a[0].inner[1].first = 1; }

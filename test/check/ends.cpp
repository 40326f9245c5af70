// Functions that end the program end the work-item: they need no definition.
// RUN: %khal-opt --stage=cpu-lowered %s | FileCheck %s
// RUN: %khalc --target=ptx,spirv -o %t %s
#include <khal/kernel.hpp>
#undef NDEBUG
#include <cassert>
#include <cstdlib>
#include <exception>
using namespace khal;

// CHECK: call void @llvm.trap()
[[khal::kernel(64)]] void asserts(span<u32> a) {
  assert(a.size() > 3 && "too short");
  a[0] = 1;
}

[[khal::kernel(64)]] void ends(span<u32> a) {
  if (a[0] == 1)
    std::abort();
  if (a[0] == 2)
    std::exit(3);
  if (a[0] == 3)
    std::terminate();
  a[0] = __builtin_isnormal(float(a[1])); // variadic in name only
}

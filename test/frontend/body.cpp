// The function through which every target enters a kernel.
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
// RUN: %khal-opt --abi=host --emit-ir %s | FileCheck --check-prefix=HOST %s
#include <khal/kernel.hpp>
using namespace khal;

struct Params {
  u32 m, k, n;
};

[[khal::kernel(64)]] void kernel(span<float> a, Params p, float &r, const int *q, bool b) {
  r = a[p.k] + q[0] + b;
}

// CHECK: define void @khal_body__Z6kernelN4khal4spanIfEE6ParamsRfPKib(ptr noundef %a, ptr noundef %p, ptr noundef %r, ptr noundef %q, ptr noundef %b) {{.*}}!dbg
// CHECK: %[[PP:.*]] = load ptr, ptr %r.addr{{.*}}
// CHECK: %[[R:.*]] = load ptr, ptr %[[PP]],
// CHECK: call spir_func void @_Z6kernelN4khal4spanIfEE6ParamsRfPKib({{.*}}ptr noundef nonnull align 4 dereferenceable(4) %[[R]]
// CHECK: !DILocation(

// HOST: define {{.*}}void @khal_body__Z6kernelN4khal4spanIfEE6ParamsRfPKib(
// HOST-NOT: target-cpu
// HOST-NOT: optnone

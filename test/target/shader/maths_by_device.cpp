// By default exp is the device's exp2, corrected, and log has no branch; what a driver may not take
// apart says so, though it is an extended instruction. --fp=strict takes khal's own functions.
// RUN: %khal-opt --abi=shader --stage=spirv %s | FileCheck %s
// RUN: %khal-opt --abi=shader --stage=spirv --fp=strict %s | FileCheck --check-prefix=STRICT %s
// RUN: %khal-opt --abi=shader --stage=spirv --fp=fast %s | FileCheck --check-prefix=FAST %s
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void f(span<float> a) {
  const u32 i = global_id().x;
  a[i] = exp(a[i]) + log(a[i + 1]);
}
// CHECK-DAG: OpDecorate %[[POWER:[0-9]+]] NoContraction
// CHECK-DAG: OpDecorate %[[LOST:[0-9]+]] NoContraction
// CHECK: %[[POWER]] = OpFMul %float
// CHECK: %[[LOST]] = OpExtInst %float %{{[0-9]+}} Fma
// CHECK: OpExtInst %float %{{[0-9]+}} Exp2 %[[POWER]]
// CHECK: NMin
// CHECK-NOT: OpBranchConditional
// CHECK-NOT: {{[^a-z]}}Log{{ }}
// CHECK: OpSelect
// CHECK: OpSelect
// CHECK: OpReturn

// STRICT-NOT: {{ Exp2? | Log2? }}
// FAST: {{ Exp2? }}
// FAST: {{ Log2? }}

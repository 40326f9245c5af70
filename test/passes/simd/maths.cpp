// RUN: %khal-opt --abi=host --fp=fast --stage=cpu-lowered %s | FileCheck %s --check-prefix=FAST
// RUN: %khal-opt --abi=host --stage=cpu-lowered %s | FileCheck %s --check-prefix=EXACT
#include <khal/kernel.hpp>
using namespace khal;

// glibc's vector functions, twice where eight doubles don't fit a register.
// FAST-LABEL: define internal void @{{.*}}functions{{.*}}.group
// FAST: call {{.*}}<8 x float> @_ZGVdN8v_sinf(
// FAST: call {{.*}}<4 x double> @_ZGVdN4v_exp(
// FAST: call {{.*}}<4 x double> @_ZGVdN4v_exp(
// EXACT-NOT: _ZGV
// EXACT: call {{.*}}<8 x float> @llvm.sin.v8f32
// EXACT-NOT: _ZGV
[[khal::kernel(64)]] void functions(span<float> a, span<double> b) {
  const u32 i = global_id().x;
  a[i] = sin(a[i]);
  b[i] = exp(b[i]);
}

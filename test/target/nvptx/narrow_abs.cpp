// RUN: %khal-opt --abi=nvptx --stage=ptx --level=2 %s | FileCheck %s
// The driver's compiler merges abs.s16 into the conversion that follows, and gets -32768 wrong.
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-NOT: abs.s16
// CHECK: abs.s32
// CHECK-NOT: abs.s16
[[khal::kernel(64)]] void convert(span<const i16> in, span<bf16> out) {
  const u32 i = global_index();
  out[i] = static_cast<bf16>(in[i]);
}

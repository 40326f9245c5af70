// RUN: %khal-opt --abi=shader --stage=shader-lowered --level=2 %s | FileCheck %s
// An address that turns out to be constant only once pointers are offsets stays an element's.
#include <khal/kernel.hpp>
using namespace khal;

struct Arguments {
  u32 words[7];
  u8 bytes[4];
};

// CHECK-LABEL: define void @khal.entry.{{.*}}choose
// CHECK-NOT: getelementptr{{.*}}(i8, ptr @khal.view
// CHECK: load i32, ptr getelementptr ([{{[0-9]+}} x i32], ptr @khal.view.khal.block, i32 0, i32 7)
// CHECK-NOT: getelementptr{{.*}}(i8, ptr @khal.view
// CHECK: ret void
[[khal::kernel(64)]] void choose(span<const u32> in, span<u32> out, Arguments arguments) {
  const u32 x = global_index();
  out[x] = arguments.bytes[in[x] != 0 ? 2 : 3];
}

// RUN: %khal-opt --abi=shader --stage=shader-lowered --level=2 %s | FileCheck %s
// Parts of structs that the optimiser copies as integers of 3 bytes go in pieces that shaders have.
#include <khal/kernel.hpp>
using namespace khal;

struct Record {
  u8 flag;
  u8 rest[7];
};

// CHECK-LABEL: define void @khal.entry.{{.*}}copy
// CHECK-NOT: i24, ptr
// CHECK: ret void
[[khal::kernel(64)]] void copy(span<const Record> in, span<u32> out) {
  const u32 x = global_index();
  u32 words[4] = {};
  __builtin_memmove(words, in[x & 31].rest, 3);
  for (u32 i = 0; i < 4; ++i)
    out[4 * x + i] = words[i];
}

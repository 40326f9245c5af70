// 8 and 16 bits are for memory: what is computed is computed in 32, since NVIDIA's driver forgets that
// such results wrap (of -i8(128) it took the sign for 0). Upper bits are cleared only where they count.
// RUN: %khal-opt --abi=shader --stage=shader-lowered %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK-LABEL: define void @{{.*}}wraps
// CHECK: %[[BYTE:.+]] = load i8
// CHECK: %[[WIDE:.+]] = zext i8 %[[BYTE]] to i32
// CHECK: %[[NEGATIVE:.+]] = sub i32 0, %[[WIDE]]
// CHECK: %[[NARROW:.+]] = trunc i32 %[[NEGATIVE]] to i8
// CHECK: %[[SIGNED:.+]] = sext i8 %[[NARROW]] to i32
// CHECK: store i32 %[[SIGNED]]
[[khal::kernel(64)]] void wraps(span<const i8> a, span<i32> b) {
  const u32 i = global_id().x;
  b[i] = static_cast<i8>(-a[i]);
}

// No `and` between operations that carry upwards, nor before the store:
// CHECK-LABEL: define void @{{.*}}carries
// CHECK: mul i32
// CHECK-NOT: and i32 %{{.+}}, 65535
// CHECK: add i32
// CHECK-NOT: and i32 %{{.+}}, 65535
// CHECK: trunc i32 %{{.+}} to i16
// CHECK: store i16
[[khal::kernel(64)]] void carries(span<u16> a, span<const u16> b) {
  const u32 i = global_id().x;
  a[i] = static_cast<u16>(a[i] * 3 + b[i]);
}

// A division looks at all bits, and gives clean ones:
// CHECK-LABEL: define void @{{.*}}divides
// CHECK: %[[CLEAN:.+]] = and i32 %{{.+}}, 255
// CHECK: %[[DIVISOR:.+]] = or i32 %{{.+}}, 1
// CHECK: %[[QUOTIENT:.+]] = udiv i32 %[[CLEAN]], %[[DIVISOR]]
// CHECK: store i32 %[[QUOTIENT]]
[[khal::kernel(64)]] void divides(span<u32> a, span<const u8> b) {
  const u32 i = global_id().x;
  const u8 sum = static_cast<u8>(b[i] + b[i + 1]), divisor = static_cast<u8>(b[i + 2] | 1);
  a[i] = static_cast<u8>(sum / divisor);
}

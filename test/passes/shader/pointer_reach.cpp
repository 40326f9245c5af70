// The bits that a pointer in memory has for its offset say how large a buffer its kernel can reach.
// RUN: %khalc --target=spirv --emit=json -o %t %s
// RUN: FileCheck --input-file=%t/pointer_reach.khal.json %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: "max_buffer_bytes": 1073741823
// CHECK: "max_buffer_bytes": 0
// CHECK: "max_buffer_bytes": 4294967292

// 30 bits count bytes: null, a and b are told apart by two.
[[khal::kernel(64)]] void of_bytes(span<const u8> a, span<const u8> b, span<u8> out, u32 n) {
  const u8 *ways[8];
  for (u32 i = 0; i < n; ++i)
    ways[i] = i % 3 ? &a[i] : &b[i];
  for (u32 i = 0; i < n; ++i)
    out[i] = *ways[(i * 5) % 8];
}
// No pointer is kept.
[[khal::kernel(64)]] void of_nothing(span<const u8> a, span<u8> out) {
  const u8 *from = a.data();
  out[0] = from[1];
}
// The same bits count words.
[[khal::kernel(64)]] void of_words(span<const u32> a, span<const u32> b, span<u32> out, u32 n) {
  const u32 *ways[8];
  for (u32 i = 0; i < n; ++i)
    ways[i] = i % 3 ? &a[i] : &b[i];
  for (u32 i = 0; i < n; ++i)
    out[i] = *ways[(i * 5) % 8];
}

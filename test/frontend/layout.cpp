// Bases and gaps become members, so that a plain struct has the same layout.
// RUN: %khal-opt --emit-kernels %s | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

namespace {
struct Base {
  u32 a;
  u8 b;
};
} // namespace
struct Derived : Base {
  u8 c; // after the base's own padding
};
struct Aligned {
  u8 a;
  alignas(16) float b;
};
union Word {
  u32 bits;
  float value;
};
enum class Kind : u16 { A, B };
struct Mixed {
  Kind kind;
  Word word;
  bool flags[3];
};

[[khal::kernel(64)]] void kernel(span<Derived> d, span<Aligned> a, Mixed m) {}

// CHECK-LABEL: "structs": [
// CHECK: "qualified_name": "::Derived"
// CHECK: "size": 12
// CHECK: "name": "a"
// CHECK-NEXT: "type": "std::uint32_t"
// CHECK: "name": "b"
// CHECK: "offset": 4
// CHECK: "name": "khal_padding_0"
// CHECK-NEXT: "type": "std::uint8_t"
// CHECK-NEXT: "extents": "[3]"
// CHECK-NEXT: "offset": 5
// CHECK: "name": "c"
// CHECK: "offset": 8
// CHECK: "qualified_name": "::Aligned"
// CHECK: "size": 32
// CHECK: "over_aligned": true
// CHECK: "name": "khal_padding_0"
// CHECK-NEXT: "type": "std::uint8_t"
// CHECK-NEXT: "extents": "[15]"
// CHECK: "qualified_name": "::Word"
// CHECK: "is_union": true
// CHECK: "qualified_name": "::Mixed"
// CHECK: "name": "kind"
// CHECK-NEXT: "type": "::Kind"
// CHECK: "name": "flags"
// CHECK-NEXT: "type": "bool"
// CHECK-NEXT: "extents": "[3]"

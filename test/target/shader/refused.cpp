// What the shader path can't lower is said at the user's line, with the chain of calls.
// RUN: split-file %s %t
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/memory.cpp 2>&1 | FileCheck %t/memory.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/numbers.cpp 2>&1 | FileCheck %t/numbers.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/assembly.cpp 2>&1 | FileCheck %t/assembly.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/narrow.cpp 2>&1 | FileCheck %t/narrow.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/brain.cpp 2>&1 | FileCheck %t/brain.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/wide.cpp 2>&1 | FileCheck %t/wide.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/table.cpp 2>&1 | FileCheck %t/table.cpp
// RUN: %exits 1 %khalc --target=spirv -o %t/out %t/clock.cpp 2>&1 | FileCheck %t/clock.cpp

//--- memory.cpp
#include <khal/kernel.hpp>
using namespace khal;
struct Node {
  Node *next;
  u32 value;
};
u32 second(Node *list) {
  // CHECK: memory.cpp:[[@LINE+2]]:{{[0-9]+}}: error: a pointer is kept in memory {{.*}} [khal-shader-pointer-in-memory]
  // CHECK: memory.cpp:[[@LINE+4]]:10: note: called from 'kernel' here
  return list->next->value;
}
[[khal::kernel(64)]] void kernel(span<u32> a) {
  a[0] = second(reinterpret_cast<Node *>(a.data()));
}

//--- numbers.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void constant(span<u32> a) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced to a buffer, shared variable or local on a shader target; it is made from an integer; index the buffer or use a pointer instead [khal-shader-unknown-pointer]
  *reinterpret_cast<volatile u32 *>(0x1230) = a[0];
}
// A number that is known at run time only is no pointer either, whatever it goes through.
[[khal::kernel(64)]] void stored_to(span<u64> a) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer; {{.*}} [khal-shader-unknown-pointer]
  *reinterpret_cast<u32 *>(a[0]) = 1;
}
[[khal::kernel(64)]] void loaded_from(span<u64> a, span<u32> b) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  b[0] = *reinterpret_cast<u32 *>(a[0] + 16);
}
[[khal::kernel(64)]] void atomically(span<u64> a) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  atomic_add(*reinterpret_cast<u32 *>(a[0]), 1u);
}
[[khal::kernel(64)]] void copied_from(span<u64> a, span<uint4> b) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  __builtin_memcpy(&b[0], reinterpret_cast<const void *>(a[0]), 16);
}
[[khal::kernel(64)]] void of_a_float(span<double> a) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  *reinterpret_cast<float *>(static_cast<u64>(a[0])) = 1;
}
[[khal::kernel(64)]] void of_bits(span<float> a) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  *reinterpret_cast<float *>(static_cast<u64>(bit_cast<u32>(a[0]))) = 1;
}
[[khal::kernel(64)]] void of_an_argument(span<u32> a, u64 address) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  a[0] = *reinterpret_cast<const u32 *>(address);
}
[[khal::kernel(64)]] void of_an_id(span<u32> a) {
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  *reinterpret_cast<u32 *>(u64{global_index()} * 4) = a[0];
}
[[khal::kernel(64)]] void kept_in_a_local(span<u64> a, u32 n) {
  u64 addresses[4];
  for (u32 i = 0; i < 4; ++i)
    addresses[(i + n) & 3] = a[i];
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  *reinterpret_cast<u32 *>(addresses[n & 3]) = 1;
}
// Other pointers in memory don't make it one.
[[khal::kernel(64)]] void among_others(span<u64> a, span<u32> b, span<u32> c) {
  u32 *cells[2] = {&b[1], &c[1]};
  *cells[a[1] & 1] = 2;
  // CHECK: numbers.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this pointer can't be traced {{.*}} it is made from an integer
  *reinterpret_cast<u32 *>(a[0]) = 1;
}

//--- assembly.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u32> a) {
  if constexpr (khal::target::spirv) {
    u32 x;
    // CHECK: assembly.cpp:[[@LINE+1]]:5: error: inline assembly can't be lowered for a shader target; put it inside a branch for another target [khal-shader-unsupported-instruction]
    asm("OpSomething %0" : "=r"(x));
    a[0] = x;
  }
}

//--- narrow.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u8> a) {
  // CHECK: narrow.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an atomic on fewer than 32 bits can't be lowered for a shader target; use a 32-bit atomic [khal-shader-unsupported-instruction]
  __atomic_fetch_add(&a[0], 1, __ATOMIC_RELAXED);
}

//--- brain.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<float> a) {
  // CHECK: brain.cpp:[[@LINE+1]]:{{[0-9]+}}: error: arithmetic on this floating-point type can't be lowered for a shader target; use float, double or f16 [khal-shader-unsupported-instruction]
  a[0] = float(__bf16(a[1]));
}

//--- wide.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u64> a) {
  // CHECK: wide.cpp:[[@LINE+1]]:{{[0-9]+}}: error: {{.*}} on an integer of this width can't be lowered for a shader target; use integers of at most 64 bits [khal-shader-unsupported-instruction]
  unsigned _BitInt(100) x = a[0];
  a[0] = u64(x * x * x / a[2] >> 30);
}

//--- table.cpp
#include <khal/kernel.hpp>
#include <array>
using namespace khal;
constexpr auto squares = [] {
  std::array<u32, 70000> all{};
  for (u32 i = 0; i < all.size(); ++i)
    all[i] = i * i;
  return all;
}();
[[khal::kernel(64)]] void kernel(span<u32> a) {
  // CHECK: table.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the constant 'squares' has 70000 elements; a shader target's constants have at most 65532, pass it as a buffer [khal-shader-table-too-large]
  a[0] = squares[a[1] % squares.size()];
}

//--- clock.cpp
#include <khal/kernel.hpp>
using namespace khal;
[[khal::kernel(64)]] void kernel(span<u64> a) {
  // CHECK: clock.cpp:[[@LINE+1]]:{{[0-9]+}}: error: 'readcyclecounter' can't be lowered for a shader target; it has no form on this target yet [khal-shader-unsupported-instruction]
  a[0] = __builtin_readcyclecounter();
}

// Limits of what a kernel can take.
// RUN: %python -c "print('#include <khal/kernel.hpp>\nusing namespace khal;\n[[khal::kernel(64)]] void many(' + ', '.join(f'span<u32> p{i}' for i in range(300)) + ') {}')" > %t.cpp
// RUN: %exits 1 %khal-opt %t.cpp 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: too_much.cpp.tmp.cpp:3:{{[0-9]+}}: error: kernel 'many' has more than 256 buffers; put the data into fewer, larger ones [khal-too-many-buffers]
// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

struct Owner {
  u32 x;
  ~Owner() { x = 0; }
};
// CHECK: too_much.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the elements of 'a' in kernel 'elements' have type 'Owner', which isn't trivially copyable; a buffer holds bytes [khal-parameter-element-not-trivial]
[[khal::kernel(64)]] void elements(span<Owner> a) {}

// Where no code is made for the host, bodies of functions of system headers aren't parsed for it; the
// user's are, with their warnings, and what a constant or a type needs.
// RUN: %khal-opt --abi=nvptx --emit-ir --clang=-isystem --clang=%S/Inputs/system --clang=-Wunused-variable %s 2>&1 | FileCheck %s
// RUN: %exits 1 %khal-opt --abi=nvptx --emit-ir --clang=-isystem --clang=%S/Inputs/system --clang=-DWRONG %s 2>&1 | FileCheck --check-prefix=WRONG %s
// RUN: %exits 1 %khal-opt --abi=host --emit-ir --clang=-isystem --clang=%S/Inputs/system --clang=-DWRONG %s 2>&1 | FileCheck --check-prefix=WRONG %s
#include <khal/kernel.hpp>

#include <library.hpp>

// CHECK: skipped_bodies.cpp:[[@LINE+2]]:{{.*}}: warning: unused variable 'unused'
static inline int mine(int value) {
  int unused = 1;
  return value;
}

[[khal::kernel(constant(63))]] void kernel(khal::span<int> a) {
  static_assert(sizeof(deduced(2.0f)) == 4 && khal::popcount(7u) == 3);
  a[0] = mine(not_constant(static_cast<int>(deduced(a[1]))));
#ifdef WRONG
  // WRONG: library.hpp:3:{{[0-9]+}}: error: member reference base type 'int' is not a structure or union
  // WRONG: skipped_bodies.cpp:[[@LINE+1]]:{{[0-9]+}}: note: in instantiation of function template specialization 'twice<int>' requested here
  a[0] = twice(a[0]);
#endif
}
// CHECK: define {{.*}}@khal_body{{.*}}

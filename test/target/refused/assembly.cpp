// What an assembler says of inline assembly comes out at its line, once, however many processors it
// is compiled for.
// RUN: %exits 1 %khalc --target=cpu -o %t %s 2>&1 | FileCheck --implicit-check-not=error: --check-prefix=CPU %s
// RUN: %exits 1 %khalc --target=ptx -o %t %s 2>&1 | FileCheck --implicit-check-not=error: --check-prefix=PTX %s
// REQUIRES: x86
#include <khal/kernel.hpp>
using namespace khal;

u32 one() {
  u32 x = 1;
  if constexpr (khal::target::cpu)
    // CPU: assembly.cpp:[[@LINE+1]]:5: error: the target's assembler doesn't take this: invalid instruction mnemonic 'nonsense' [khal-invalid-assembly]
    asm("nonsense %0" : "=r"(x));
  if constexpr (khal::target::ptx)
    // PTX: assembly.cpp:[[@LINE+1]]:5: error: the target's assembler doesn't take this: {{.*}} [khal-invalid-assembly]
    asm("mov.u32 %0, 1;" : "=f"(x));
  return x;
}

[[khal::kernel(64)]] void kernel(span<u32> a) { a[0] = one(); }

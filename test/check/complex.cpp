// Complex numbers work as far as they need no library.
// RUN: %exits 1 %khalc --target=cpu -o %t %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khalc --target=ptx -o %t %s 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: %exits 1 %khalc --target=spirv -o %t %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void add(span<float> a) {
  _Complex float x;
  __real__ x = a[0];
  __imag__ x = a[1];
  x += x;
  a[0] = __real__ x;
}

[[khal::kernel(64)]] void divide(span<float> a) {
  _Complex float x, y;
  __real__ x = a[0];
  __imag__ x = a[1];
  __real__ y = a[2];
  __imag__ y = a[3];
  // CHECK: complex.cpp:[[@LINE+1]]:{{[0-9]+}}: error: division of complex numbers needs the compiler's run-time library, which kernels don't have; compute with the real and imaginary parts [khal-complex-arithmetic]
  x = x / y;
  a[0] = __real__ x;
}

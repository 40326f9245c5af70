// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not="while compiling" %s
#include <khal/kernel.hpp>
[[khal::kernel(64)]] void kernel(khal::span<float> a) {
  // CHECK: syntax_error.cpp:[[@LINE+1]]:11: error: expected ';' after expression
  a[0] = 1
}
// Said once, though there are several targets.
// CHECK: 1 error generated.

// A function under another name, and builtin-like ones that aren't khal's.
// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

extern "C" u32 original(u32 x) { return x; }
extern "C" u32 renamed(u32) __attribute__((alias("original")));
extern "C" u32 disguised(u32) __asm__("__khal_barrier");
u32 elsewhere(u32) __asm__("llvm.ctpop.i32");

void clean(u32 *x) { *x = 0; }

[[khal::kernel(64)]] void kernel(span<u32> a) {
  // CHECK: other_names.cpp:[[@LINE+1]]:10: error: call to 'renamed' can't be inlined into the kernel: it is another name for a function; call that one [khal-not-inlinable]
  a[0] = renamed(1);
  // CHECK: other_names.cpp:[[@LINE+1]]:10: error: call to 'disguised', which has no definition in this file
  a[1] = disguised(1);
  // CHECK: other_names.cpp:[[@LINE+1]]:10: error: call to 'elsewhere', which has no definition in this file
  a[2] = elsewhere(1);
  u32 cleaned __attribute__((cleanup(clean))) = 3; // has a definition
  a[3] = cleaned;
}

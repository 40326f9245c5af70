// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

[[khal::kernel(64)]] void kernel(span<u64> a) {
  // CHECK: machine_builtin.cpp:[[@LINE+1]]:16: error: kernels can't call '__builtin_return_address', which reads or changes the machine's stack or caches; there is no such thing on other targets [khal-machine-builtin]
  a[0] = (u64)(__builtin_return_address(0));
  void *buffer[5];
  // CHECK: machine_builtin.cpp:[[@LINE+1]]:7: error: kernels can't call '__builtin_setjmp'
  if (__builtin_setjmp(buffer))
    // CHECK: machine_builtin.cpp:[[@LINE+1]]:5: error: kernels can't call '__builtin_longjmp'
    __builtin_longjmp(buffer, 1);
  // CHECK: machine_builtin.cpp:[[@LINE+1]]:3: error: kernels can't call '__builtin___clear_cache'
  __builtin___clear_cache((char *)&a[0], (char *)&a[1]);
}

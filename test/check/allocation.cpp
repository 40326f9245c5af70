// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <cstdlib>
#include <khal/kernel.hpp>
#include <new>
#include <vector>
using namespace khal;

[[khal::kernel(64)]] void kernel(span<int> a) {
  // CHECK: allocation.cpp:[[@LINE+1]]:12: error: kernels can't allocate memory; use a local array, a shared variable or a buffer [khal-new-expression]
  int *p = new int[4];
  p[0] = a[0];
  // CHECK: allocation.cpp:[[@LINE+1]]:3: error: kernels can't free memory; memory belongs to the host's buffers [khal-delete-expression]
  delete[] p;
  // CHECK: allocation.cpp:[[@LINE+1]]:18: error: kernels can't allocate memory
  void *q = std::malloc(4);
  // CHECK: allocation.cpp:[[@LINE+1]]:8: error: kernels can't free memory
  std::free(q);
  // Into memory that is there already:
  alignas(8) unsigned char storage[8];
  a[1] = *new (storage) int(3);
}

[[khal::kernel(64)]] void library(span<int> a) {
  std::vector<int> v(4);
  // CHECK-DAG: allocation.cpp:[[@LINE-1]]:20: error: kernels can't free memory
  // CHECK-DAG: allocation.cpp:[[@LINE-2]]:20: error: kernels can't allocate memory
  // CHECK-DAG: /c++/{{.*}}: note: this is what the call leads to
  a[0] = v[1];
}
// CHECK: 6 errors generated.

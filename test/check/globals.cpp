// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

int counter;
thread_local int per_thread;
volatile const int device_register = 1;
int compute();
const int later = compute();
extern const int elsewhere;
struct Cache {
  mutable int hits;
};
const Cache cache{0};
struct Settings {
  static int level;
};

int count() {
  static int calls = 0;
  return ++calls; // reported after its caller's faults
}

[[khal::kernel(64)]] void bad(span<int> a) {
  // CHECK: globals.cpp:[[@LINE+1]]:10: error: kernels can't use 'counter', a variable outside of the kernel that isn't constant; make it constexpr, or pass it as a parameter [khal-mutable-global]
  a[0] = counter;
  // CHECK: globals.cpp:[[@LINE+1]]:10: error: kernels can't use 'per_thread'
  a[1] = per_thread;
  // CHECK: globals.cpp:[[@LINE+1]]:10: error: kernels can't use 'device_register'
  a[2] = device_register;
  // CHECK: globals.cpp:[[@LINE+1]]:10: error: the value of 'later' isn't known at compile time; make it constexpr, or pass it as a parameter [khal-dynamic-constant]
  a[3] = later;
  // CHECK: globals.cpp:[[@LINE+1]]:10: error: the value of 'elsewhere' isn't known
  a[4] = elsewhere;
  // CHECK: globals.cpp:[[@LINE+1]]:10: error: kernels can't use 'cache'
  a[5] = cache.hits;
  // CHECK: globals.cpp:[[@LINE+1]]:20: error: kernels can't use 'level'
  a[6] = Settings::level;
  a[7] = count();
}
// CHECK: globals.cpp:21:12: error: kernels can't keep 'calls' from one call to the next; make it constexpr, {{\[\[khal::shared\]\]}} or an ordinary local variable [khal-mutable-static]
// CHECK: globals.cpp:39:10: note: called from 'bad' here
// CHECK: 8 errors generated.

// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck --implicit-check-not=error: %s
#include <khal/kernel.hpp>
using namespace khal;

// CHECK: shared_attribute.cpp:[[@LINE+1]]:3: error: 'khal::shared' marks a variable outside of a function; it can only mark a local variable of a function [khal-shared-place]
[[khal::shared]] float global;
// CHECK: shared_attribute.cpp:[[@LINE+1]]:3: error: 'khal::shared' marks a function;
[[khal::shared]] void function();
struct Type {
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: 'khal::shared' marks a data member;
  [[khal::shared]] float member;
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: 'khal::shared' marks a static data member;
  [[khal::shared]] static float data;
};

// CHECK: shared_attribute.cpp:[[@LINE+1]]:36: error: 'khal::shared' marks a parameter;
[[khal::kernel(64)]] void kernel([[khal::shared]] float p, u32 n) {
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: 'khal::shared' attribute takes no arguments
  [[khal::shared(3)]] float a;
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: a shared variable can't be thread_local; every work-group has one of its own for as long as the group runs [khal-shared-storage]
  [[khal::shared]] thread_local float b;
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: a shared variable can't be constexpr;
  [[khal::shared]] constexpr float c = 1;
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: a shared variable can't be const;
  [[khal::shared]] const float d = 1;
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: a shared variable can't be extern;
  [[khal::shared]] extern float e;
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:26: error: variable length array declaration cannot have 'static' storage duration
  [[khal::shared]] float f[n];
  float pair[2] = {1, 2};
  // CHECK: shared_attribute.cpp:[[@LINE+1]]:5: error: 'khal::shared' marks a structured binding;
  [[khal::shared]] auto [g, h] = pair;
}

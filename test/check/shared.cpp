// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
using namespace khal;

struct Counted {
  int count = 0;
};
struct Guard {
  ~Guard() {}
};

template <class T> T in_template(T x) {
  // CHECK-DAG: shared.cpp:[[@LINE+1]]:22: error: a shared variable of type 'Counted' can't be made without running code; use a type with trivial construction and destruction and no references [khal-shared-type]
  [[khal::shared]] T memory;
  memory = x;
  return memory;
}

[[khal::kernel(64)]] void kernel(span<int> a) {
  // CHECK-DAG: shared.cpp:[[@LINE+1]]:28: error: a shared variable can't have an initialiser; let one work-item store the value, then call khal::barrier() [khal-shared-initialiser]
  [[khal::shared]] int x = 3;
  // CHECK-DAG: shared.cpp:[[@LINE+1]]:28: error: a shared variable can't have an initialiser
  [[khal::shared]] int y[2]{};
  // CHECK-DAG: shared.cpp:[[@LINE+1]]:28: error: a shared variable of type 'Counted'
  [[khal::shared]] Counted counted;
  // CHECK-DAG: shared.cpp:[[@LINE+1]]:26: error: a shared variable of type 'Guard'
  [[khal::shared]] Guard guard;
  // CHECK-DAG: shared.cpp:[[@LINE+1]]:25: error: a shared variable of type 'int &'
  [[khal::shared]] int &r = a[0];
  [[khal::shared]] uint3 fine;
  fine.x = x + y[0] + counted.count + r;
  a[0] = fine.x + in_template(1) + in_template(Counted()).count;
}

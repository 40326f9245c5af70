// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <khal/kernel.hpp>
#include <typeinfo>
using namespace khal;

struct Base {
  virtual ~Base() = default;
};
struct Derived : Base {
  int x = 1;
};

// Host code may ask for types.
const char *name_of(const Base &base) { return typeid(base).name(); }

[[khal::kernel(64)]] void kernel(span<int> a) {
  Derived d;
  Base *base = &d;
  // CHECK: rtti.cpp:[[@LINE+1]]:16: error: kernels have no run-time type information; use a template or an enum to tell types apart [khal-rtti]
  a[0] = (bool)dynamic_cast<Derived *>(base);
  // CHECK: rtti.cpp:[[@LINE+1]]:10: error: kernels have no run-time type information
  a[1] = typeid(int) == typeid(float);
  // Towards a base nothing is looked up at run time.
  a[2] = dynamic_cast<Base *>(&d) != nullptr;
}

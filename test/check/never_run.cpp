// What can't run isn't held against the rules.
// RUN: %khal-opt --abi=shader --emit-ir %s | FileCheck %s
#include <khal/kernel.hpp>
#include <new>
using namespace khal;

int counter;
int *allocate() { return new int; }
int undefined_anywhere();

template <bool Host> int choose(int x) {
  if constexpr (Host)
    return *allocate();
  else
    return x;
}

constexpr int squared(int x) {
  if (__builtin_is_constant_evaluated()) {
    int *p = new int(x);
    const int result = *p * *p;
    delete p;
    return result;
  }
  return x * x;
}

consteval int length() {
  int *p = new int(7);
  const int result = *p;
  delete p;
  return result;
}

template <class T>
concept Counts = requires { undefined_anywhere(); };

int uses_default(int x, int y = squared(2)) { return x + y; }

[[khal::kernel(64)]] void kernel(span<int> a) {
  a[0] = choose<false>(a[0]);
  a[1] = sizeof(*allocate()) + sizeof(counter);
  a[2] = squared(a[2]) + length();
  a[3] = noexcept(allocate());
  a[4] = Counts<int>;
  a[5] = false ? undefined_anywhere() : 1;
  a[6] = false && undefined_anywhere();
  if (target::cpu)
    counter = undefined_anywhere();
  decltype(allocate()) p = &a[7];
  *p = 1;
  const auto lambda = [] { return undefined_anywhere(); }; // made, not called
  (void)lambda;
  a[8] = uses_default(1);
}

// CHECK-NOT: undefined_anywhere
// CHECK-NOT: allocate
// CHECK-NOT: counter
// CHECK: define void @khal_body_

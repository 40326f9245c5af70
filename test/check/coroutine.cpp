// RUN: %exits 1 %khal-opt %s 2>&1 | FileCheck %s
#include <coroutine>
#include <khal/kernel.hpp>
using namespace khal;

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

// CHECK: coroutine.cpp:[[@LINE+1]]:31: error: kernels can't be or call coroutines; write the states out in a loop [khal-coroutine]
Task resume_later(int *value) {
  co_await std::suspend_always();
  *value = 1;
}

[[khal::kernel(64)]] void kernel(span<int> a) {
  int value = 0;
  // CHECK: coroutine.cpp:[[@LINE+1]]:3: note: called from 'kernel' here
  resume_later(&value);
  a[0] = value;
}
// CHECK: 1 error generated.

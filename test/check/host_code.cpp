// What only the host has may stand beside the kernels, in headers and in functions of its own.
// RUN: %khalc --emit=object -o %t %s
#include <khal/kernel.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

thread_local int calls;

double wide(long double x) {
  ++calls;
  __float128 y = x;
  return static_cast<double>(y);
}

int run(int n) {
  int values[n];
  std::mutex mutex;
  std::atomic<int> counter = 0;
  std::thread thread([&] {
    std::lock_guard lock(mutex);
    values[0] = ++counter;
  });
  thread.join();
  auto shared = std::make_shared<int>(values[0]);
  try {
    std::cout << *shared << std::string("x") << '\n';
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}

[[khal::kernel(64)]] void kernel(khal::span<float> a) { a[khal::global_index()] = 1; }

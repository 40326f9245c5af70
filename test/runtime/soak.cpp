//===- soak.cpp - much work for a long time ---------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   khal_runtime_soak [LAUNCHES [ALLOCATIONS]]     a million and a hundred thousand by default
//
// Eight threads launch kernels and make and drop buffers of random sizes on each device. Every result
// must be right, and memory must not grow once the first tenth is done. Exit code 1 when not so.
//
//===------------------------------------------------------------------------------------------===//
#include "kernels.h"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>
#include <thread>

using namespace test;

namespace {

constexpr unsigned threads = 8;
/// What may come and go besides: the allocator's, the driver's.
constexpr std::uint64_t most_growth = 64u << 20;

/// The process's memory in bytes, as the system counts it.
std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (word == "VmRSS:") {
      std::uint64_t kibibytes = 0;
      file >> kibibytes;
      return kibibytes * 1024;
    }
  return 0;
}

std::size_t number(const char *text) {
  char *end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (!*text || *end || value == 0) {
    std::cerr << "not a number above 0: " << text << '\n';
    std::exit(2);
  }
  return value;
}

/// One thread's part: buffers of random sizes that come and go, each with a count of what was done
/// to it, from which its values follow.
class Worker {
public:
  Worker(const khal::Device &device, unsigned seed) : device_(device), random_(seed) {}

  void run(std::size_t launches, std::size_t allocations) {
    khal::Stream stream(device_);
    const std::size_t launches_each = launches / allocations + 1;
    for (std::size_t launched = 0, i = 0; i < allocations || launched < launches; ++i) {
      if (i < allocations)
        replace(i % kept);
      Kept &one = buffers_[random_() % std::min<std::size_t>(i + 1, kept)];
      for (std::size_t k = 0; k < launches_each && launched < launches; ++k, ++launched) {
        const u32 value = static_cast<u32>(random_());
        const u32 count = static_cast<u32>(std::min<std::size_t>(one.buffer.size(), 256));
        step(stream, khal::threads(count), one.buffer, value);
        one.expected = one.expected * 3 + value;
      }
      if (i % 16 == 0)
        check(one);
    }
    stream.wait();
    for (Kept &one : buffers_)
      if (!one.buffer.empty())
        check(one);
  }

  std::size_t wrong() const { return wrong_; }

private:
  static constexpr std::size_t kept = 24;
  struct Kept {
    khal::Buffer<u32> buffer;
    u32 expected = 0; ///< of its first element
  };

  /// Mostly small, now and then megabytes.
  void replace(std::size_t at) {
    const std::size_t size = 1 + random_() % (std::size_t{1} << random_() % 19);
    buffers_[at] = {device_.zeros<u32>(size), 0};
  }
  void check(const Kept &one) { wrong_ += one.buffer.slice(0, 1).download()[0] != one.expected; }

  khal::Device device_;
  std::mt19937 random_;
  std::array<Kept, kept> buffers_;
  std::size_t wrong_ = 0;
};

/// All threads' work once; the number of wrong values.
std::size_t run_all(const khal::Device &device, std::size_t launches, std::size_t allocations,
                    unsigned seed) {
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      try {
        Worker worker(device, seed + t);
        worker.run(launches / threads, std::max<std::size_t>(allocations / threads, 1));
        wrong += worker.wrong();
      } catch (const khal::Error &error) {
        std::cerr << "thread " << t << ": " << error.what() << '\n';
        ++wrong;
      }
    });
  for (std::thread &thread : running)
    thread.join();
  return wrong;
}

bool soak(const khal::Device &device, std::size_t launches, std::size_t allocations) {
  // The first tenth fills pools and caches; from then on memory must stay flat.
  std::size_t wrong = run_all(device, launches / 10, allocations / 10, 100);
  const std::uint64_t resident = resident_bytes();
  const std::uint64_t reserved = device.memory().reserved_bytes;
  wrong += run_all(device, launches - launches / 10, allocations - allocations / 10, 200);
  const khal::MemoryStatistics memory = device.memory();
  const std::uint64_t now = resident_bytes();
  const bool flat = now <= resident + most_growth && memory.buffers == 0 &&
                    memory.reserved_bytes <= reserved + most_growth;
  std::cout << device.info().id << ": " << launches << " launches, " << allocations
            << " allocations, " << wrong << " wrong; process " << (resident >> 20) << " -> "
            << (now >> 20) << " MiB, device " << (reserved >> 20) << " -> "
            << (memory.reserved_bytes >> 20) << " MiB, high water "
            << (memory.high_water_bytes >> 20) << " MiB, " << memory.buffers
            << " buffers left: " << (wrong == 0 && flat ? "fine" : "NOT FINE") << '\n';
  return wrong == 0 && flat;
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 3) {
    std::cerr << "usage: khal_runtime_soak [LAUNCHES [ALLOCATIONS]]\n";
    return 2;
  }
  const std::size_t launches = argc > 1 ? number(argv[1]) : 1'000'000;
  const std::size_t allocations = argc > 2 ? number(argv[2]) : 100'000;
  try {
    bool fine = true;
    for (const khal::Device &device : khal::Device::all())
      fine = soak(device, launches, allocations) && fine;
    return fine ? 0 : 1;
  } catch (const khal::Error &error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

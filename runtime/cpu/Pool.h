//===- Pool.h - the threads that run work-groups ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workers take a job's items in chunks that shrink towards its end, so that groups which take
// longer than others don't leave workers idle. Jobs that are ready at the same time are served in
// the order in which they came.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CPU_POOL_H
#define KHAL_RUNTIME_CPU_POOL_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace khal::detail::cpu {

/// Items 0 to total - 1, which any workers may run in any order.
class Job {
public:
  /// `scratch_bytes` of memory, aligned to 64 bytes, go to each call of run().
  Job(std::uint64_t total, std::size_t scratch_bytes) noexcept
      : total_(total), left_(total), scratch_bytes_(scratch_bytes) {}
  virtual ~Job() = default;

protected:
  /// For jobs whose number of items is known only when their turn has come: made with 0 and told here,
  /// before submit().
  void set_total(std::uint64_t total) noexcept {
    left_.store(total, std::memory_order_relaxed);
    total_.store(total, std::memory_order_release);
  }
  virtual void run(std::uint64_t first, std::uint64_t end, void *scratch) = 0;
  /// Called once, when all items are done, by the worker that did the last. `error` is what one of
  /// them failed with, or null.
  virtual void finished(std::exception_ptr error) noexcept = 0;

private:
  friend class Pool;
  std::atomic<std::uint64_t> total_;
  std::atomic<std::uint64_t> next_{0}; ///< first item that no worker has taken
  std::atomic<std::uint64_t> left_;    ///< items that aren't done
  const std::size_t scratch_bytes_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

class Pool {
public:
  explicit Pool(unsigned threads);
  /// Waits for the workers; there must be no jobs left. A worker may be the one that ends the pool,
  /// in what its last job let go of: it then ends by itself.
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  void submit(std::shared_ptr<Job> job);
  /// Runs a job that has been submitted, of one item that no worker has taken yet, on the calling
  /// thread: whoever waits for it does it sooner than a worker wakes. False if there's nothing to
  /// do; jobs of several items are the workers', whose number the user chose.
  bool help(Job &job);
  unsigned size() const noexcept { return static_cast<unsigned>(workers_.size()); }

private:
  struct State;
  struct Worker;

  const std::shared_ptr<State> state_; ///< also the workers'
  std::vector<std::thread> workers_;
};

} // namespace khal::detail::cpu

#endif // KHAL_RUNTIME_CPU_POOL_H

//===- Pool.cpp - the threads that run work-groups --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Pool.h"

#include <algorithm>
#include <new>
#include <pthread.h>

namespace khal::detail::cpu {

namespace {

constexpr std::align_val_t scratch_alignment{64};

/// Rounds of looking for work before a worker goes to sleep. Waking a thread costs more than a
/// small kernel takes, and this keeps workers awake between the launches of a sequence.
constexpr unsigned rounds_before_sleep = 400;

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace

struct Pool::Worker {
  void *scratch(std::size_t bytes) {
    if (bytes > capacity) {
      release();
      memory = ::operator new(bytes, scratch_alignment);
      capacity = bytes;
    }
    return memory;
  }
  void release() {
    if (memory)
      ::operator delete(memory, scratch_alignment);
    memory = nullptr;
    capacity = 0;
  }
  ~Worker() { release(); }

  void *memory = nullptr;
  std::size_t capacity = 0;
};

Pool::Pool(unsigned threads) : threads_(threads) {
  for (unsigned i = 0; i < threads; ++i) {
    workers_.emplace_back([this] { work(); });
    pthread_setname_np(workers_.back().native_handle(), "khal-cpu");
  }
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_there_.notify_all();
  for (std::thread &worker : workers_)
    worker.join();
}

void Pool::submit(std::shared_ptr<Job> job) {
  const bool for_one = job->total_ == 1;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    job_count_.store(jobs_.size(), std::memory_order_relaxed);
  }
  if (for_one)
    work_there_.notify_one();
  else
    work_there_.notify_all();
}

void Pool::work() {
  Worker self;
  while (const std::shared_ptr<Job> job = next_job()) {
    run_items(*job, self);
    retire(*job);
  }
}

bool Pool::help(Job &job) {
  if (job.total_ != 1 || job.next_.load(std::memory_order_relaxed) != 0)
    return false;
  static thread_local Worker self;
  if (!run_items(job, self))
    return false;
  retire(job);
  return true;
}

std::shared_ptr<Job> Pool::next_job() {
  for (unsigned round = 0; round < rounds_before_sleep; ++round) {
    if (job_count_.load(std::memory_order_relaxed) > 0)
      break;
    pause_briefly();
  }
  std::unique_lock lock(mutex_);
  work_there_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
  return jobs_.empty() ? nullptr : jobs_.front();
}

/// Takes some of the items that are left, and says how many.
std::uint64_t Pool::take(Job &job, std::uint64_t &first) const {
  std::uint64_t next = job.next_.load(std::memory_order_relaxed);
  for (;;) {
    if (next >= job.total_)
      return 0;
    const std::uint64_t count =
        std::max<std::uint64_t>(1, (job.total_ - next) / (std::uint64_t{threads_} * 2));
    if (job.next_.compare_exchange_weak(next, next + count, std::memory_order_relaxed)) {
      first = next;
      return count;
    }
  }
}

/// Runs what is left of a job's items, and says whether there was any.
bool Pool::run_items(Job &job, Worker &worker) {
  bool any = false;
  std::uint64_t first = 0;
  while (const std::uint64_t count = take(job, first)) {
    try {
      job.run(first, first + count, worker.scratch(job.scratch_bytes_));
    } catch (...) {
      const std::lock_guard lock(job.error_mutex_);
      job.error_ = std::current_exception();
    }
    // Releases what this worker wrote to the one that does the last item, which acquires it.
    if (job.left_.fetch_sub(count, std::memory_order_acq_rel) == count)
      job.finished(job.error_);
    any = true;
  }
  return any;
}

/// Takes a job whose items are all taken off the list, if no other worker has.
void Pool::retire(const Job &job) {
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [&](const auto &listed) { return listed.get() == &job; });
  job_count_.store(jobs_.size(), std::memory_order_relaxed);
}

} // namespace khal::detail::cpu

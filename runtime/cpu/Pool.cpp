//===- Pool.cpp - the threads that run work-groups --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Pool.h"

#include "khal/abi.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <new>
#include <pthread.h>

namespace khal::detail::cpu {

namespace {

constexpr std::align_val_t scratch_alignment{abi::scratch_alignment};

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

/// What the workers and the pool share; it lives until the last of them has ended.
struct Pool::State {
  explicit State(unsigned count) : threads(count) {}

  void work();
  std::shared_ptr<Job> next_job();
  bool run_items(Job &job, Worker &worker);
  void retire(const Job &job);
  std::uint64_t take(Job &job, std::uint64_t &first) const;

  const unsigned threads;
  std::mutex mutex;
  std::condition_variable work_there;
  std::deque<std::shared_ptr<Job>> jobs; ///< those with items to take; guarded by mutex
  std::atomic<std::size_t> job_count{0}; ///< jobs.size(), to be looked at without the mutex
  bool stopping = false;                 ///< guarded by mutex
};

Pool::Pool(unsigned threads) : state_(std::make_shared<State>(threads)) {
  for (unsigned i = 0; i < threads; ++i) {
    workers_.emplace_back([state = state_] { state->work(); });
    pthread_setname_np(workers_.back().native_handle(), "khal-cpu");
  }
}

Pool::~Pool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->work_there.notify_all();
  for (std::thread &worker : workers_)
    if (worker.get_id() == std::this_thread::get_id())
      worker.detach();
    else
      worker.join();
}

void Pool::submit(std::shared_ptr<Job> job) {
  const bool for_one = job->total_ == 1;
  const std::shared_ptr<State> state = state_; // the pool may end with the job
  {
    const std::lock_guard lock(state->mutex);
    state->jobs.push_back(std::move(job));
    state->job_count.store(state->jobs.size(), std::memory_order_relaxed);
  }
  if (for_one)
    state->work_there.notify_one();
  else
    state->work_there.notify_all();
}

void Pool::State::work() {
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
  const std::shared_ptr<State> state = state_; // the pool may end with the job
  if (!state->run_items(job, self))
    return false;
  state->retire(job);
  return true;
}

std::shared_ptr<Job> Pool::State::next_job() {
  for (unsigned round = 0; round < rounds_before_sleep; ++round) {
    if (job_count.load(std::memory_order_relaxed) > 0)
      break;
    pause_briefly();
  }
  std::unique_lock lock(mutex);
  work_there.wait(lock, [this] { return stopping || !jobs.empty(); });
  return jobs.empty() ? nullptr : jobs.front();
}

/// Takes some of the items that are left, and says how many.
std::uint64_t Pool::State::take(Job &job, std::uint64_t &first) const {
  const std::uint64_t total = job.total_.load(std::memory_order_acquire);
  std::uint64_t next = job.next_.load(std::memory_order_relaxed);
  for (;;) {
    if (next >= total)
      return 0;
    const std::uint64_t count =
        std::max<std::uint64_t>(1, (total - next) / (std::uint64_t{threads} * 2));
    if (job.next_.compare_exchange_weak(next, next + count, std::memory_order_relaxed)) {
      first = next;
      return count;
    }
  }
}

/// Runs what is left of a job's items, and says whether there was any.
bool Pool::State::run_items(Job &job, Worker &worker) {
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
void Pool::State::retire(const Job &job) {
  const std::lock_guard lock(mutex);
  std::erase_if(jobs, [&](const auto &listed) { return listed.get() == &job; });
  job_count.store(jobs.size(), std::memory_order_relaxed);
}

} // namespace khal::detail::cpu

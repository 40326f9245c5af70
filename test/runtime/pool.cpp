//===- pool.cpp - tests of the CPU's thread pool ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Pool.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <stdexcept>

namespace {

using khal::detail::cpu::Job;
using khal::detail::cpu::Pool;

/// Counts how often each item is run, and can fail at one of them.
class Counting final : public Job {
public:
  Counting(std::uint64_t total, std::size_t scratch = 0, std::uint64_t fail_at = UINT64_MAX)
      : Job(total, scratch), counts(total), scratch_(scratch), fail_at_(fail_at) {}

  std::exception_ptr wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return finished_count > 0; });
    return error_;
  }

  std::vector<std::atomic<int>> counts;
  int finished_count = 0;
  std::atomic<bool> scratch_right = true;

private:
  void run(std::uint64_t first, std::uint64_t end, void *scratch) override {
    if (scratch_ > 0) {
      // Nobody else writes here meanwhile.
      auto *bytes = static_cast<unsigned char *>(scratch);
      if (reinterpret_cast<std::uintptr_t>(scratch) % 64 != 0)
        scratch_right = false;
      const auto mark = static_cast<unsigned char>(first);
      std::fill_n(bytes, scratch_, mark);
      for (std::size_t i = 0; i < scratch_; ++i)
        if (bytes[i] != mark)
          scratch_right = false;
    }
    for (std::uint64_t i = first; i < end; ++i) {
      ++counts[i];
      if (i == fail_at_)
        throw std::runtime_error("as it was told to");
    }
  }
  void finished(std::exception_ptr error) noexcept override {
    const std::lock_guard lock(mutex_);
    error_ = error;
    ++finished_count;
    done_.notify_all();
  }

  const std::size_t scratch_;
  const std::uint64_t fail_at_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::exception_ptr error_;
};

TEST(CpuPool, RunsEachItemOnce) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    Pool pool(threads);
    for (const std::uint64_t total : {1, 2, 3, 64, 1000, 12345}) {
      const auto job = std::make_shared<Counting>(total);
      pool.submit(job);
      EXPECT_FALSE(job->wait());
      for (const auto &count : job->counts)
        ASSERT_EQ(count, 1) << total << " items on " << threads << " threads";
      EXPECT_EQ(job->finished_count, 1);
    }
  }
}

TEST(CpuPool, GivesEachCallScratchOfItsOwn) {
  Pool pool(4);
  for (const std::size_t bytes : {100, 100'000, 7}) {
    const auto job = std::make_shared<Counting>(300, bytes);
    pool.submit(job);
    EXPECT_FALSE(job->wait());
    EXPECT_TRUE(job->scratch_right);
  }
}

TEST(CpuPool, ReportsWhatAnItemFailsWith) {
  Pool pool(3);
  const auto job = std::make_shared<Counting>(500, 0, 123);
  pool.submit(job);
  const std::exception_ptr error = job->wait();
  ASSERT_TRUE(error);
  EXPECT_THROW(std::rethrow_exception(error), std::runtime_error);
}

TEST(CpuPool, LetsWhoeverWaitsDoASingleItem) {
  Pool pool(2);
  unsigned helped = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto job = std::make_shared<Counting>(1, 100);
    pool.submit(job);
    helped += pool.help(*job);
    EXPECT_FALSE(job->wait());
    ASSERT_EQ(job->counts[0], 1);
    EXPECT_EQ(job->finished_count, 1);
    EXPECT_FALSE(pool.help(*job)) << "it is done";
    EXPECT_TRUE(job->scratch_right);
  }
  EXPECT_GT(helped, 0u);
  const auto several = std::make_shared<Counting>(8);
  EXPECT_FALSE(pool.help(*several)) << "the workers' number is the user's choice";
}

TEST(CpuPool, RunsManyJobsAtATime) {
  Pool pool(3);
  std::vector<std::shared_ptr<Counting>> jobs;
  for (int i = 0; i < 200; ++i) {
    jobs.push_back(std::make_shared<Counting>(1 + i % 17));
    pool.submit(jobs.back());
  }
  for (const auto &job : jobs) {
    EXPECT_FALSE(job->wait());
    for (const auto &count : job->counts)
      ASSERT_EQ(count, 1);
  }
}

} // namespace

//===- Stream.h - work in order on the pool ---------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CPU_STREAM_H
#define KHAL_RUNTIME_CPU_STREAM_H

#include "core/Backend.h"
#include "cpu/Pool.h"

#include <condition_variable>
#include <deque>

namespace khal::detail::cpu {

class CpuDevice;

/// Hands the pool one job at a time, the next when one is finished.
class CpuStream final : public StreamImpl {
public:
  explicit CpuStream(std::shared_ptr<CpuDevice> device);

  Ticket launch(const KernelLaunch &launch) override;
  Ticket write(Memory &target, std::uint64_t offset, const void *source,
               std::uint64_t bytes) override;
  Ticket read(Memory &source, std::uint64_t offset, void *target, std::uint64_t bytes) override;
  Ticket copy(Memory &target, std::uint64_t target_offset, Memory &source,
              std::uint64_t source_offset, std::uint64_t bytes) override;
  Ticket fill(Memory &target, std::uint64_t offset, std::uint64_t bytes,
              std::span<const std::byte> pattern) override;
  std::optional<Ticket> after(StreamImpl &other, Ticket ticket) override;
  Ticket call(std::function<void()> function) override;
  std::pair<Ticket, std::shared_ptr<Timestamp>> stamp() override;
  void wait_for(Ticket ticket) override;
  bool reached(Ticket ticket) override;
  Ticket last_ticket() const noexcept override;

  /// Called by a worker when the first of the queue is done. The stream may end as soon as its last
  /// job has called this, so nothing of it is touched after that.
  void finished(std::exception_ptr error) noexcept;

private:
  using Continuation = std::function<void(std::exception_ptr)>;

  /// A job, or a wait for another stream.
  struct Step {
    std::shared_ptr<Job> job;
    std::shared_ptr<CpuStream> other; ///< only without a job
    Ticket ticket = 0;                ///< of the other stream
  };
  /// Called, once, when the stream has come to a ticket.
  struct Waiter {
    Ticket ticket;
    Continuation continuation;
  };

  Ticket put(Step step);
  void begin(const Step &step);
  bool call_when_reached(Ticket ticket, Continuation continuation);

  CpuDevice &cpu_;
  mutable std::mutex mutex_;
  std::condition_variable progress_;
  std::deque<Step> queue_; ///< its first has begun
  std::vector<Waiter> waiters_;
  Ticket last_ = 0;
  Ticket done_ = 0;
  std::exception_ptr error_; ///< of the first job that failed; later ones aren't run
};

} // namespace khal::detail::cpu

#endif // KHAL_RUNTIME_CPU_STREAM_H

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
  void wait_for(Ticket ticket) override;
  Ticket last_ticket() const noexcept override;

  /// Called by a worker when the first of the queue is done. The stream may end as soon as its last
  /// job has called this, so nothing of it is touched after that.
  void finished(std::exception_ptr error) noexcept;

private:
  Ticket put(std::shared_ptr<Job> job);

  CpuDevice &cpu_;
  mutable std::mutex mutex_;
  std::condition_variable progress_;
  std::deque<std::shared_ptr<Job>> queue_; ///< its first is with the pool
  Ticket last_ = 0;
  Ticket done_ = 0;
  std::exception_ptr error_; ///< of the first job that failed; later ones aren't run
};

} // namespace khal::detail::cpu

#endif // KHAL_RUNTIME_CPU_STREAM_H

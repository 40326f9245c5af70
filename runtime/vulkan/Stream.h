//===- Stream.h - work in order on a queue ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each piece of work is a batch: a command buffer that first waits, on the device, for all earlier
// ones of its queue. The stream's timeline tells when it's done. Batches are used again.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_STREAM_H
#define KHAL_RUNTIME_VULKAN_STREAM_H

#include "core/Staging.h"
#include "vulkan/Commands.h"
#include "vulkan/Timeline.h"

#include <deque>

namespace khal::detail::vulkan {

class VulkanDevice;
struct Queue;

class VulkanStream final : public StagedStream {
public:
  explicit VulkanStream(std::shared_ptr<VulkanDevice> device);
  ~VulkanStream() override;

  /// Puts in commands that have been recorded for Commands::Use::again.
  Ticket replay(std::shared_ptr<Commands> commands);

  Queue &queue() noexcept { return queue_; }
  const Timeline &timeline() const noexcept { return *timeline_; }

  Ticket launch(const KernelLaunch &launch) override;
  Ticket copy(Memory &target, std::uint64_t target_offset, Memory &source,
              std::uint64_t source_offset, std::uint64_t bytes) override;
  std::optional<Ticket> after(StreamImpl &other, Ticket ticket) override;
  Ticket call(std::function<void()> function) override;
  std::pair<Ticket, std::shared_ptr<Timestamp>> stamp() override;
  void wait_for(Ticket ticket) override;
  bool reached(Ticket ticket) override;
  Ticket last_ticket() const noexcept override;

protected:
  std::unique_ptr<StagingChunk> make_chunk(std::uint64_t bytes) override;
  Ticket copy_in(Memory &target, std::uint64_t offset, StagingChunk &chunk,
                 std::uint64_t chunk_offset, std::uint64_t bytes) override;
  Ticket copy_out(Memory &source, std::uint64_t offset, StagingChunk &chunk,
                  std::uint64_t chunk_offset, std::uint64_t bytes) override;
  Ticket fill_words(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                    std::uint32_t word) override;

private:
  class ClockReading;
  /// What the device does or will do. Its commands are the stream's own, to be used again, or shared
  /// with a graph.
  struct Batch {
    Ticket ticket = 0;
    std::unique_ptr<Commands> commands;
    std::shared_ptr<Commands> shared;
  };

  /// Records commands with `fill(commands)` and hands them to the queue.
  template <class Fill>
  Ticket submit(const Fill &fill, std::span<const Timeline::Point> points = {});
  void make_room();
  std::unique_ptr<Commands> idle_commands();
  Ticket hand_over(VkCommandBuffer commands, Batch batch, std::span<const Timeline::Point> points);
  void release_done(Ticket done);

  VulkanDevice &vulkan_;
  Queue &queue_;
  const std::shared_ptr<Timeline> timeline_;
  std::shared_ptr<Timeline> calls_; ///< raised when the host has called a function
  Ticket last_call_ = 0;
  mutable std::mutex mutex_;
  std::deque<Batch> in_flight_; ///< in the order of their tickets
  std::vector<std::unique_ptr<Commands>> idle_;
  Ticket last_ = 0;
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_STREAM_H

//===- Timeline.h - how far a stream's submissions have come ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_TIMELINE_H
#define KHAL_RUNTIME_VULKAN_TIMELINE_H

#include "core/Backend.h"
#include "vulkan/Api.h"

#include <deque>

namespace khal::detail::vulkan {

class VulkanDevice;
struct Queue;

/// A timeline semaphore that each submission raises to its ticket. On devices without timeline
/// semaphores each submission has a fence, and only the host can wait. Submissions are made by one
/// thread at a time; all else may be called by any.
class Timeline {
public:
  /// A wait, on the device, for a timeline to come to a ticket.
  struct Point {
    std::shared_ptr<Timeline> timeline;
    Ticket ticket;
  };

  explicit Timeline(VulkanDevice &device);
  ~Timeline();
  Timeline(const Timeline &) = delete;
  Timeline &operator=(const Timeline &) = delete;

  /// Hands commands to the queue, which comes to `ticket` when they are done. They begin when the
  /// points have been reached; there may be points only if can_be_awaited().
  void submit(Queue &queue, VkCommandBuffer commands, std::span<const Point> points, Ticket ticket);
  /// Raises the timeline from the host; only if can_be_awaited().
  void signal(Ticket ticket);

  bool reached(Ticket ticket);
  void wait(Ticket ticket);
  /// Whether other submissions can wait for this on the device.
  /// Null when it can't be awaited.
  VkSemaphore semaphore() const noexcept { return semaphore_; }
  bool can_be_awaited() const noexcept { return semaphore_ != VK_NULL_HANDLE; }

private:
  class Fence;
  struct Submission {
    Ticket ticket;
    std::shared_ptr<Fence> fence;
  };
  std::unique_lock<std::mutex> keep_the_layer_from_waiting();
  std::shared_ptr<Fence> idle_fence();
  void submit_with_fence(Queue &queue, VkSubmitInfo info, Ticket ticket);
  void release_done();

  VulkanDevice &device_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::deque<Submission> submissions_;              ///< with fences, not known to be done
  std::vector<std::shared_ptr<Fence>> idle_fences_; ///< may have threads that still wait
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_TIMELINE_H

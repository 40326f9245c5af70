//===- Timeline.cpp - how far a stream's submissions have come --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Timeline.h"

#include "vulkan/Device.h"

#include <limits>
#include <thread>

namespace khal::detail::vulkan {

namespace {

constexpr std::uint64_t for_ever = std::numeric_limits<std::uint64_t>::max();

/// Between two looks at a semaphore that the validation layer watches.
constexpr std::chrono::microseconds validated_pause{20};

} // namespace

/// Shared between a submission and the threads that wait for it; only used again when none does.
class Timeline::Fence {
public:
  explicit Fence(VulkanDevice &device) : device_(device) {
    VkFenceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    check(device.fn().CreateFence(device.handle(), &info, nullptr, &handle_), "making a fence");
  }
  ~Fence() { device_.fn().DestroyFence(device_.handle(), handle_, nullptr); }
  Fence(const Fence &) = delete;
  Fence &operator=(const Fence &) = delete;

  VkFence handle() const noexcept { return handle_; }
  void wait() const {
    check(device_.fn().WaitForFences(device_.handle(), 1, &handle_, VK_TRUE, for_ever),
          "waiting for the device");
  }
  bool done() const {
    const VkResult status = device_.fn().GetFenceStatus(device_.handle(), handle_);
    if (status != VK_NOT_READY)
      check(status, "asking for a fence's status");
    return status == VK_SUCCESS;
  }
  void reset() const {
    check(device_.fn().ResetFences(device_.handle(), 1, &handle_), "resetting a fence");
  }

private:
  VulkanDevice &device_;
  VkFence handle_ = VK_NULL_HANDLE;
};

Timeline::Timeline(VulkanDevice &device) : device_(device) {
  if (!device.physical().features->timeline_semaphores())
    return;
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &type;
  check(device.fn().CreateSemaphore(device.handle(), &info, nullptr, &semaphore_),
        "making a semaphore");
}

Timeline::~Timeline() {
  device_.fn().DestroySemaphore(device_.handle(), semaphore_, nullptr);
}

void Timeline::submit(Queue &queue, VkCommandBuffer commands, std::span<const Point> points,
                      Ticket ticket) {
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  if (!can_be_awaited()) {
    submit_with_fence(queue, info, ticket);
    return;
  }
  std::vector<VkSemaphore> semaphores;
  std::vector<std::uint64_t> values;
  for (const Point &point : points) {
    semaphores.push_back(point.timeline->semaphore_);
    values.push_back(point.ticket);
  }
  const std::vector<VkPipelineStageFlags> stages(points.size(), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  VkTimelineSemaphoreSubmitInfo timelines{};
  timelines.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  timelines.waitSemaphoreValueCount = static_cast<std::uint32_t>(points.size());
  timelines.pWaitSemaphoreValues = values.data();
  timelines.signalSemaphoreValueCount = 1;
  timelines.pSignalSemaphoreValues = &ticket;
  info.pNext = &timelines;
  info.waitSemaphoreCount = static_cast<std::uint32_t>(points.size());
  info.pWaitSemaphores = semaphores.data();
  info.pWaitDstStageMask = stages.data();
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore_;
  const auto alone = keep_the_layer_from_waiting();
  const std::lock_guard lock(queue);
  check(device_.fn().QueueSubmit(queue.handle, 1, &info, VK_NULL_HANDLE),
        "handing work to the device");
}

/// When one thread hears of a semaphore's value while another's call that raised it hasn't returned,
/// validation layers (1.3.239 for one) wait for each other, ten seconds, and then complain of
/// themselves. So in a validated device such calls are made one at a time, and none of them waits.
std::unique_lock<std::mutex> Timeline::keep_the_layer_from_waiting() {
  return device_.info().validated ? std::unique_lock(device_.timelines_mutex())
                                  : std::unique_lock<std::mutex>();
}

void Timeline::signal(Ticket ticket) {
  VkSemaphoreSignalInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  info.semaphore = semaphore_;
  info.value = ticket;
  const auto alone = keep_the_layer_from_waiting();
  check(device_.fn().SignalSemaphore(device_.handle(), &info), "signalling a semaphore");
}

bool Timeline::reached(Ticket ticket) {
  if (can_be_awaited()) {
    std::uint64_t value = 0;
    const auto alone = keep_the_layer_from_waiting();
    check(device_.fn().GetSemaphoreCounterValue(device_.handle(), semaphore_, &value),
          "asking for a semaphore's value");
    return value >= ticket;
  }
  const std::lock_guard lock(mutex_);
  release_done();
  return submissions_.empty() || submissions_.front().ticket > ticket;
}

void Timeline::wait(Ticket ticket) {
  if (can_be_awaited() && device_.info().validated) {
    while (!reached(ticket))
      std::this_thread::sleep_for(validated_pause);
    return;
  }
  if (can_be_awaited()) {
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &ticket;
    check(device_.fn().WaitSemaphores(device_.handle(), &info, for_ever), "waiting for the device");
    return;
  }
  std::shared_ptr<Fence> fence;
  {
    const std::lock_guard lock(mutex_);
    for (const Submission &submission : submissions_)
      if (submission.ticket <= ticket)
        fence = submission.fence;
  }
  if (fence)
    fence->wait();
}

std::shared_ptr<Timeline::Fence> Timeline::idle_fence() {
  const std::lock_guard lock(mutex_);
  release_done();
  while (!idle_fences_.empty()) {
    std::shared_ptr<Fence> fence = std::move(idle_fences_.back());
    idle_fences_.pop_back();
    if (fence.use_count() > 1)
      continue;
    fence->reset();
    return fence;
  }
  return std::make_shared<Fence>(device_);
}

void Timeline::submit_with_fence(Queue &queue, VkSubmitInfo info, Ticket ticket) {
  const std::shared_ptr<Fence> fence = idle_fence();
  const std::lock_guard lock(mutex_);
  {
    const std::lock_guard queue_lock(queue);
    check(device_.fn().QueueSubmit(queue.handle, 1, &info, fence->handle()),
          "handing work to the device");
  }
  submissions_.push_back({ticket, fence});
}

/// The caller holds mutex_.
void Timeline::release_done() {
  while (!submissions_.empty() && submissions_.front().fence->done()) {
    idle_fences_.push_back(std::move(submissions_.front().fence));
    submissions_.pop_front();
  }
}

} // namespace khal::detail::vulkan

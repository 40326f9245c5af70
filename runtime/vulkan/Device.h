//===- Device.h - a Vulkan device -------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_DEVICE_H
#define KHAL_RUNTIME_VULKAN_DEVICE_H

#include "core/Artifact.h"
#include "core/Backend.h"
#include "vulkan/Features.h"
#include "vulkan/Heap.h"
#include "vulkan/Kernel.h"

#include <functional>
#include <optional>

namespace khal::detail::vulkan {

/// What the runtime must know of a physical device besides its DeviceInfo.
struct Physical {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  std::uint32_t version = 0; ///< what the device and the instance both have
  std::string identity;      ///< of device and driver, for what is kept on disk
  std::uint32_t queue_family = 0;
  std::uint32_t queue_count = 0;
  std::uint32_t timestamp_bits = 0; ///< of the queues' clock; 0 when they have none
  VkPhysicalDeviceLimits limits{};
  VkPhysicalDeviceMemoryProperties memory{};
  std::unique_ptr<Features> features;
};

/// A VkDevice of the program's, with queues of Physical::queue_family.
struct Foreign {
  VkDevice device = VK_NULL_HANDLE;
  std::vector<VkQueue> queues;
  std::function<void()> lock, unlock; ///< around submissions; may be empty
};

/// A queue that streams share. Locked (std::lock_guard) while work is submitted.
struct Queue {
  void lock() {
    mutex.lock();
    if (foreign_lock)
      foreign_lock();
  }
  void unlock() {
    if (foreign_unlock)
      foreign_unlock();
    mutex.unlock();
  }

  VkQueue handle = VK_NULL_HANDLE;
  std::mutex mutex;
  std::function<void()> foreign_lock, foreign_unlock;
};

class VulkanDevice final : public DeviceImpl {
public:
  VulkanDevice(DeviceInfo info, Preference preference, std::shared_ptr<Instance> instance,
               Physical physical, std::optional<Foreign> foreign = std::nullopt);
  ~VulkanDevice() override;

  Instance &instance() noexcept { return *instance_; }
  const Physical &physical() const noexcept { return physical_; }
  const DeviceFunctions &fn() const noexcept { return fn_; }
  VkDevice handle() const noexcept { return handle_; }
  /// Loaded when it's first asked for.
  Kernel &kernel(const abi::Kernel &kernel);

  /// Where buffers that may be of the memory types in `type_bits` come from.
  Heap &heap(std::uint32_t type_bits, DeviceBuffer::Kind kind);
  /// Streams take the queues in turn.
  Queue &next_queue();
  /// For Timeline alone.
  std::mutex &timelines_mutex() noexcept { return timelines_mutex_; }
  /// Bound in place of buffers without elements.
  const DeviceBuffer &empty_buffer() const noexcept { return *empty_; }

protected:
  void open() override;
  std::shared_ptr<Memory> make_memory(std::uint64_t bytes, Place place) override;
  std::shared_ptr<StreamImpl> make_stream() override;
  std::unique_ptr<GraphImpl> make_graph() override;
  void build(const abi::Kernel &kernel) override;
  void add_reserved(MemoryStatistics &statistics) override;
  void trim_reserved() noexcept override;

private:
  std::uint32_t memory_type(std::uint32_t type_bits, DeviceBuffer::Kind kind) const;
  void make();
  void add_queue(VkQueue handle);
  void destroy();

  const std::shared_ptr<Instance> instance_;
  const Physical physical_;
  const std::optional<Foreign> foreign_;
  DeviceFunctions fn_;
  VkDevice handle_ = VK_NULL_HANDLE;
  std::vector<std::unique_ptr<Queue>> queues_;
  std::atomic<std::size_t> next_queue_{0};
  std::mutex timelines_mutex_;
  std::mutex heaps_mutex_;
  std::map<std::uint32_t, std::unique_ptr<Heap>> heaps_; ///< by memory type
  std::unique_ptr<KernelCache<Kernel>> kernels_;
  std::unique_ptr<DeviceBuffer> empty_;
};

/// A physical device as khal sees it, or null when it can't run kernels. The device as a whole is the
/// program's when `foreign` has one, and was then made with `made_with`.
std::shared_ptr<VulkanDevice> examine(const std::shared_ptr<Instance> &instance, Physical physical,
                                      std::string id, std::optional<Foreign> foreign = std::nullopt,
                                      const VkDeviceCreateInfo *made_with = nullptr);

/// The Vulkan devices that can run kernels.
ProbeResult probe();

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_DEVICE_H

//===- khal/interop/vulkan.hpp - khal beside a program's own Vulkan ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles out, for a program that uses khal's VkDevice and VkBuffers in its own calls; and in, for one
// that has a VkDevice and VkBuffers already. Needs Vulkan's headers, and no library.
//
//   khal::interop::VulkanImport mine{.instance = …, .physical_device = …, .device = …,
//                                    .created_with = &info, .queue_family = 0, .queues = {queue}};
//   khal::interop::ImportedDevice imported(mine);
//   khal::Stream stream(imported.device());
//   auto x = khal::interop::import_buffer<float>(imported.device(), vk_buffer, count);
//   kernels::scale(stream, khal::threads(count), x, 2.0f);
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_INTEROP_VULKAN_HPP
#define KHAL_INTEROP_VULKAN_HPP

#include "khal/khal.hpp"

#include <vulkan/vulkan.h>

namespace khal::interop {

struct VulkanDevice {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
};

/// The handles behind a device; khal's as long as it is. \throws Error bad_argument when it isn't of the
/// Vulkan backend.
VulkanDevice vulkan_device(const Device &device);

/// Calls `function` with the queue that a stream's work goes to, and its family, while nothing is
/// submitted to it by khal. What the function submits comes between the stream's work before and after:
/// khal's begins with a barrier against all compute and transfer work before it in the queue.
void with_vulkan_queue(Stream &stream,
                       const std::function<void(VkQueue queue, std::uint32_t family)> &function);

/// A point of a stream's work as a semaphore that a submission of the program's may wait for.
/// `semaphore` is null for an event that has always happened, or on a device without timeline
/// semaphores: wait for the event then. It lives while the stream and its events do.
struct VulkanPoint {
  VkSemaphore semaphore = VK_NULL_HANDLE; ///< a timeline semaphore
  std::uint64_t value = 0;
};
VulkanPoint vulkan_point(const Event &event);

struct VulkanRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0; ///< bytes
  VkDeviceSize bytes = 0;
};

/// The VkBuffer behind a buffer or slice, which has the usages storage, indirect, and transfer from and
/// to. khal doesn't know of what the program does with it: wait for that before the buffer goes.
VulkanRange vulkan_range(detail::Memory *memory, std::uint64_t offset, std::uint64_t bytes);
template <class T> VulkanRange vulkan_buffer(const Slice<T> &slice) {
  return vulkan_range(slice.memory(), slice.offset(), slice.size_bytes());
}
template <class T> VulkanRange vulkan_buffer(const Buffer<T> &buffer) {
  return vulkan_range(buffer.memory(), 0, buffer.size_bytes());
}

/// A VkDevice of the program's.
struct VulkanImport {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  /// What the device was made with: tells which features and extensions kernels may use. Read by the
  /// constructor of ImportedDevice alone.
  const VkDeviceCreateInfo *created_with = nullptr;
  /// The instance's, at least 1.1.
  std::uint32_t api_version = VK_API_VERSION_1_1;
  /// Can compute; streams take the queues in turn.
  std::uint32_t queue_family = 0;
  std::vector<VkQueue> queues;
  /// Called around khal's submissions, when other threads submit to these queues too.
  std::function<void()> lock, unlock;
  /// Null: libvulkan.so.1's.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
};

/// khal's view of a VkDevice of the program's: a Device that Device::all() doesn't list. The program
/// keeps the VkDevice until this, and the buffers, streams and graphs made with it, are gone.
class ImportedDevice {
public:
  /// \throws Error bad_argument when something is missing; unsupported below Vulkan 1.1.
  explicit ImportedDevice(const VulkanImport &import);
  ~ImportedDevice();
  ImportedDevice(const ImportedDevice &) = delete;
  ImportedDevice &operator=(const ImportedDevice &) = delete;

  const Device &device() const noexcept { return device_; }

private:
  Device device_;
};

/// A VkBuffer of the program's, on the VkDevice behind `device`, as a Buffer; khal doesn't destroy it.
/// It has the usages storage and transfer from and to, memory that is bound, at least `bytes`, and a
/// whole number of 4-byte words. `keep` goes when nothing uses the buffer any more.
std::shared_ptr<detail::Memory> import_memory(const Device &device, VkBuffer buffer,
                                              std::uint64_t bytes, std::shared_ptr<void> keep);
template <class T>
Buffer<T> import_buffer(const Device &device, VkBuffer buffer, std::size_t count,
                        std::shared_ptr<void> keep = nullptr) {
  return detail::BufferAccess::make<T>(
      import_memory(device, buffer, count * sizeof(T), std::move(keep)), count);
}

} // namespace khal::interop

#endif // KHAL_INTEROP_VULKAN_HPP

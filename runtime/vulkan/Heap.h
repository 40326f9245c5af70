//===- Heap.h - buffers carved from few large allocations -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_HEAP_H
#define KHAL_RUNTIME_VULKAN_HEAP_H

#include "core/Suballocator.h"
#include "vulkan/Api.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace khal::detail::vulkan {

class VulkanDevice;

/// Memory of one memory type. Vulkan lets a program have as few as 4096 allocations, so buffers
/// share them. Thread-safe.
class Heap {
public:
  struct Range {
    Suballocator::Range range;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::byte *mapped = nullptr; ///< when the host can see the memory
  };

  /// `mapped`: the type is host-visible and coherent. `heap_bytes`: of the heap behind the type.
  Heap(VulkanDevice &device, std::uint32_t type, bool mapped, std::uint64_t heap_bytes);

  /// \throws Error out_of_memory
  Range take(std::uint64_t bytes, std::uint64_t alignment);
  void give_back(const Range &range) noexcept { ranges_.give_back(range.range); }
  void trim() noexcept { ranges_.trim(); }
  Suballocator::Statistics statistics() const { return ranges_.statistics(); }

private:
  std::unique_ptr<Backing> allocate(std::uint64_t bytes) const;

  VulkanDevice &device_;
  const std::uint32_t type_;
  const bool mapped_;
  Suballocator ranges_;
};

/// A VkBuffer with memory.
class DeviceBuffer {
public:
  enum class Kind {
    device, ///< for kernels; the host sees it when the device shares the host's memory
    host,   ///< for kernels, where the host sees it
    staging ///< for transfers and argument blocks: the host sees it
  };
  DeviceBuffer(VulkanDevice &device, std::uint64_t bytes, Kind kind);
  /// One of the program's, with memory; it stays the program's.
  DeviceBuffer(VulkanDevice &device, VkBuffer handle, std::uint64_t bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  VkBuffer handle() const noexcept { return handle_; }
  /// Of the VkBuffer: as asked for, rounded up to 16.
  std::uint64_t capacity() const noexcept { return capacity_; }
  std::byte *mapped() const noexcept { return range_.mapped; }
  /// No other buffer of the process has or had this number; Vulkan's handles come back.
  std::uint64_t serial() const noexcept { return serial_; }

private:
  VulkanDevice &device_;
  const std::uint64_t serial_;
  const std::uint64_t capacity_;
  VkBuffer handle_ = VK_NULL_HANDLE;
  Heap *heap_ = nullptr; ///< null for a program's
  Heap::Range range_;
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_HEAP_H

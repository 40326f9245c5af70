//===- Heap.h - buffers carved from few large allocations -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vulkan lets a program have as few as 4096 allocations. Small buffers share blocks, in which the
// first free range that is large enough is taken; large ones have an allocation each.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_HEAP_H
#define KHAL_RUNTIME_VULKAN_HEAP_H

#include "vulkan/Api.h"

#include <cstddef>
#include <cstdint>
#include <map>

namespace khal::detail::vulkan {

class VulkanDevice;

/// Memory of one memory type. Thread-safe.
class Heap {
public:
  struct Block;
  struct Range {
    Block *block = nullptr;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::byte *mapped = nullptr; ///< when the host can see the memory
  };

  /// `mapped`: the type is host-visible and coherent. `heap_bytes`: of the heap behind the type.
  Heap(VulkanDevice &device, std::uint32_t type, bool mapped, std::uint64_t heap_bytes);
  ~Heap();
  Heap(const Heap &) = delete;
  Heap &operator=(const Heap &) = delete;

  /// \throws Error out_of_memory
  Range take(std::uint64_t bytes, std::uint64_t alignment);
  void give_back(const Range &range) noexcept;

private:
  Block &add_block(std::uint64_t bytes);

  VulkanDevice &device_;
  const std::uint32_t type_;
  const bool mapped_;
  const std::uint64_t block_bytes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

/// A VkBuffer with memory.
class DeviceBuffer {
public:
  enum class Kind {
    device, ///< for kernels; the host sees it when the device shares the host's memory
    staging ///< for transfers and argument blocks: the host sees it
  };
  DeviceBuffer(VulkanDevice &device, std::uint64_t bytes, Kind kind);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer &) = delete;
  DeviceBuffer &operator=(const DeviceBuffer &) = delete;

  VkBuffer handle() const noexcept { return handle_; }
  /// Of the VkBuffer: as asked for, rounded up to 16.
  std::uint64_t capacity() const noexcept { return capacity_; }
  std::byte *mapped() const noexcept { return range_.mapped; }

private:
  VulkanDevice &device_;
  const std::uint64_t capacity_;
  VkBuffer handle_ = VK_NULL_HANDLE;
  Heap *heap_ = nullptr;
  Heap::Range range_;
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_HEAP_H

//===- Memory.h - buffers in device memory ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_MEMORY_H
#define KHAL_RUNTIME_VULKAN_MEMORY_H

#include "core/Backend.h"
#include "vulkan/Heap.h"

namespace khal::detail::vulkan {

class VulkanMemory final : public Memory {
public:
  VulkanMemory(std::shared_ptr<VulkanDevice> device, std::uint64_t bytes, Place place);
  /// A buffer of the program's; `keep` goes with this.
  VulkanMemory(std::shared_ptr<VulkanDevice> device, VkBuffer buffer, std::uint64_t bytes,
               std::shared_ptr<void> keep);

  std::byte *mapped() const noexcept override;
  /// Whether the host may read it without a copy; nobody knows of a program's own.
  bool host_reads() const noexcept { return mapped() != nullptr || imported_; }
  const DeviceBuffer &buffer() const noexcept { return buffer_; }

private:
  const std::shared_ptr<void> keep_;
  const bool imported_ = false;
  const bool direct_;
  DeviceBuffer buffer_;
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_MEMORY_H

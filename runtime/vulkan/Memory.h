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

  std::byte *mapped() const noexcept override;
  const DeviceBuffer &buffer() const noexcept { return buffer_; }

private:
  const bool direct_;
  DeviceBuffer buffer_;
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_MEMORY_H

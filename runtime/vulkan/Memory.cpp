//===- Memory.cpp - buffers in device memory --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Memory.h"

#include "vulkan/Device.h"

namespace khal::detail::vulkan {

VulkanMemory::VulkanMemory(std::shared_ptr<VulkanDevice> device, std::uint64_t bytes, Place place)
    : Memory(device, bytes), direct_(place == Place::host || device->info().shares_host_memory),
      buffer_(*device, bytes,
              place == Place::host ? DeviceBuffer::Kind::host : DeviceBuffer::Kind::device) {}

VulkanMemory::VulkanMemory(std::shared_ptr<VulkanDevice> device, VkBuffer buffer,
                           std::uint64_t bytes, std::shared_ptr<void> keep)
    : Memory(device, bytes), keep_(std::move(keep)), imported_(true), direct_(false),
      buffer_(*device, buffer, bytes) {}

std::byte *VulkanMemory::mapped() const noexcept {
  return direct_ ? buffer_.mapped() : nullptr;
}

} // namespace khal::detail::vulkan

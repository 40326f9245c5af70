//===- Interop.cpp - handles out and in -------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#define VK_NO_PROTOTYPES
#include "khal/interop/vulkan.hpp"

#include "core/Text.h"
#include "vulkan/Device.h"
#include "vulkan/Memory.h"
#include "vulkan/Stream.h"

namespace khal::interop {

namespace {

namespace backend = detail::vulkan;

[[noreturn]] void bad(const std::string &sentence) {
  throw Error(ErrorCode::bad_argument, "khal::interop: " + sentence);
}

backend::VulkanDevice &vulkan_of(const std::shared_ptr<detail::DeviceImpl> &device) {
  auto *const vulkan = dynamic_cast<backend::VulkanDevice *>(device.get());
  if (!vulkan)
    bad(device->info().id + " isn't a Vulkan device");
  return *vulkan;
}

backend::VulkanStream &vulkan_of(const Stream &stream) {
  if (!stream.impl())
    bad("the stream was moved from");
  auto *const vulkan = dynamic_cast<backend::VulkanStream *>(stream.impl().get());
  if (!vulkan)
    bad("the stream isn't one of a Vulkan device, or it's being recorded");
  return *vulkan;
}

std::shared_ptr<detail::DeviceImpl> import_device(const VulkanImport &import) {
  if (!import.instance || !import.physical_device || !import.device || !import.created_with ||
      import.queues.empty())
    bad("a VkDevice is imported with its instance, physical device, create info and a queue");
  backend::Physical physical;
  physical.handle = import.physical_device;
  physical.version = import.api_version;
  physical.queue_family = import.queue_family;
  backend::Foreign foreign{import.device, import.queues, import.lock, import.unlock};
  auto device = backend::examine(
      backend::Instance::adopt(import.instance, import.get_instance_proc_addr), std::move(physical),
      "vulkan:imported", std::move(foreign), import.created_with);
  if (!device)
    throw Error(ErrorCode::unsupported,
                "khal::interop: the VkDevice needs Vulkan 1.1 and a queue family that computes");
  return device;
}

} // namespace

VulkanDevice vulkan_device(const Device &device) {
  backend::VulkanDevice &vulkan = vulkan_of(device.impl());
  vulkan.ensure_open();
  return {vulkan.instance().handle(), vulkan.physical().handle, vulkan.handle()};
}

void with_vulkan_queue(Stream &stream,
                       const std::function<void(VkQueue, std::uint32_t)> &function) {
  backend::VulkanStream &vulkan = vulkan_of(stream);
  const std::uint32_t family = vulkan_of(vulkan.device()).physical().queue_family;
  const std::lock_guard lock(vulkan.queue());
  function(vulkan.queue().handle, family);
}

VulkanPoint vulkan_point(const Event &event) {
  if (!event.stream())
    return {};
  const auto *const vulkan = dynamic_cast<backend::VulkanStream *>(event.stream().get());
  if (!vulkan)
    bad("the event isn't one of a Vulkan device");
  return {vulkan->timeline().semaphore(), event.ticket()};
}

VulkanRange vulkan_range(detail::Memory *memory, std::uint64_t offset, std::uint64_t bytes) {
  if (!memory)
    bad("the buffer has no memory: it was moved from or never made");
  vulkan_of(memory->device());
  return {static_cast<backend::VulkanMemory *>(memory)->buffer().handle(), offset, bytes};
}

ImportedDevice::ImportedDevice(const VulkanImport &import) : device_(import_device(import)) {}

ImportedDevice::~ImportedDevice() {
  detail::close(*device_.impl());
}

std::shared_ptr<detail::Memory> import_memory(const Device &device, VkBuffer buffer,
                                              std::uint64_t bytes, std::shared_ptr<void> keep) {
  backend::VulkanDevice &vulkan = vulkan_of(device.impl());
  if (buffer == VK_NULL_HANDLE || bytes == 0)
    bad("an imported VkBuffer must be one, and have elements");
  if (bytes % 4 != 0)
    bad(detail::text("an imported VkBuffer has ", bytes, " bytes: it must be whole words of 4"));
  if (bytes > vulkan.info().limits.max_buffer_bytes)
    bad(detail::text("an imported VkBuffer of ", detail::describe_bytes(bytes),
                     " is more than a kernel can be given: ",
                     detail::describe_bytes(vulkan.info().limits.max_buffer_bytes)));
  vulkan.ensure_open();
  return std::make_shared<backend::VulkanMemory>(
      std::static_pointer_cast<backend::VulkanDevice>(device.impl()), buffer, bytes,
      std::move(keep));
}

} // namespace khal::interop

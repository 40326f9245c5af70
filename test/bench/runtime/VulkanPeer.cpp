//===- VulkanPeer.cpp - the same work by hand-written calls of Vulkan -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "VulkanPeer.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace bench {

using khal::detail::vulkan::check;

namespace {

/// Of the argument block of a kernel with one buffer: two words, the buffer's offset, and padding.
constexpr std::uint32_t blockBytes = 16;

} // namespace

VulkanPeer::VulkanPeer(khal::detail::vulkan::VulkanDevice &shared) : known(shared) {
  const float priority = 1;
  VkDeviceQueueCreateInfo queues{};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueFamilyIndex = known.physical().queue_family;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  const std::vector<const char *> &extensions = known.physical().features->extensions();
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = known.physical().features->chain();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(known.instance().CreateDevice(known.physical().handle, &info, nullptr, &device), "device");
  fn.load(known.instance(), device);
  fn.GetDeviceQueue(device, known.physical().queue_family, 0, &queue);

  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo semaphore{};
  semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  semaphore.pNext = &type;
  check(fn.CreateSemaphore(device, &semaphore, nullptr, &timeline), "semaphore");

  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  poolInfo.queueFamilyIndex = known.physical().queue_family;
  check(fn.CreateCommandPool(device, &poolInfo, nullptr, &pool), "command pool");
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = slots;
  check(fn.AllocateCommandBuffers(device, &allocate, commands.data()), "command buffers");
  allocate.commandBufferCount = 1;
  check(fn.AllocateCommandBuffers(device, &allocate, &recorded), "command buffer");
}

VulkanPeer::~VulkanPeer() {
  fn.DeviceWaitIdle(device);
  for (const auto &buffer : buffers) {
    fn.DestroyBuffer(device, buffer->handle, nullptr);
    fn.FreeMemory(device, buffer->memory, nullptr);
  }
  fn.DestroyPipeline(device, pipeline, nullptr);
  fn.DestroyShaderModule(device, module, nullptr);
  fn.DestroyPipelineLayout(device, layout, nullptr);
  fn.DestroyDescriptorPool(device, setPool, nullptr);
  fn.DestroyDescriptorSetLayout(device, setLayout, nullptr);
  fn.DestroyCommandPool(device, pool, nullptr);
  fn.DestroySemaphore(device, timeline, nullptr);
  fn.DestroyDevice(device, nullptr);
}

std::uint32_t VulkanPeer::memoryType(std::uint32_t bits, bool staging) const {
  constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags reachable = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                              VK_MEMORY_PROPERTY_HOST_COHERENT_BIT |
                                              VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const bool shared = known.info().shares_host_memory;
  const VkMemoryPropertyFlags wanted = staging ? reachable : shared ? reachable | local : local;
  const VkPhysicalDeviceMemoryProperties &memory = known.physical().memory;
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
    if ((bits >> i & 1) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  throw std::runtime_error("no such memory");
}

VulkanPeer::Buffer &VulkanPeer::buffer(std::uint64_t bytes, bool staging) {
  Buffer &made = *buffers.emplace_back(std::make_unique<Buffer>());
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  check(fn.CreateBuffer(device, &info, nullptr, &made.handle), "buffer");
  VkMemoryRequirements needs{};
  fn.GetBufferMemoryRequirements(device, made.handle, &needs);
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = memoryType(needs.memoryTypeBits, staging);
  check(fn.AllocateMemory(device, &allocate, nullptr, &made.memory), "memory");
  check(fn.BindBufferMemory(device, made.handle, made.memory, 0), "binding memory");
  if (staging || known.info().shares_host_memory) {
    void *address = nullptr;
    check(fn.MapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, &address), "mapping memory");
    made.mapped = static_cast<std::byte *>(address);
  }
  return made;
}

void VulkanPeer::setKernel(const khal::abi::Kernel &kernel, const Buffer &x) {
  makeSet(x);
  for (const khal::abi::Artifact &artifact : std::span(kernel.artifacts, kernel.artifact_count))
    if (artifact.target == khal::abi::Target::spirv)
      makePipeline(artifact);
}

void VulkanPeer::makeSet(const Buffer &x) {
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                             VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = 1;
  info.pBindings = &binding;
  check(fn.CreateDescriptorSetLayout(device, &info, nullptr, &setLayout), "set layout");
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 1;
  poolInfo.pPoolSizes = &size;
  check(fn.CreateDescriptorPool(device, &poolInfo, nullptr, &setPool), "descriptor pool");
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = setPool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &setLayout;
  check(fn.AllocateDescriptorSets(device, &allocate, &set), "descriptor set");
  const VkDescriptorBufferInfo bound{x.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &bound;
  fn.UpdateDescriptorSets(device, 1, &write, 0, nullptr);
}

void VulkanPeer::makePipeline(const khal::abi::Artifact &artifact) {
  const VkPushConstantRange pushed{VK_SHADER_STAGE_COMPUTE_BIT, 0, blockBytes};
  VkPipelineLayoutCreateInfo layoutInfo{};
  layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layoutInfo.setLayoutCount = 1;
  layoutInfo.pSetLayouts = &setLayout;
  layoutInfo.pushConstantRangeCount = 1;
  layoutInfo.pPushConstantRanges = &pushed;
  check(fn.CreatePipelineLayout(device, &layoutInfo, nullptr, &layout), "pipeline layout");
  VkShaderModuleCreateInfo code{};
  code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  code.codeSize = artifact.code_size;
  code.pCode = static_cast<const std::uint32_t *>(artifact.code);
  check(fn.CreateShaderModule(device, &code, nullptr, &module), "shader module");
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = artifact.entry;
  info.layout = layout;
  check(fn.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "pipeline");
}

void VulkanPeer::waitFor(std::uint64_t value) {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline;
  info.pValues = &value;
  check(fn.WaitSemaphores(device, &info, ~std::uint64_t{0}), "waiting");
}

void VulkanPeer::wait() {
  waitFor(last);
}

VkCommandBuffer VulkanPeer::nextSlot() {
  slot = (slot + 1) % slots;
  waitFor(slotValues[slot]);
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(fn.BeginCommandBuffer(commands[slot], &info), "beginning commands");
  return commands[slot];
}

void VulkanPeer::submit(VkCommandBuffer which) {
  ++last;
  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &last;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &values;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &which;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &timeline;
  check(fn.QueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "submitting");
}

void VulkanPeer::barrier(VkCommandBuffer which) {
  VkMemoryBarrier all{};
  all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  all.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                      VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  constexpr VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  fn.CmdPipelineBarrier(which, stages, stages, 0, 1, &all, 0, nullptr, 0, nullptr);
}

void VulkanPeer::dispatch(VkCommandBuffer which, const std::array<std::uint32_t, 4> &block) {
  fn.CmdPushConstants(which, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, blockBytes, block.data());
  fn.CmdDispatch(which, 1, 1, 1);
}

void VulkanPeer::launch(std::uint32_t value, std::uint32_t count) {
  const VkCommandBuffer which = nextSlot();
  barrier(which);
  fn.CmdBindPipeline(which, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  fn.CmdBindDescriptorSets(which, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  dispatch(which, {value, count, 0, 0});
  check(fn.EndCommandBuffer(which), "ending commands");
  submit(which);
  slotValues[slot] = last;
}

void VulkanPeer::record(unsigned launches, std::uint32_t value, std::uint32_t count) {
  wait();
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  check(fn.BeginCommandBuffer(recorded, &info), "beginning commands");
  fn.CmdBindPipeline(recorded, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  fn.CmdBindDescriptorSets(recorded, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                           nullptr);
  for (unsigned i = 0; i < launches; ++i) {
    barrier(recorded);
    dispatch(recorded, {value, count, 0, 0});
  }
  check(fn.EndCommandBuffer(recorded), "ending commands");
}

void VulkanPeer::replay() {
  submit(recorded);
}

const VulkanPeer::Buffer &VulkanPeer::chunk(std::size_t number) {
  const Buffer *&one = ring[number % chunks];
  if (!one)
    one = &buffer(chunkBytes, /*staging=*/true);
  return *one;
}

void VulkanPeer::upload(const Buffer &target, const std::byte *source, std::uint64_t bytes) {
  if (target.mapped) {
    std::memcpy(target.mapped, source, bytes);
    return;
  }
  std::array<std::uint64_t, chunks> used{};
  std::size_t number = 0;
  for (std::uint64_t done = 0; done < bytes; done += chunkBytes, ++number) {
    const std::uint64_t count = std::min(bytes - done, chunkBytes);
    const Buffer &staged = chunk(number);
    waitFor(used[number % chunks]);
    std::memcpy(staged.mapped, source + done, count);
    const VkCommandBuffer which = nextSlot();
    const VkBufferCopy region{0, done, count};
    fn.CmdCopyBuffer(which, staged.handle, target.handle, 1, &region);
    check(fn.EndCommandBuffer(which), "ending commands");
    submit(which);
    slotValues[slot] = used[number % chunks] = last;
  }
  wait();
}

void VulkanPeer::download(std::byte *target, const Buffer &source, std::uint64_t bytes) {
  if (source.mapped) {
    std::memcpy(target, source.mapped, bytes);
    return;
  }
  const std::uint64_t pieces = (bytes + chunkBytes - 1) / chunkBytes;
  std::array<std::uint64_t, chunks> used{};
  const auto empty = [&](std::uint64_t number) {
    waitFor(used[number % chunks]);
    const std::uint64_t done = number * chunkBytes;
    std::memcpy(target + done, chunk(number).mapped, std::min(bytes - done, chunkBytes));
  };
  for (std::uint64_t number = 0; number < pieces; ++number) {
    if (number >= chunks)
      empty(number - chunks);
    const std::uint64_t done = number * chunkBytes;
    const VkCommandBuffer which = nextSlot();
    const VkBufferCopy region{done, 0, std::min(bytes - done, chunkBytes)};
    fn.CmdCopyBuffer(which, source.handle, chunk(number).handle, 1, &region);
    check(fn.EndCommandBuffer(which), "ending commands");
    submit(which);
    slotValues[slot] = used[number % chunks] = last;
  }
  for (std::uint64_t number = pieces > chunks ? pieces - chunks : 0; number < pieces; ++number)
    empty(number);
}

void VulkanPeer::copy(const Buffer &target, const Buffer &source, std::uint64_t bytes) {
  const VkCommandBuffer which = nextSlot();
  const VkBufferCopy region{0, 0, bytes};
  fn.CmdCopyBuffer(which, source.handle, target.handle, 1, &region);
  check(fn.EndCommandBuffer(which), "ending commands");
  submit(which);
  slotValues[slot] = last;
}

} // namespace bench

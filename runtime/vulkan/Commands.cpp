//===- Commands.cpp - commands for the device, with what they need ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Commands.h"

#include "vulkan/Device.h"
#include "vulkan/Memory.h"

#include <algorithm>
#include <cstring>

namespace khal::detail::vulkan {

VkBuffer buffer_of(const Memory &memory) {
  return static_cast<const VulkanMemory &>(memory).buffer().handle();
}

bool host_reads(const Memory &memory) {
  return static_cast<const VulkanMemory &>(memory).host_reads();
}

namespace {

/// Of the pools and chunks of commands that are used again.
constexpr std::uint32_t sets_a_pool = 256;
constexpr std::uint32_t buffers_a_pool = 1024;
constexpr std::uint64_t block_chunk_bytes = 64 * 1024;
/// Enough for most kernels.
constexpr std::uint32_t buffers_a_launch = 16;

constexpr VkPipelineStageFlags work_stages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags work_writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;

/// Names the commands recorded while this lives after a kernel, for profilers and debuggers.
class Label {
public:
  Label(const VulkanDevice &device, VkCommandBuffer commands, const abi::Kernel &kernel)
      : device_(device), commands_(commands) {
    if (!device.fn().CmdBeginDebugUtilsLabelEXT)
      return;
    VkDebugUtilsLabelEXT label{};
    label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
    label.pLabelName = kernel.name;
    device.fn().CmdBeginDebugUtilsLabelEXT(commands, &label);
  }
  ~Label() {
    if (device_.fn().CmdEndDebugUtilsLabelEXT)
      device_.fn().CmdEndDebugUtilsLabelEXT(commands_);
  }
  Label(const Label &) = delete;
  Label &operator=(const Label &) = delete;

private:
  const VulkanDevice &device_;
  VkCommandBuffer commands_;
};

} // namespace

Commands::Commands(VulkanDevice &device, Use use) : device_(device), use_(use) {
  try {
    VkCommandPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    if (use == Use::once)
      info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    info.queueFamilyIndex = device.physical().queue_family;
    check(device.fn().CreateCommandPool(device.handle(), &info, nullptr, &pool_),
          "making a command pool");
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool_;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    check(device.fn().AllocateCommandBuffers(device.handle(), &allocate, &handle_),
          "making a command buffer");
  } catch (...) {
    destroy();
    throw;
  }
}

Commands::~Commands() {
  destroy();
}

void Commands::destroy() noexcept {
  for (const DescriptorPool &pool : descriptor_pools_)
    device_.fn().DestroyDescriptorPool(device_.handle(), pool.handle, nullptr);
  device_.fn().DestroyCommandPool(device_.handle(), pool_, nullptr);
}

void Commands::begin() {
  check(device_.fn().ResetCommandPool(device_.handle(), pool_, 0), "resetting a command pool");
  if (use_ == Use::again) {
    reset_descriptor_pools();
    sets_.clear();
  }
  last_set_.bound = false;
  host_looks_ = use_ == Use::again;
  for (BlockChunk &chunk : blocks_)
    chunk.used = 0;
  bound_pipeline_ = VK_NULL_HANDLE;
  let_go();

  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = use_ == Use::once ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT
                                 : VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  check(device_.fn().BeginCommandBuffer(handle_, &info), "beginning a command buffer");
  order();
}

void Commands::order() {
  // What earlier work wrote is there for what follows, and what it reads isn't overwritten.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = work_writes;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT | work_writes;
  device_.fn().CmdPipelineBarrier(handle_, work_stages, work_stages, 0, 1, &barrier, 0, nullptr, 0,
                                  nullptr);
}

void Commands::end() {
  if (host_looks_) {
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = work_writes;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
    device_.fn().CmdPipelineBarrier(handle_, work_stages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                                    &barrier, 0, nullptr, 0, nullptr);
  }
  check(device_.fn().EndCommandBuffer(handle_), "ending a command buffer");
}

void Commands::launch(const KernelLaunch &launch) {
  Kernel &kernel = device_.kernel(launch.kernel);
  const Label label(device_, handle_, launch.kernel);
  bind(kernel, launch);
  if (launch.groups_in)
    dispatch_from(launch.groups_in);
  else
    device_.fn().CmdDispatch(handle_, launch.groups[0], launch.groups[1], launch.groups[2]);
}

/// The numbers of groups are read by another stage of the device's than kernels are.
void Commands::dispatch_from(const GroupsInBuffer &groups) {
  keep(groups.memory->shared_from_this());
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = work_writes;
  barrier.dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
  device_.fn().CmdPipelineBarrier(handle_, work_stages, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
                                  &barrier, 0, nullptr, 0, nullptr);
  device_.fn().CmdDispatchIndirect(handle_, buffer_of(*groups.memory), groups.offset);
}

void Commands::copy(VkBuffer target, std::uint64_t target_offset, VkBuffer source,
                    std::uint64_t source_offset, std::uint64_t bytes) {
  const VkBufferCopy region{source_offset, target_offset, bytes};
  device_.fn().CmdCopyBuffer(handle_, source, target, 1, &region);
}

void Commands::fill(VkBuffer target, std::uint64_t offset, std::uint64_t bytes,
                    std::uint32_t word) {
  device_.fn().CmdFillBuffer(handle_, target, offset, bytes, word);
}

void Commands::write_time(VkQueryPool query) {
  device_.fn().CmdResetQueryPool(handle_, query, 0, 1);
  device_.fn().CmdWriteTimestamp(handle_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, query, 0);
}

void Commands::reset_descriptor_pools() {
  for (DescriptorPool &pool : descriptor_pools_) {
    check(device_.fn().ResetDescriptorPool(device_.handle(), pool.handle, 0),
          "resetting a descriptor pool");
    pool.sets_left = pool.sets;
    pool.buffers_left = pool.buffers;
  }
  last_set_ = {};
}

void Commands::bind_buffer(const DeviceBuffer &buffer, std::uint64_t offset, std::uint64_t range) {
  infos_.push_back({buffer.handle(), offset, range});
  contents_.insert(contents_.end(), {buffer.serial(), offset, range});
}

/// Notes what a launch's buffers are bound to, and where in that they begin.
void Commands::describe_buffers(Kernel &kernel, const KernelLaunch &launch) {
  const VkPhysicalDeviceLimits &limits = device_.physical().limits;
  // Kernels see memory as words and vectors of up to 16 bytes.
  const std::uint64_t alignment =
      std::max<std::uint64_t>(limits.minStorageBufferOffsetAlignment, 16);
  infos_.clear();
  offsets_.clear();
  contents_.assign({reinterpret_cast<std::uint64_t>(kernel.set_layout())});
  for (const BufferArgument &argument : launch.buffers) {
    if (argument.count == 0) {
      const DeviceBuffer &empty = device_.empty_buffer();
      bind_buffer(empty, 0, empty.capacity());
      offsets_.push_back(0);
      continue;
    }
    keep(argument.memory->shared_from_this());
    host_looks_ = host_looks_ || host_reads(*argument.memory);
    const DeviceBuffer &buffer = static_cast<const VulkanMemory &>(*argument.memory).buffer();
    const std::uint64_t base = argument.offset / alignment * alignment;
    const std::uint64_t end = argument.offset + argument.count * argument.element_size;
    kernel.check_range(infos_.size(), end - base);
    // Whole vectors, so that narrow elements at the end can be reached by words.
    const std::uint64_t range =
        std::min<std::uint64_t>((end - base + 15) / 16 * 16, buffer.capacity() - base);
    bind_buffer(buffer, base, std::min<std::uint64_t>(range, limits.maxStorageBufferRange));
    offsets_.push_back(static_cast<std::uint32_t>(argument.offset - base));
  }
}

/// The argument block as the kernel declares it: followed by the buffers' offsets.
void Commands::fill_block(const Kernel &kernel, const KernelLaunch &launch) {
  block_.assign(kernel.block_bytes(), std::byte{});
  std::copy(launch.block.begin(), launch.block.end(), block_.begin());
  if (!offsets_.empty())
    std::memcpy(block_.data() + launch.block.size(), offsets_.data(), offsets_.size() * 4);
}

/// Binds the buffers and the block of a launch, and the pipeline that reads them.
void Commands::bind(Kernel &kernel, const KernelLaunch &launch) {
  describe_buffers(kernel, launch);
  fill_block(kernel, launch);
  if (kernel.block_is_buffer())
    store_block();
  const bool shifted = std::any_of(offsets_.begin(), offsets_.end(),
                                   [](std::uint32_t offset) { return offset != 0; });
  const VkPipeline pipeline = kernel.pipeline(shifted, launch.shared_counts);
  if (pipeline != bound_pipeline_) {
    device_.fn().CmdBindPipeline(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    bound_pipeline_ = pipeline;
  }
  if (kernel.block_is_pushed())
    device_.fn().CmdPushConstants(handle_, kernel.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  kernel.block_bytes(), block_.data());
  if (infos_.empty())
    return;
  const VkDescriptorSet set = set_for(kernel);
  device_.fn().CmdBindDescriptorSets(handle_, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout(),
                                     abi::descriptor_set, 1, &set, 0, nullptr);
}

VkDescriptorSet Commands::set_for(const Kernel &kernel) {
  return use_ == Use::again ? set_to_use_again(kernel) : set_to_use_once(kernel);
}

VkDescriptorSet Commands::set_to_use_again(const Kernel &kernel) {
  VkDescriptorSet &known = sets_[contents_];
  if (known == VK_NULL_HANDLE) {
    const VkDescriptorSet set = allocate_set(kernel);
    write_set(set, kernel);
    known = set;
  }
  return known;
}

/// The set of the last launch stays good while its buffers live, and serial numbers tell which
/// buffers those were.
VkDescriptorSet Commands::set_to_use_once(const Kernel &kernel) {
  if (last_set_.set != VK_NULL_HANDLE && last_set_.contents == contents_) {
    last_set_.bound = true;
    return last_set_.set;
  }
  const bool same_layout = last_set_.set != VK_NULL_HANDLE && !last_set_.bound &&
                           last_set_.contents.front() == contents_.front();
  if (!same_layout) {
    if (!last_set_.bound)
      reset_descriptor_pools();
    last_set_.set = allocate_set(kernel);
  }
  write_set(last_set_.set, kernel);
  last_set_.contents = contents_;
  last_set_.bound = true;
  return last_set_.set;
}

VkDescriptorSet Commands::allocate_set(const Kernel &kernel) {
  const VkDescriptorSetLayout layout = kernel.set_layout();
  DescriptorPool &pool = pool_for(kernel.buffer_count());
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorPool = pool.handle;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(device_.fn().AllocateDescriptorSets(device_.handle(), &info, &set),
        "making a descriptor set");
  --pool.sets_left;
  pool.buffers_left -= kernel.buffer_count();
  return set;
}

void Commands::write_set(VkDescriptorSet set, const Kernel &kernel) {
  writes_.assign(infos_.size(), {});
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    writes_[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes_[i].dstSet = set;
    writes_[i].dstBinding = static_cast<std::uint32_t>(i);
    writes_[i].descriptorCount = 1;
    writes_[i].descriptorType = i < kernel.buffer_count() ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                                          : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    writes_[i].pBufferInfo = &infos_[i];
  }
  device_.fn().UpdateDescriptorSets(device_.handle(), static_cast<std::uint32_t>(writes_.size()),
                                    writes_.data(), 0, nullptr);
}

/// A pool with room for a set of so many buffers and a uniform one.
Commands::DescriptorPool &Commands::pool_for(std::uint32_t buffers) {
  for (DescriptorPool &pool : descriptor_pools_)
    if (pool.sets_left > 0 && pool.buffers_left >= buffers)
      return pool;
  const bool once = use_ == Use::once;
  DescriptorPool pool;
  pool.sets = once ? 1 : sets_a_pool;
  pool.buffers = std::max(buffers, once ? buffers_a_launch : buffers_a_pool);
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, pool.buffers},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, pool.sets}};
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = pool.sets;
  info.poolSizeCount = std::size(sizes);
  info.pPoolSizes = sizes;
  descriptor_pools_.reserve(descriptor_pools_.size() + 1);
  check(device_.fn().CreateDescriptorPool(device_.handle(), &info, nullptr, &pool.handle),
        "making a descriptor pool");
  pool.sets_left = pool.sets;
  pool.buffers_left = pool.buffers;
  descriptor_pools_.push_back(pool);
  return descriptor_pools_.back();
}

/// Puts the block where the device can read it, and binds that.
void Commands::store_block() {
  const std::uint64_t alignment =
      std::max<std::uint64_t>(device_.physical().limits.minUniformBufferOffsetAlignment, 16);
  const auto room = [&](const BlockChunk &chunk) {
    return chunk.used + block_.size() <= chunk.buffer->capacity();
  };
  auto chunk = std::find_if(blocks_.begin(), blocks_.end(), room);
  if (chunk == blocks_.end()) {
    if (use_ == Use::once)
      blocks_.clear(); // a larger one serves all
    const std::uint64_t bytes = use_ == Use::once
                                    ? block_.size()
                                    : std::max<std::uint64_t>(block_.size(), block_chunk_bytes);
    blocks_.push_back(
        {std::make_unique<DeviceBuffer>(device_, bytes, DeviceBuffer::Kind::staging), 0});
    chunk = std::prev(blocks_.end());
  }
  const std::uint64_t offset = chunk->used;
  std::memcpy(chunk->buffer->mapped() + offset, block_.data(), block_.size());
  chunk->used = (offset + block_.size() + alignment - 1) / alignment * alignment;
  bind_buffer(*chunk->buffer, offset, block_.size());
}

} // namespace khal::detail::vulkan

//===- Stream.cpp - work in order on a queue --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Stream.h"

#include "core/Text.h"
#include "vulkan/Device.h"
#include "vulkan/Memory.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace khal::detail::vulkan {

namespace {

/// So many batches may wait for the device before the host waits too.
constexpr std::size_t max_in_flight = 256;

VkBuffer buffer_of(const Memory &memory) {
  return static_cast<const VulkanMemory &>(memory).buffer().handle();
}

class Chunk final : public StagingChunk {
public:
  explicit Chunk(std::unique_ptr<DeviceBuffer> buffer)
      : StagingChunk(buffer->mapped()), buffer_(std::move(buffer)) {}
  VkBuffer handle() const noexcept { return buffer_->handle(); }

private:
  std::unique_ptr<DeviceBuffer> buffer_;
};

VkBuffer buffer_of(const StagingChunk &chunk) {
  return static_cast<const Chunk &>(chunk).handle();
}

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

struct VulkanStream::Batch {
  explicit Batch(VulkanDevice &owner) : device(owner) {
    try {
      VkCommandPoolCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
      info.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
      info.queueFamilyIndex = device.physical().queue_family;
      check(device.fn().CreateCommandPool(device.handle(), &info, nullptr, &pool),
            "making a command pool");
      VkCommandBufferAllocateInfo allocate{};
      allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
      allocate.commandPool = pool;
      allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
      allocate.commandBufferCount = 1;
      check(device.fn().AllocateCommandBuffers(device.handle(), &allocate, &commands),
            "making a command buffer");
    } catch (...) {
      destroy();
      throw;
    }
  }
  ~Batch() { destroy(); }
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;

  void destroy() {
    device.fn().DestroyDescriptorPool(device.handle(), descriptors, nullptr);
    device.fn().DestroyCommandPool(device.handle(), pool, nullptr);
  }

  /// A descriptor set for one kernel; the pool grows to the kernel with the most buffers.
  VkDescriptorSet make_set(const Kernel &kernel) {
    if (descriptors == VK_NULL_HANDLE || kernel.buffer_count() > set_capacity) {
      device.fn().DestroyDescriptorPool(device.handle(), descriptors, nullptr);
      descriptors = VK_NULL_HANDLE;
      set_capacity = std::max<std::uint32_t>(kernel.buffer_count(), 16);
      const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, set_capacity},
                                            {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}};
      VkDescriptorPoolCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
      info.maxSets = 1;
      info.poolSizeCount = std::size(sizes);
      info.pPoolSizes = sizes;
      check(device.fn().CreateDescriptorPool(device.handle(), &info, nullptr, &descriptors),
            "making a descriptor pool");
    }
    const VkDescriptorSetLayout layout = kernel.set_layout();
    VkDescriptorSetAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = descriptors;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    check(device.fn().AllocateDescriptorSets(device.handle(), &info, &set),
          "making a descriptor set");
    return set;
  }

  /// Makes an idle batch ready to be recorded.
  void reset() {
    check(device.fn().ResetCommandPool(device.handle(), pool, 0), "resetting a command pool");
    if (descriptors != VK_NULL_HANDLE)
      check(device.fn().ResetDescriptorPool(device.handle(), descriptors, 0),
            "resetting a descriptor pool");
  }

  VulkanDevice &device;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkDescriptorPool descriptors = VK_NULL_HANDLE;
  std::uint32_t set_capacity = 0;
  std::unique_ptr<DeviceBuffer> block;     ///< an argument block too large to be pushed
  std::vector<std::shared_ptr<void>> used; ///< until the device is done
  Ticket ticket = 0;
};

VulkanStream::VulkanStream(std::shared_ptr<VulkanDevice> device)
    : StagedStream(device), vulkan_(*device), queue_(device->next_queue()),
      timeline_(std::make_shared<Timeline>(*device)) {}

VulkanStream::~VulkanStream() {
  try {
    wait_for(last_);
  } catch (...) {
    // The device is lost, or validation complained to the wrong one: nothing is left to wait for.
  }
}

std::unique_ptr<VulkanStream::Batch> VulkanStream::begin() {
  std::unique_ptr<Batch> batch;
  std::optional<Ticket> oldest;
  {
    const std::lock_guard lock(mutex_);
    while (!in_flight_.empty() && timeline_->reached(in_flight_.front()->ticket))
      release_done(in_flight_.front()->ticket);
    if (in_flight_.size() >= max_in_flight)
      oldest = in_flight_.front()->ticket;
  }
  if (oldest)
    timeline_->wait(*oldest);
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      batch = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (batch)
    batch->reset();
  else
    batch = std::make_unique<Batch>(vulkan_);

  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vulkan_.fn().BeginCommandBuffer(batch->commands, &info), "beginning a command buffer");
  // What earlier work in the queue wrote is there for this, and what it reads isn't overwritten.
  constexpr VkPipelineStageFlags stages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  vulkan_.fn().CmdPipelineBarrier(batch->commands, stages, stages, 0, 1, &barrier, 0, nullptr, 0,
                                  nullptr);
  return batch;
}

void VulkanStream::end(Batch &batch) {
  // The host may read what this wrote once it is done.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;
  vulkan_.fn().CmdPipelineBarrier(
      batch.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  check(vulkan_.fn().EndCommandBuffer(batch.commands), "ending a command buffer");
}

void VulkanStream::hand_over(std::unique_ptr<Batch> batch, std::span<const Timeline::Point> points,
                             Ticket ticket) {
  batch->ticket = ticket;
  for (const Timeline::Point &point : points)
    batch->used.push_back(point.timeline);
  // The batch counts as in flight before another thread can hear of its ticket.
  const std::lock_guard lock(mutex_);
  timeline_->submit(queue_, batch->commands, points, ticket);
  in_flight_.push_back(std::move(batch));
  last_ = ticket;
}

template <class Fill>
Ticket VulkanStream::submit(const Fill &fill, std::span<const Timeline::Point> points) {
  vulkan_.instance().throw_validation_messages();
  std::unique_ptr<Batch> batch = begin();
  fill(*batch);
  end(*batch);
  const Ticket ticket = last_ticket() + 1;
  hand_over(std::move(batch), points, ticket);
  vulkan_.instance().throw_validation_messages();
  return ticket;
}

/// Takes back the batches up to ticket `done`. The caller holds mutex_.
void VulkanStream::release_done(Ticket done) {
  while (!in_flight_.empty() && in_flight_.front()->ticket <= done) {
    in_flight_.front()->used.clear();
    idle_.push_back(std::move(in_flight_.front()));
    in_flight_.pop_front();
  }
}

void VulkanStream::wait_for(Ticket ticket) {
  bool known = false;
  {
    const std::lock_guard lock(mutex_);
    known = in_flight_.empty() || in_flight_.front()->ticket > ticket;
  }
  if (!known) {
    timeline_->wait(ticket);
    const std::lock_guard lock(mutex_);
    release_done(ticket);
  }
  vulkan_.instance().throw_validation_messages();
}

bool VulkanStream::reached(Ticket ticket) {
  vulkan_.instance().throw_validation_messages();
  return timeline_->reached(ticket);
}

std::optional<Ticket> VulkanStream::after(StreamImpl &other, Ticket ticket) {
  if (other.device() != device())
    return std::nullopt;
  auto &stream = static_cast<VulkanStream &>(other);
  const auto nothing = [](Batch &) {};
  if (&stream.queue_ == &queue_) // a batch begins after all that its queue was given before
    return submit(nothing);
  if (!stream.timeline_->can_be_awaited())
    return std::nullopt;
  const Timeline::Point points[] = {{stream.timeline_, ticket}};
  return submit(nothing, points);
}

namespace {

/// Whether work was done in spite of an error that a wait for it ended with.
bool is_only_complaint(const std::exception_ptr &error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error &known) {
    return known.code() == ErrorCode::validation;
  } catch (...) {
    return false;
  }
}

} // namespace

Ticket VulkanStream::call(std::function<void()> function) {
  const Ticket before = last_ticket();
  if (!timeline_->can_be_awaited()) {
    wait_for(before);
    function();
    return before;
  }
  if (!calls_)
    calls_ = std::make_shared<Timeline>(vulkan_);
  const Ticket turn = ++last_call_;
  when_done(before, [this, turn, function = std::move(function)](std::exception_ptr error) {
    if (!error || is_only_complaint(error))
      function();
    try {
      calls_->signal(turn);
    } catch (...) {
      error = std::current_exception();
    }
    if (error)
      note_failed_call(error);
  });
  const Timeline::Point points[] = {{calls_, turn}};
  return submit([](Batch &) {}, points);
}

/// A query that the device writes its clock to.
class VulkanStream::ClockReading final : public Timestamp {
public:
  explicit ClockReading(std::shared_ptr<VulkanDevice> device) : device_(std::move(device)) {
    VkQueryPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 1;
    check(device_->fn().CreateQueryPool(device_->handle(), &info, nullptr, &pool_),
          "making a query for the time");
  }
  ~ClockReading() override { device_->fn().DestroyQueryPool(device_->handle(), pool_, nullptr); }

  void record(VkCommandBuffer commands) const {
    device_->fn().CmdResetQueryPool(commands, pool_, 0, 1);
    device_->fn().CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, 0);
  }

  std::optional<std::chrono::nanoseconds> since(const Timestamp &earlier) const override {
    const std::uint32_t bits = device_->physical().timestamp_bits;
    std::uint64_t ticks = value() - static_cast<const ClockReading &>(earlier).value();
    if (bits < 64) // the clock runs over
      ticks &= (std::uint64_t{1} << bits) - 1;
    const double period = device_->physical().limits.timestampPeriod;
    return std::chrono::nanoseconds(std::llround(static_cast<double>(ticks) * period));
  }

private:
  std::uint64_t value() const {
    std::uint64_t ticks = 0;
    check(device_->fn().GetQueryPoolResults(device_->handle(), pool_, 0, 1, sizeof(ticks), &ticks,
                                            sizeof(ticks), VK_QUERY_RESULT_64_BIT),
          "reading the device's time");
    return ticks;
  }

  std::shared_ptr<VulkanDevice> device_;
  VkQueryPool pool_ = VK_NULL_HANDLE;
};

namespace {

class NoClock final : public Timestamp {
public:
  std::optional<std::chrono::nanoseconds> since(const Timestamp &) const override {
    return std::nullopt;
  }
};

} // namespace

std::pair<Ticket, std::shared_ptr<Timestamp>> VulkanStream::stamp() {
  if (vulkan_.physical().timestamp_bits == 0)
    return {last_ticket(), std::make_shared<NoClock>()};
  auto reading = std::make_shared<ClockReading>(std::static_pointer_cast<VulkanDevice>(device()));
  const Ticket ticket = submit([&](Batch &batch) {
    batch.used.push_back(reading);
    reading->record(batch.commands);
  });
  return {ticket, std::move(reading)};
}

Ticket VulkanStream::last_ticket() const noexcept {
  const std::lock_guard lock(mutex_);
  return last_;
}

/// Binds the buffers and the block of a launch, and the pipeline that reads them.
void VulkanStream::bind(Batch &batch, Kernel &kernel, const KernelLaunch &launch) {
  const VkPhysicalDeviceLimits &limits = vulkan_.physical().limits;
  // Kernels see memory as words and vectors of up to 16 bytes.
  const std::uint64_t alignment =
      std::max<std::uint64_t>(limits.minStorageBufferOffsetAlignment, 16);
  std::vector<VkDescriptorBufferInfo> infos;
  std::vector<std::uint32_t> offsets;
  for (const BufferArgument &argument : launch.buffers) {
    if (argument.count == 0) {
      infos.push_back({vulkan_.empty_buffer().handle(), 0, VK_WHOLE_SIZE});
      offsets.push_back(0);
      continue;
    }
    batch.used.push_back(argument.memory->shared_from_this());
    const DeviceBuffer &buffer = static_cast<const VulkanMemory &>(*argument.memory).buffer();
    const std::uint64_t base = argument.offset / alignment * alignment;
    const std::uint64_t end = argument.offset + argument.count * argument.element_size;
    // Whole vectors, so that narrow elements at the end can be reached by words.
    const std::uint64_t range =
        std::min<std::uint64_t>((end - base + 15) / 16 * 16, buffer.capacity() - base);
    infos.push_back(
        {buffer.handle(), base, std::min<std::uint64_t>(range, limits.maxStorageBufferRange)});
    offsets.push_back(static_cast<std::uint32_t>(argument.offset - base));
  }
  const bool shifted =
      std::any_of(offsets.begin(), offsets.end(), [](std::uint32_t offset) { return offset != 0; });

  std::vector<std::byte> block(kernel.block_bytes());
  if (!launch.block.empty())
    std::memcpy(block.data(), launch.block.data(), launch.block.size());
  if (!offsets.empty())
    std::memcpy(block.data() + launch.block.size(), offsets.data(), offsets.size() * 4);
  if (kernel.block_is_buffer()) {
    if (!batch.block || batch.block->capacity() < block.size())
      batch.block =
          std::make_unique<DeviceBuffer>(vulkan_, block.size(), DeviceBuffer::Kind::staging);
    std::memcpy(batch.block->mapped(), block.data(), block.size());
    infos.push_back({batch.block->handle(), 0, block.size()});
  }

  vulkan_.fn().CmdBindPipeline(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                               kernel.pipeline(shifted));
  if (kernel.block_is_pushed())
    vulkan_.fn().CmdPushConstants(batch.commands, kernel.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  kernel.block_bytes(), block.data());
  if (infos.empty())
    return;
  const VkDescriptorSet set = batch.make_set(kernel);
  std::vector<VkWriteDescriptorSet> writes(infos.size());
  for (std::size_t i = 0; i < infos.size(); ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = static_cast<std::uint32_t>(i);
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = i < kernel.buffer_count() ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
                                                         : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    writes[i].pBufferInfo = &infos[i];
  }
  vulkan_.fn().UpdateDescriptorSets(vulkan_.handle(), static_cast<std::uint32_t>(writes.size()),
                                    writes.data(), 0, nullptr);
  vulkan_.fn().CmdBindDescriptorSets(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                     kernel.layout(), abi::descriptor_set, 1, &set, 0, nullptr);
}

Ticket VulkanStream::launch(const KernelLaunch &launch) {
  Kernel &kernel = vulkan_.kernels().get(
      launch.kernel, [&] { return std::make_unique<Kernel>(vulkan_, launch.kernel); });
  return submit([&](Batch &batch) {
    const Label label(vulkan_, batch.commands, launch.kernel);
    bind(batch, kernel, launch);
    vulkan_.fn().CmdDispatch(batch.commands, launch.groups[0], launch.groups[1], launch.groups[2]);
  });
}

Ticket VulkanStream::copy(Memory &target, std::uint64_t target_offset, Memory &source,
                          std::uint64_t source_offset, std::uint64_t bytes) {
  return submit([&](Batch &batch) {
    batch.used = {target.shared_from_this(), source.shared_from_this()};
    const VkBufferCopy region{source_offset, target_offset, bytes};
    vulkan_.fn().CmdCopyBuffer(batch.commands, buffer_of(source), buffer_of(target), 1, &region);
  });
}

std::unique_ptr<StagingChunk> VulkanStream::make_chunk(std::uint64_t bytes) {
  return std::make_unique<Chunk>(
      std::make_unique<DeviceBuffer>(vulkan_, bytes, DeviceBuffer::Kind::staging));
}

Ticket VulkanStream::copy_in(Memory &target, std::uint64_t offset, StagingChunk &chunk,
                             std::uint64_t chunk_offset, std::uint64_t bytes) {
  return submit([&](Batch &batch) {
    batch.used = {target.shared_from_this()};
    const VkBufferCopy region{chunk_offset, offset, bytes};
    vulkan_.fn().CmdCopyBuffer(batch.commands, buffer_of(chunk), buffer_of(target), 1, &region);
  });
}

Ticket VulkanStream::copy_out(Memory &source, std::uint64_t offset, StagingChunk &chunk,
                              std::uint64_t chunk_offset, std::uint64_t bytes) {
  return submit([&](Batch &batch) {
    batch.used = {source.shared_from_this()};
    const VkBufferCopy region{offset, chunk_offset, bytes};
    vulkan_.fn().CmdCopyBuffer(batch.commands, buffer_of(source), buffer_of(chunk), 1, &region);
  });
}

Ticket VulkanStream::fill_words(Memory &target, std::uint64_t offset, std::uint64_t bytes,
                                std::uint32_t word) {
  return submit([&](Batch &batch) {
    batch.used = {target.shared_from_this()};
    vulkan_.fn().CmdFillBuffer(batch.commands, buffer_of(target), offset, bytes, word);
  });
}

} // namespace khal::detail::vulkan

//===- Heap.cpp - buffers carved from few large allocations -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Heap.h"

#include "core/Text.h"
#include "vulkan/Device.h"

#include <algorithm>
#include <optional>

namespace khal::detail::vulkan {

namespace {

constexpr std::uint64_t largest_block = 64u << 20;
constexpr std::uint64_t buffer_granularity = 16;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

} // namespace

struct Heap::Block {
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::uint64_t bytes = 0;
  std::byte *mapped = nullptr;
  std::map<std::uint64_t, std::uint64_t> free; ///< bytes by offset; neighbours are joined

  bool unused() const { return free.size() == 1 && free.begin()->second == bytes; }

  /// An aligned part of the first free range that has room for it.
  std::optional<std::uint64_t> take(std::uint64_t wanted, std::uint64_t alignment) {
    for (auto it = free.begin(); it != free.end(); ++it) {
      const auto [begin, size] = *it;
      const std::uint64_t aligned = round_up(begin, alignment);
      if (aligned - begin + wanted > size)
        continue;
      free.erase(it);
      if (aligned > begin)
        free.emplace(begin, aligned - begin);
      if (begin + size > aligned + wanted)
        free.emplace(aligned + wanted, begin + size - aligned - wanted);
      return aligned;
    }
    return std::nullopt;
  }

  void give_back(std::uint64_t offset, std::uint64_t size) {
    auto it = free.emplace(offset, size).first;
    if (const auto next = std::next(it);
        next != free.end() && it->first + it->second == next->first) {
      it->second += next->second;
      free.erase(next);
    }
    if (it != free.begin())
      if (const auto before = std::prev(it); before->first + before->second == it->first) {
        before->second += it->second;
        free.erase(it);
      }
  }
};

Heap::Heap(VulkanDevice &device, std::uint32_t type, bool mapped, std::uint64_t heap_bytes)
    : device_(device), type_(type), mapped_(mapped),
      block_bytes_(std::clamp<std::uint64_t>(heap_bytes / 16, 1u << 20, largest_block)) {}

Heap::~Heap() {
  for (const auto &block : blocks_)
    device_.fn().FreeMemory(device_.handle(), block->memory, nullptr);
}

Heap::Block &Heap::add_block(std::uint64_t bytes) {
  auto block = std::make_unique<Block>();
  block->bytes = bytes;
  block->free.emplace(0, bytes);
  blocks_.reserve(blocks_.size() + 1);
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = bytes;
  info.memoryTypeIndex = type_;
  const VkResult result =
      device_.fn().AllocateMemory(device_.handle(), &info, nullptr, &block->memory);
  if (result != VK_SUCCESS)
    throw Error(ErrorCode::out_of_memory,
                text(device_.info().id, " (", device_.info().name, ") has no ",
                     describe_bytes(bytes), " of memory left (", result_name(result),
                     "): free buffers that are no longer needed, or process the data in parts"),
                result);
  if (mapped_) {
    void *address = nullptr;
    const VkResult mapping =
        device_.fn().MapMemory(device_.handle(), block->memory, 0, VK_WHOLE_SIZE, 0, &address);
    if (mapping != VK_SUCCESS) {
      device_.fn().FreeMemory(device_.handle(), block->memory, nullptr);
      check(mapping, "mapping memory");
    }
    block->mapped = static_cast<std::byte *>(address);
  }
  blocks_.push_back(std::move(block));
  return *blocks_.back();
}

Heap::Range Heap::take(std::uint64_t bytes, std::uint64_t alignment) {
  const std::lock_guard lock(mutex_);
  Block *block = nullptr;
  std::optional<std::uint64_t> offset;
  if (bytes <= block_bytes_ / 4)
    for (const auto &candidate : blocks_) {
      offset = candidate->take(bytes, alignment);
      if (offset) {
        block = candidate.get();
        break;
      }
    }
  if (!block) {
    block = &add_block(bytes <= block_bytes_ / 4 ? block_bytes_ : bytes);
    offset = block->take(bytes, alignment);
  }
  return {block, block->memory, *offset, bytes, block->mapped ? block->mapped + *offset : nullptr};
}

void Heap::give_back(const Range &range) noexcept {
  const std::lock_guard lock(mutex_);
  range.block->give_back(range.offset, range.bytes);
  if (!range.block->unused())
    return;
  // One empty block of the usual size stays, so that a buffer made and dropped in a loop is cheap.
  const auto is_spare = [&](const auto &block) {
    return block->unused() && block->bytes == block_bytes_;
  };
  if (range.block->bytes == block_bytes_ &&
      std::count_if(blocks_.begin(), blocks_.end(), is_spare) == 1)
    return;
  device_.fn().FreeMemory(device_.handle(), range.block->memory, nullptr);
  std::erase_if(blocks_, [&](const auto &block) { return block.get() == range.block; });
}

DeviceBuffer::DeviceBuffer(VulkanDevice &device, std::uint64_t bytes, Kind kind)
    : device_(device), capacity_(round_up(std::max<std::uint64_t>(bytes, 1), buffer_granularity)) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = capacity_;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.usage |= kind == Kind::device ? VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
                                     : VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  check(device_.fn().CreateBuffer(device_.handle(), &info, nullptr, &handle_), "making a buffer");
  try {
    VkMemoryRequirements needs{};
    device_.fn().GetBufferMemoryRequirements(device_.handle(), handle_, &needs);
    heap_ = &device_.heap(needs.memoryTypeBits, kind);
    range_ = heap_->take(needs.size, needs.alignment);
    const VkResult bound =
        device_.fn().BindBufferMemory(device_.handle(), handle_, range_.memory, range_.offset);
    if (bound != VK_SUCCESS) {
      heap_->give_back(range_);
      check(bound, "binding memory to a buffer");
    }
  } catch (...) {
    device_.fn().DestroyBuffer(device_.handle(), handle_, nullptr);
    throw;
  }
}

DeviceBuffer::~DeviceBuffer() {
  device_.fn().DestroyBuffer(device_.handle(), handle_, nullptr);
  heap_->give_back(range_);
}

} // namespace khal::detail::vulkan

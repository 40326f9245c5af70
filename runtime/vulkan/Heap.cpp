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
#include <bit>

namespace khal::detail::vulkan {

namespace {

constexpr std::uint64_t largest_block = 64u << 20;
constexpr std::uint64_t smallest_block = 1u << 20;
constexpr std::uint64_t buffer_granularity = 16;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

} // namespace

namespace {

class Allocation final : public Backing {
public:
  Allocation(const VulkanDevice &device, VkDeviceMemory memory)
      : device_(device), memory_(memory) {}
  ~Allocation() override { device_.fn().FreeMemory(device_.handle(), memory_, nullptr); }
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;

  VkDeviceMemory memory() const noexcept { return memory_; }
  std::byte *mapped() const noexcept { return mapped_; }
  void map() {
    void *address = nullptr;
    check(device_.fn().MapMemory(device_.handle(), memory_, 0, VK_WHOLE_SIZE, 0, &address),
          "mapping memory");
    mapped_ = static_cast<std::byte *>(address);
  }

private:
  const VulkanDevice &device_;
  const VkDeviceMemory memory_;
  std::byte *mapped_ = nullptr;
};

} // namespace

Heap::Heap(VulkanDevice &device, std::uint32_t type, bool mapped, std::uint64_t heap_bytes)
    : device_(device), type_(type), mapped_(mapped),
      ranges_([this](std::uint64_t bytes) { return allocate(bytes); },
              std::bit_floor(std::clamp(heap_bytes / 16, smallest_block, largest_block))) {}

std::unique_ptr<Backing> Heap::allocate(std::uint64_t bytes) const {
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = bytes;
  info.memoryTypeIndex = type_;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const VkResult result = device_.fn().AllocateMemory(device_.handle(), &info, nullptr, &memory);
  if (result != VK_SUCCESS)
    throw Error(ErrorCode::out_of_memory,
                text(device_.info().id, " (", device_.info().name, ") has no ",
                     describe_bytes(bytes), " of memory left (", result_name(result),
                     "): free buffers that are no longer needed, or process the data in parts"),
                result);
  auto allocation = std::make_unique<Allocation>(device_, memory);
  if (mapped_)
    allocation->map();
  return allocation;
}

Heap::Range Heap::take(std::uint64_t bytes, std::uint64_t alignment) {
  const Suballocator::Range range = ranges_.take(bytes, alignment);
  const auto &allocation = static_cast<const Allocation &>(*range.backing);
  return {range, allocation.memory(),
          allocation.mapped() ? allocation.mapped() + range.offset : nullptr};
}

namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace

DeviceBuffer::DeviceBuffer(VulkanDevice &device, std::uint64_t bytes, Kind kind)
    : device_(device), serial_(next_serial()),
      capacity_(round_up(std::max<std::uint64_t>(bytes, 1), buffer_granularity)) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = capacity_;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  info.usage |= kind == Kind::staging
                    ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                    : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  check(device_.fn().CreateBuffer(device_.handle(), &info, nullptr, &handle_), "making a buffer");
  try {
    VkMemoryRequirements needs{};
    device_.fn().GetBufferMemoryRequirements(device_.handle(), handle_, &needs);
    heap_ = &device_.heap(needs.memoryTypeBits, kind);
    range_ = heap_->take(needs.size, needs.alignment);
    const VkResult bound = device_.fn().BindBufferMemory(device_.handle(), handle_, range_.memory,
                                                         range_.range.offset);
    if (bound != VK_SUCCESS) {
      heap_->give_back(range_);
      check(bound, "binding memory to a buffer");
    }
  } catch (...) {
    device_.fn().DestroyBuffer(device_.handle(), handle_, nullptr);
    throw;
  }
}

DeviceBuffer::DeviceBuffer(VulkanDevice &device, VkBuffer handle, std::uint64_t bytes)
    : device_(device), serial_(next_serial()), capacity_(bytes), handle_(handle) {}

DeviceBuffer::~DeviceBuffer() {
  if (!heap_)
    return;
  device_.fn().DestroyBuffer(device_.handle(), handle_, nullptr);
  heap_->give_back(range_);
}

} // namespace khal::detail::vulkan

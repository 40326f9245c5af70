//===- Commands.h - commands for the device, with what they need ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_COMMANDS_H
#define KHAL_RUNTIME_VULKAN_COMMANDS_H

#include "core/Backend.h"
#include "vulkan/Heap.h"

namespace khal::detail::vulkan {

class Kernel;
class VulkanDevice;

/// The buffer behind memory of this backend's.
VkBuffer buffer_of(const Memory &memory);
/// Whether the host may read it without a copy.
bool host_reads(const Memory &memory);

/// A command buffer with the descriptor sets and argument blocks that its commands refer to. Used by
/// one thread at a time.
class Commands {
public:
  enum class Use {
    once, ///< submitted once and then recorded anew: made ready fast
    again ///< submitted any number of times, also while it's under way
  };

  Commands(VulkanDevice &device, Use use);
  ~Commands();
  Commands(const Commands &) = delete;
  Commands &operator=(const Commands &) = delete;

  /// Forgets what was recorded, which must not be under way, and begins with a wait for everything
  /// before it in the queue.
  void begin();
  void launch(const KernelLaunch &launch);
  void copy(VkBuffer target, std::uint64_t target_offset, VkBuffer source,
            std::uint64_t source_offset, std::uint64_t bytes);
  /// `offset` and `bytes` are multiples of 4.
  void fill(VkBuffer target, std::uint64_t offset, std::uint64_t bytes, std::uint32_t word);
  /// A reading of the device's clock when all before it is done.
  void write_time(VkQueryPool query);
  /// What follows waits for all before it.
  void order();
  /// What the commands write may be read by the host when they are done. launch() finds out by
  /// itself.
  void show_to_host() noexcept { host_looks_ = true; }
  void end();

  /// Keeps something until the next let_go().
  void keep(std::shared_ptr<void> thing) { kept_.push_back(std::move(thing)); }
  void let_go() noexcept { kept_.clear(); }

  VkCommandBuffer handle() const noexcept { return handle_; }

private:
  struct DescriptorPool {
    VkDescriptorPool handle = VK_NULL_HANDLE;
    std::uint32_t sets = 0, buffers = 0;           ///< in all
    std::uint32_t sets_left = 0, buffers_left = 0; ///< not given out
  };
  struct BlockChunk {
    std::unique_ptr<DeviceBuffer> buffer;
    std::uint64_t used = 0;
  };

  void destroy() noexcept;
  void bind(Kernel &kernel, const KernelLaunch &launch);
  void dispatch_from(const GroupsInBuffer &groups);
  void describe_buffers(Kernel &kernel, const KernelLaunch &launch);
  void fill_block(const Kernel &kernel, const KernelLaunch &launch);
  VkDescriptorSet set_for(const Kernel &kernel);
  VkDescriptorSet set_to_use_once(const Kernel &kernel);
  VkDescriptorSet set_to_use_again(const Kernel &kernel);
  VkDescriptorSet allocate_set(const Kernel &kernel);
  void write_set(VkDescriptorSet set, const Kernel &kernel);
  void bind_buffer(const DeviceBuffer &buffer, std::uint64_t offset, std::uint64_t range);
  void reset_descriptor_pools();
  DescriptorPool &pool_for(std::uint32_t buffers);
  void store_block();

  VulkanDevice &device_;
  const Use use_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer handle_ = VK_NULL_HANDLE;
  std::vector<DescriptorPool> descriptor_pools_;
  std::vector<BlockChunk> blocks_; ///< argument blocks too large to be pushed
  /// What a set refers to: its layout, then serial number, offset and range of each buffer.
  using Contents = std::vector<std::uint64_t>;
  std::map<Contents, VkDescriptorSet> sets_; ///< of Use::again
  /// Of Use::once: programs often launch the same kernel on the same buffers again.
  struct {
    Contents contents;
    VkDescriptorSet set = VK_NULL_HANDLE;
    bool bound = false; ///< by the commands being recorded
  } last_set_;
  /// Of the launch that is being recorded; kept so that their memory is.
  std::vector<VkDescriptorBufferInfo> infos_;
  std::vector<VkWriteDescriptorSet> writes_;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::byte> block_;
  Contents contents_;
  bool host_looks_ = false;
  VkPipeline bound_pipeline_ = VK_NULL_HANDLE;
  std::vector<std::shared_ptr<void>> kept_;
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_COMMANDS_H

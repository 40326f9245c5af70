//===- VulkanPeer.h - the same work by hand-written calls of Vulkan ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for one purpose and one thread: its descriptor set is made once, its command buffers are
// recorded anew for each launch, nothing is checked, nothing is kept alive.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_RUNTIME_VULKANPEER_H
#define KHAL_TEST_BENCH_RUNTIME_VULKANPEER_H

#include "vulkan/Device.h"

namespace bench {

class VulkanPeer {
public:
  /// Opens a VkDevice of its own of the physical device behind `known`.
  explicit VulkanPeer(khal::detail::vulkan::VulkanDevice &known);
  ~VulkanPeer();
  VulkanPeer(const VulkanPeer &) = delete;
  VulkanPeer &operator=(const VulkanPeer &) = delete;

  struct Buffer {
    VkBuffer handle = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::byte *mapped = nullptr; ///< when the host can reach it
  };
  /// Lives as long as the peer. `staging`: in host memory.
  Buffer &buffer(std::uint64_t bytes, bool staging = false);

  /// What launch() and replay() run: a kernel with one buffer and a block of two words.
  void setKernel(const khal::abi::Kernel &kernel, const Buffer &x);
  void launch(std::uint32_t value, std::uint32_t count);
  void record(unsigned launches, std::uint32_t value, std::uint32_t count);
  void replay();

  void upload(const Buffer &target, const std::byte *source, std::uint64_t bytes);
  void download(std::byte *target, const Buffer &source, std::uint64_t bytes);
  void copy(const Buffer &target, const Buffer &source, std::uint64_t bytes);
  void wait();

private:
  static constexpr std::size_t slots = 256;
  static constexpr std::size_t chunks = 4;
  static constexpr std::uint64_t chunkBytes = 4u << 20;

  std::uint32_t memoryType(std::uint32_t bits, bool staging) const;
  void makeSet(const Buffer &x);
  void makePipeline(const khal::abi::Artifact &artifact);
  void dispatch(VkCommandBuffer commands, const std::array<std::uint32_t, 4> &block);
  void barrier(VkCommandBuffer commands);
  VkCommandBuffer nextSlot();
  void submit(VkCommandBuffer commands);
  void waitFor(std::uint64_t value);
  const Buffer &chunk(std::size_t number);

  khal::detail::vulkan::VulkanDevice &known;
  khal::detail::vulkan::DeviceFunctions fn;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkSemaphore timeline = VK_NULL_HANDLE;
  std::uint64_t last = 0;
  VkCommandPool pool = VK_NULL_HANDLE;
  std::array<VkCommandBuffer, slots> commands{};
  std::array<std::uint64_t, slots> slotValues{}; ///< of the timeline, when it's free again
  std::size_t slot = 0;
  VkCommandBuffer recorded = VK_NULL_HANDLE;
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  VkDescriptorPool setPool = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkShaderModule module = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::array<const Buffer *, chunks> ring{};
};

} // namespace bench

#endif // KHAL_TEST_BENCH_RUNTIME_VULKANPEER_H

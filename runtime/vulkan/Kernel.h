//===- Kernel.h - a kernel's pipelines --------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_KERNEL_H
#define KHAL_RUNTIME_VULKAN_KERNEL_H

#include "vulkan/Api.h"

#include "khal/abi.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace khal::detail::vulkan {

class VulkanDevice;

/// A kernel on one device. Thread-safe.
class Kernel {
public:
  /// \throws Error unsupported when no compiled form runs here, build_failed when the driver
  /// refuses
  ///   it.
  Kernel(VulkanDevice &device, const abi::Kernel &kernel);
  ~Kernel();
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  /// With `offsets`, for a launch whose block ends with buffer offsets that count; for shared spans
  /// of so many elements.
  VkPipeline pipeline(bool offsets, std::span<const std::uint32_t> shared_counts);
  VkPipelineLayout layout() const noexcept { return layout_; }
  VkDescriptorSetLayout set_layout() const noexcept { return set_layout_; }

  std::uint32_t buffer_count() const noexcept { return kernel_.buffer_count; }
  /// Of the argument block with the offsets, rounded up to whole 16 bytes.
  std::uint32_t block_bytes() const noexcept { return block_bytes_; }
  bool block_is_pushed() const noexcept { return pushed_; }
  bool block_is_buffer() const noexcept { return block_bytes_ > 0 && !pushed_; }

  /// \throws Error unsupported when `bytes` of buffer number `buffer` are more than the code can
  ///   address.
  void check_range(std::size_t buffer, std::uint64_t bytes) const;

private:
  /// The specialisation constants in the order of their ids: whether offsets count, then the length
  /// of each shared span.
  using Constants = std::vector<std::uint32_t>;

  void make_layouts();
  VkPipeline make_pipeline(const Constants &constants);
  VkResult create(const VkComputePipelineCreateInfo &info, const Constants &constants,
                  VkPipeline &pipeline);
  void give_name(VkPipeline pipeline) const;
  void destroy() noexcept;

  VulkanDevice &device_;
  const abi::Kernel &kernel_;
  const abi::Artifact &artifact_;
  const std::uint32_t block_bytes_;
  const bool pushed_;
  VkShaderModule module_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  std::array<std::atomic<VkPipeline>, 2> plain_{}; ///< without shared spans, by `offsets`
  std::mutex pipelines_mutex_;
  std::map<Constants, VkPipeline> pipelines_; ///< guarded by the mutex
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_KERNEL_H

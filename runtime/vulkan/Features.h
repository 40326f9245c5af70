//===- Features.h - what a Vulkan device offers to kernels ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_FEATURES_H
#define KHAL_RUNTIME_VULKAN_FEATURES_H

#include "vulkan/Api.h"

#include <cstdint>

namespace khal::detail::vulkan {

/// The structures that Vulkan answers and is asked with, linked to each other as far as the device
/// knows them. Neither copied nor moved, because of the links.
class Features {
public:
  /// Asks a physical device. `version`: what it and the instance both have.
  Features(const Instance &instance, VkPhysicalDevice device, std::uint32_t version);
  Features(const Features &) = delete;
  Features &operator=(const Features &) = delete;

  /// Of a device that was made by the program: forgets what that didn't enable.
  void keep_only_enabled(const VkDeviceCreateInfo &made_with, std::uint32_t version);

  /// abi::Feature bits that don't hang on subgroups.
  std::uint64_t bits() const;

  /// For VkDeviceCreateInfo: enables what bits() tells of, and nothing else.
  const void *chain() const noexcept { return &core_; }
  const std::vector<const char *> &extensions() const noexcept { return extensions_; }
  /// Whether streams can wait for each other on the device.
  bool timeline_semaphores() const noexcept { return timeline_.timelineSemaphore; }

private:
  void keep_only_what_kernels_use();

  VkPhysicalDeviceFeatures2 core_{};
  VkPhysicalDevice16BitStorageFeatures storage16_{};
  VkPhysicalDevice8BitStorageFeatures storage8_{};
  VkPhysicalDeviceShaderFloat16Int8Features arithmetic_{};
  VkPhysicalDeviceShaderAtomicInt64Features atomic_int64_{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float_{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memory_model_{};
  VkPhysicalDeviceFloatControlsProperties float_controls_{};
  VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures subgroup_types_{};
  VkPhysicalDeviceShaderIntegerDotProductFeatures dot_product_{};
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline_{};
  bool non_semantic_info_ = false;
  std::vector<const char *> extensions_; ///< that have to be enabled for the above
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_FEATURES_H

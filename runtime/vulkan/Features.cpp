//===- Features.cpp - what a Vulkan device offers to kernels ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Features.h"

#include "khal/abi.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <type_traits>

namespace khal::detail::vulkan {

namespace {

std::vector<VkExtensionProperties> extensions_of(const Instance &instance,
                                                 VkPhysicalDevice device) {
  std::uint32_t count = 0;
  check(instance.EnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr),
        "listing a device's extensions");
  std::vector<VkExtensionProperties> found(count);
  check(instance.EnumerateDeviceExtensionProperties(device, nullptr, &count, found.data()),
        "listing a device's extensions");
  return found;
}

/// For tests of what is done on devices without timeline semaphores.
bool only_the_base() {
  const char *value = std::getenv("KHAL_VULKAN_BASE");
  return value && std::strcmp(value, "1") == 0;
}

} // namespace

Features::Features(const Instance &instance, VkPhysicalDevice device, std::uint32_t version) {
  const std::vector<VkExtensionProperties> there = extensions_of(instance, device);
  core_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  void **next = &core_.pNext;
  // True for what is part of Vulkan since `core_version`, and before that of an extension, which is
  // then enabled.
  const auto has = [&](std::uint32_t core_version, const char *extension) {
    if (version >= core_version)
      return true;
    if (std::none_of(there.begin(), there.end(), [&](const VkExtensionProperties &one) {
          return std::strcmp(one.extensionName, extension) == 0;
        }))
      return false;
    extensions_.push_back(extension);
    return true;
  };
  const auto link = [&](auto &structure, VkStructureType type, std::uint32_t core_version,
                        const char *extension) {
    structure.sType = type;
    if (!has(core_version, extension))
      return;
    *next = &structure;
    next = &structure.pNext;
  };
  constexpr std::uint32_t never = UINT32_MAX;
  link(storage16_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, VK_API_VERSION_1_1,
       VK_KHR_16BIT_STORAGE_EXTENSION_NAME);
  link(storage8_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, VK_API_VERSION_1_2,
       VK_KHR_8BIT_STORAGE_EXTENSION_NAME);
  link(arithmetic_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
       VK_API_VERSION_1_2, VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME);
  link(atomic_int64_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
       VK_API_VERSION_1_2, VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME);
  link(memory_model_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES,
       VK_API_VERSION_1_2, VK_KHR_VULKAN_MEMORY_MODEL_EXTENSION_NAME);
  link(subgroup_types_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES,
       VK_API_VERSION_1_2, VK_KHR_SHADER_SUBGROUP_EXTENDED_TYPES_EXTENSION_NAME);
  link(dot_product_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES,
       VK_API_VERSION_1_3, VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME);
  link(atomic_float_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT, never,
       VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME);
  if (!only_the_base())
    link(timeline_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
         VK_API_VERSION_1_2, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME);
  non_semantic_info_ = has(VK_API_VERSION_1_3, VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME);
  instance.GetPhysicalDeviceFeatures2(device, &core_);

  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  next = &properties.pNext;
  link(float_controls_, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES,
       VK_API_VERSION_1_2, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
  instance.GetPhysicalDeviceProperties2(device, &properties);
  keep_only_what_kernels_use();
}

void Features::keep_only_what_kernels_use() {
  const VkPhysicalDeviceFeatures has = core_.features;
  core_.features = {};
  core_.features.shaderInt16 = has.shaderInt16;
  core_.features.shaderInt64 = has.shaderInt64;
  core_.features.shaderFloat64 = has.shaderFloat64;
  storage16_.storageInputOutput16 = VK_FALSE;
  memory_model_.vulkanMemoryModelAvailabilityVisibilityChains = VK_FALSE;
  const VkBool32 float_add = atomic_float_.shaderBufferFloat32AtomicAdd;
  void *const next = atomic_float_.pNext;
  atomic_float_ = {};
  atomic_float_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT;
  atomic_float_.pNext = next;
  atomic_float_.shaderBufferFloat32AtomicAdd = float_add;
  atomic_float_.shaderBufferFloat32Atomics = float_add; // a condition of the other
}

namespace {

/// The structure of that type in a chain, or null.
template <class Structure> const Structure *find(const void *chain, VkStructureType type) {
  for (auto *next = static_cast<const VkBaseInStructure *>(chain); next; next = next->pNext)
    if (next->sType == type)
      return reinterpret_cast<const Structure *>(next);
  return nullptr;
}

/// A feature that is enabled by one structure or by another that says the same.
template <class One, class Other>
void keep_if(VkBool32 &feature, const One *one, VkBool32 One::*in_one, const Other *other,
             VkBool32 Other::*in_other) {
  feature = feature && ((one && one->*in_one) || (other && other->*in_other));
}

} // namespace

void Features::keep_only_enabled(const VkDeviceCreateInfo &made_with, std::uint32_t version) {
  const void *const chain = made_with.pNext;
#define KHAL_FIND(NAME) find<VkPhysicalDevice##NAME##Features>
  const auto *all =
      find<VkPhysicalDeviceFeatures2>(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  const auto *v11 =
      KHAL_FIND(Vulkan11)(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES);
  const auto *v12 =
      KHAL_FIND(Vulkan12)(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  const auto *v13 =
      KHAL_FIND(Vulkan13)(chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
#undef KHAL_FIND
  const VkPhysicalDeviceFeatures none{};
  const VkPhysicalDeviceFeatures &core = all                          ? all->features
                                         : made_with.pEnabledFeatures ? *made_with.pEnabledFeatures
                                                                      : none;
  core_.features.shaderInt16 &= core.shaderInt16;
  core_.features.shaderInt64 &= core.shaderInt64;
  core_.features.shaderFloat64 &= core.shaderFloat64;
#define KHAL_KEEP(MEMBER, FEATURE, AGGREGATE)                                                      \
  keep_if(MEMBER.FEATURE, find<decltype(MEMBER)>(chain, MEMBER.sType), &decltype(MEMBER)::FEATURE, \
          AGGREGATE, &std::remove_cvref_t<decltype(*AGGREGATE)>::FEATURE)
  KHAL_KEEP(storage16_, storageBuffer16BitAccess, v11);
  KHAL_KEEP(storage16_, uniformAndStorageBuffer16BitAccess, v11);
  KHAL_KEEP(storage16_, storagePushConstant16, v11);
  KHAL_KEEP(storage8_, storageBuffer8BitAccess, v12);
  KHAL_KEEP(storage8_, uniformAndStorageBuffer8BitAccess, v12);
  KHAL_KEEP(storage8_, storagePushConstant8, v12);
  KHAL_KEEP(arithmetic_, shaderInt8, v12);
  KHAL_KEEP(arithmetic_, shaderFloat16, v12);
  KHAL_KEEP(atomic_int64_, shaderBufferInt64Atomics, v12);
  KHAL_KEEP(atomic_int64_, shaderSharedInt64Atomics, v12);
  KHAL_KEEP(memory_model_, vulkanMemoryModel, v12);
  KHAL_KEEP(memory_model_, vulkanMemoryModelDeviceScope, v12);
  KHAL_KEEP(subgroup_types_, shaderSubgroupExtendedTypes, v12);
  KHAL_KEEP(timeline_, timelineSemaphore, v12);
  KHAL_KEEP(dot_product_, shaderIntegerDotProduct, v13);
  const auto *adds = find<VkPhysicalDeviceShaderAtomicFloatFeaturesEXT>(
      chain, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT);
  atomic_float_.shaderBufferFloat32AtomicAdd &= adds && adds->shaderBufferFloat32AtomicAdd;
#undef KHAL_KEEP
  const auto enabled = [&](const char *extension) {
    const std::span names(made_with.ppEnabledExtensionNames, made_with.enabledExtensionCount);
    return std::any_of(names.begin(), names.end(),
                       [&](const char *name) { return std::strcmp(name, extension) == 0; });
  };
  non_semantic_info_ = non_semantic_info_ && (version >= VK_API_VERSION_1_3 ||
                                              enabled("VK_KHR_shader_non_semantic_info"));
  if (version < VK_API_VERSION_1_2 && !enabled(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME))
    float_controls_ = {};
}

std::uint64_t Features::bits() const {
  std::uint64_t bits = 0;
  const auto add = [&](abi::Feature feature, bool there) {
    if (there)
      bits |= feature;
  };
  add(abi::feature_int8, arithmetic_.shaderInt8);
  add(abi::feature_int16, core_.features.shaderInt16);
  add(abi::feature_int64, core_.features.shaderInt64);
  add(abi::feature_float16, arithmetic_.shaderFloat16);
  add(abi::feature_float64, core_.features.shaderFloat64);
  add(abi::feature_storage8, storage8_.storageBuffer8BitAccess);
  add(abi::feature_storage16, storage16_.storageBuffer16BitAccess);
  add(abi::feature_atomic_int64, atomic_int64_.shaderBufferInt64Atomics);
  add(abi::feature_shared_atomic_int64, atomic_int64_.shaderSharedInt64Atomics);
  add(abi::feature_atomic_float32, atomic_float_.shaderBufferFloat32AtomicAdd);
  add(abi::feature_subgroup_int64,
      subgroup_types_.shaderSubgroupExtendedTypes && core_.features.shaderInt64);
  add(abi::feature_dot_product, dot_product_.shaderIntegerDotProduct);
  add(abi::feature_vulkan_memory_model,
      memory_model_.vulkanMemoryModel && memory_model_.vulkanMemoryModelDeviceScope);
  add(abi::feature_special_float16, float_controls_.shaderSignedZeroInfNanPreserveFloat16);
  add(abi::feature_special_float32, float_controls_.shaderSignedZeroInfNanPreserveFloat32);
  add(abi::feature_special_float64, float_controls_.shaderSignedZeroInfNanPreserveFloat64);
  add(abi::feature_subnormal16, float_controls_.shaderDenormPreserveFloat16);
  add(abi::feature_subnormal32, float_controls_.shaderDenormPreserveFloat32);
  add(abi::feature_subnormal64, float_controls_.shaderDenormPreserveFloat64);
  add(abi::feature_debug_info, non_semantic_info_);
  add(abi::feature_uniform_block, true);
  // A block may come as push constants or as a uniform buffer.
  add(abi::feature_uniform8,
      storage8_.uniformAndStorageBuffer8BitAccess && storage8_.storagePushConstant8);
  add(abi::feature_uniform16,
      storage16_.uniformAndStorageBuffer16BitAccess && storage16_.storagePushConstant16);
  return bits;
}

} // namespace khal::detail::vulkan

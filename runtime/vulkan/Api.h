//===- Api.h - Vulkan's functions, found at run time ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_VULKAN_API_H
#define KHAL_RUNTIME_VULKAN_API_H

#include "core/Library.h"
#include "khal/host/error.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <vector>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

namespace khal::detail::vulkan {

#define KHAL_VULKAN_GLOBAL_FUNCTIONS(X)                                                            \
  X(CreateInstance)                                                                                \
  X(EnumerateInstanceExtensionProperties)                                                          \
  X(EnumerateInstanceLayerProperties)

#define KHAL_VULKAN_INSTANCE_FUNCTIONS(X)                                                          \
  X(CreateDevice)                                                                                  \
  X(DestroyInstance)                                                                               \
  X(EnumerateDeviceExtensionProperties)                                                            \
  X(EnumeratePhysicalDevices)                                                                      \
  X(GetDeviceProcAddr)                                                                             \
  X(GetPhysicalDeviceFeatures2)                                                                    \
  X(GetPhysicalDeviceMemoryProperties)                                                             \
  X(GetPhysicalDeviceProperties)                                                                   \
  X(GetPhysicalDeviceProperties2)                                                                  \
  X(GetPhysicalDeviceQueueFamilyProperties)

#define KHAL_VULKAN_DEVICE_FUNCTIONS(X)                                                            \
  X(AllocateCommandBuffers)                                                                        \
  X(AllocateDescriptorSets)                                                                        \
  X(AllocateMemory)                                                                                \
  X(BeginCommandBuffer)                                                                            \
  X(BindBufferMemory)                                                                              \
  X(CmdBindDescriptorSets)                                                                         \
  X(CmdBindPipeline)                                                                               \
  X(CmdCopyBuffer)                                                                                 \
  X(CmdDispatchIndirect)                                                                           \
  X(CmdDispatch)                                                                                   \
  X(CmdFillBuffer)                                                                                 \
  X(CmdPipelineBarrier)                                                                            \
  X(CmdPushConstants)                                                                              \
  X(CmdResetQueryPool)                                                                             \
  X(CmdWriteTimestamp)                                                                             \
  X(CreateBuffer)                                                                                  \
  X(CreateCommandPool)                                                                             \
  X(CreateComputePipelines)                                                                        \
  X(CreateDescriptorPool)                                                                          \
  X(CreateDescriptorSetLayout)                                                                     \
  X(CreateFence)                                                                                   \
  X(CreatePipelineCache)                                                                           \
  X(CreatePipelineLayout)                                                                          \
  X(CreateQueryPool)                                                                               \
  X(CreateSemaphore)                                                                               \
  X(CreateShaderModule)                                                                            \
  X(DestroyBuffer)                                                                                 \
  X(DestroyCommandPool)                                                                            \
  X(DestroyDescriptorPool)                                                                         \
  X(DestroyDescriptorSetLayout)                                                                    \
  X(DestroyDevice)                                                                                 \
  X(DestroyFence)                                                                                  \
  X(DestroyPipeline)                                                                               \
  X(DestroyPipelineCache)                                                                          \
  X(DestroyPipelineLayout)                                                                         \
  X(DestroyQueryPool)                                                                              \
  X(DestroySemaphore)                                                                              \
  X(DestroyShaderModule)                                                                           \
  X(DeviceWaitIdle)                                                                                \
  X(EndCommandBuffer)                                                                              \
  X(FreeMemory)                                                                                    \
  X(GetBufferMemoryRequirements)                                                                   \
  X(GetDeviceQueue)                                                                                \
  X(GetFenceStatus)                                                                                \
  X(GetPipelineCacheData)                                                                          \
  X(GetQueryPoolResults)                                                                           \
  X(MapMemory)                                                                                     \
  X(QueueSubmit)                                                                                   \
  X(ResetCommandPool)                                                                              \
  X(ResetDescriptorPool)                                                                           \
  X(ResetFences)                                                                                   \
  X(UpdateDescriptorSets)                                                                          \
  X(WaitForFences)

/// Of Vulkan 1.2, and before that of VK_KHR_timeline_semaphore, with that suffix. Null without.
#define KHAL_VULKAN_TIMELINE_FUNCTIONS(X)                                                          \
  X(GetSemaphoreCounterValue)                                                                      \
  X(SignalSemaphore)                                                                               \
  X(WaitSemaphores)

/// Of VK_EXT_debug_utils; null when nobody looks.
#define KHAL_VULKAN_LABEL_FUNCTIONS(X)                                                             \
  X(CmdBeginDebugUtilsLabelEXT)                                                                    \
  X(CmdEndDebugUtilsLabelEXT)                                                                      \
  X(SetDebugUtilsObjectNameEXT)

/// "VK_ERROR_DEVICE_LOST"
std::string result_name(VkResult result);

/// Throws an Error for anything but success: `what` is "making a buffer".
void check(VkResult result, const char *what);

/// The loader and one VkInstance, with the validation layer when KHAL_VULKAN_VALIDATION asks for it
/// and it is installed. Thread-safe.
class Instance {
public:
  /// Null when there's no Vulkan to use; `missing` then says why.
  static std::shared_ptr<Instance> create(std::string &missing);
  /// One of the program's, which stays its own. `get_proc`: null for the loader's.
  /// \throws Error no_device when there is no loader.
  static std::shared_ptr<Instance> adopt(VkInstance handle, PFN_vkGetInstanceProcAddr get_proc);
  ~Instance();
  Instance(const Instance &) = delete;
  Instance &operator=(const Instance &) = delete;

  VkInstance handle() const noexcept { return handle_; }
  bool validated() const noexcept { return messenger_ != VK_NULL_HANDLE; }
  /// Whether VK_EXT_debug_utils is on, for labels that profilers and debuggers show.
  bool labels() const noexcept { return labels_; }

  /// Throws what the validation layer said since the last call, if anything.
  void throw_validation_messages();

#define KHAL_VULKAN_MEMBER(NAME) PFN_vk##NAME NAME = nullptr;
  KHAL_VULKAN_INSTANCE_FUNCTIONS(KHAL_VULKAN_MEMBER)
#undef KHAL_VULKAN_MEMBER

private:
  Instance() = default;
  bool load(std::string &missing);
  bool load_loader(std::string &missing);
  void load_functions();
  void watch();
  static VKAPI_ATTR VkBool32 VKAPI_CALL message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                void *self);
  VkDebugUtilsMessengerCreateInfoEXT messenger_info();

  PFN_vkGetInstanceProcAddr get_proc_ = nullptr;
  VkInstance handle_ = VK_NULL_HANDLE;
  bool owned_ = true;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  bool labels_ = false;
  std::mutex messages_mutex_;
  std::vector<std::string> messages_; ///< guarded by messages_mutex_
};

/// A VkDevice's functions.
struct DeviceFunctions {
#define KHAL_VULKAN_MEMBER(NAME) PFN_vk##NAME NAME = nullptr;
  KHAL_VULKAN_DEVICE_FUNCTIONS(KHAL_VULKAN_MEMBER)
  KHAL_VULKAN_TIMELINE_FUNCTIONS(KHAL_VULKAN_MEMBER)
  KHAL_VULKAN_LABEL_FUNCTIONS(KHAL_VULKAN_MEMBER)
#undef KHAL_VULKAN_MEMBER
  void load(const Instance &instance, VkDevice device);
};

} // namespace khal::detail::vulkan

#endif // KHAL_RUNTIME_VULKAN_API_H

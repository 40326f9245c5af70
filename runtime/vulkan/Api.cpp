//===- Api.cpp - Vulkan's functions, found at run time ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Api.h"

#include "core/Text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace khal::detail::vulkan {

namespace {

constexpr const char *validation_layer = "VK_LAYER_KHRONOS_validation";
constexpr std::uint32_t least_version = VK_API_VERSION_1_1;
/// The newest version whose rules the runtime was written by.
constexpr std::uint32_t known_version = VK_API_VERSION_1_3;

bool validation_wanted() {
  const char *value = std::getenv("KHAL_VULKAN_VALIDATION");
  return value && *value && std::strcmp(value, "0") != 0;
}

bool offers_labels(PFN_vkEnumerateInstanceExtensionProperties list) {
  std::uint32_t count = 0;
  list(nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  list(nullptr, &count, extensions.data());
  return std::any_of(extensions.begin(), extensions.end(), [](const VkExtensionProperties &one) {
    return std::strcmp(one.extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0;
  });
}

ErrorCode code_of(VkResult result) {
  switch (result) {
  case VK_ERROR_OUT_OF_HOST_MEMORY:
  case VK_ERROR_OUT_OF_DEVICE_MEMORY:
  case VK_ERROR_TOO_MANY_OBJECTS:
  case VK_ERROR_OUT_OF_POOL_MEMORY:
  case VK_ERROR_FRAGMENTED_POOL:
    return ErrorCode::out_of_memory;
  case VK_ERROR_DEVICE_LOST:
    return ErrorCode::device_lost;
  case VK_ERROR_FEATURE_NOT_PRESENT:
  case VK_ERROR_EXTENSION_NOT_PRESENT:
    return ErrorCode::unsupported;
  default:
    return ErrorCode::backend;
  }
}

const char *advice(ErrorCode code) {
  switch (code) {
  case ErrorCode::out_of_memory:
    return "; free buffers that are no longer needed, or process the data in parts";
  case ErrorCode::device_lost:
    return "; a kernel that reads or writes outside its buffers or runs too long for the system "
           "does this: look for it (the CPU device under a debugger helps), then start the program "
           "again";
  default:
    return "";
  }
}

} // namespace

std::string result_name(VkResult result) {
  switch (result) {
#define KHAL_CASE(NAME)                                                                            \
  case NAME:                                                                                       \
    return #NAME;
    KHAL_CASE(VK_NOT_READY)
    KHAL_CASE(VK_TIMEOUT)
    KHAL_CASE(VK_ERROR_OUT_OF_HOST_MEMORY)
    KHAL_CASE(VK_ERROR_OUT_OF_DEVICE_MEMORY)
    KHAL_CASE(VK_ERROR_INITIALIZATION_FAILED)
    KHAL_CASE(VK_ERROR_DEVICE_LOST)
    KHAL_CASE(VK_ERROR_MEMORY_MAP_FAILED)
    KHAL_CASE(VK_ERROR_LAYER_NOT_PRESENT)
    KHAL_CASE(VK_ERROR_EXTENSION_NOT_PRESENT)
    KHAL_CASE(VK_ERROR_FEATURE_NOT_PRESENT)
    KHAL_CASE(VK_ERROR_INCOMPATIBLE_DRIVER)
    KHAL_CASE(VK_ERROR_TOO_MANY_OBJECTS)
    KHAL_CASE(VK_ERROR_FRAGMENTED_POOL)
    KHAL_CASE(VK_ERROR_OUT_OF_POOL_MEMORY)
    KHAL_CASE(VK_ERROR_INVALID_SHADER_NV)
    KHAL_CASE(VK_ERROR_UNKNOWN)
#undef KHAL_CASE
  default:
    return text("VkResult ", static_cast<int>(result));
  }
}

void check(VkResult result, const char *what) {
  if (result == VK_SUCCESS)
    return;
  const ErrorCode code = code_of(result);
  throw Error(code, text("Vulkan: ", what, " failed with ", result_name(result), advice(code)),
              result);
}

std::shared_ptr<Instance> Instance::create(std::string &missing) {
  std::shared_ptr<Instance> instance(new Instance);
  if (!instance->load(missing))
    return nullptr;
  return instance;
}

bool Instance::load_loader(std::string &missing) {
  const Library library("libvulkan.so.1");
  if (!library) {
    missing = "libvulkan.so.1 not found: install the Vulkan loader (Debian: libvulkan1) and your "
              "GPU's driver (Debian: mesa-vulkan-drivers, or NVIDIA's)";
    return false;
  }
  get_proc_ =
      library.find<std::remove_pointer_t<PFN_vkGetInstanceProcAddr>>("vkGetInstanceProcAddr");
  if (!get_proc_) {
    missing = "libvulkan.so.1 has no vkGetInstanceProcAddr: install a working Vulkan loader "
              "(Debian: libvulkan1)";
    return false;
  }
  return true;
}

void Instance::load_functions() {
#define KHAL_LOAD(NAME) NAME = reinterpret_cast<PFN_vk##NAME>(get_proc_(handle_, "vk" #NAME));
  KHAL_VULKAN_INSTANCE_FUNCTIONS(KHAL_LOAD)
#undef KHAL_LOAD
}

std::shared_ptr<Instance> Instance::adopt(VkInstance handle, PFN_vkGetInstanceProcAddr get_proc) {
  std::shared_ptr<Instance> instance(new Instance);
  std::string missing;
  instance->get_proc_ = get_proc;
  if (!get_proc && !instance->load_loader(missing))
    throw Error(ErrorCode::no_device, missing);
  instance->handle_ = handle;
  instance->owned_ = false;
  instance->load_functions();
  return instance;
}

bool Instance::load(std::string &missing) {
  if (!load_loader(missing))
    return false;
  const auto global = [&](const char *name) { return get_proc_(VK_NULL_HANDLE, name); };
#define KHAL_LOAD(NAME) const auto NAME = reinterpret_cast<PFN_vk##NAME>(global("vk" #NAME));
  KHAL_VULKAN_GLOBAL_FUNCTIONS(KHAL_LOAD)
#undef KHAL_LOAD
  // A loader of Vulkan 1.0 doesn't have this one.
  const auto EnumerateInstanceVersion =
      reinterpret_cast<PFN_vkEnumerateInstanceVersion>(global("vkEnumerateInstanceVersion"));
  std::uint32_t version = VK_API_VERSION_1_0;
  if (EnumerateInstanceVersion)
    EnumerateInstanceVersion(&version);
  if (version < least_version) {
    missing = "the Vulkan loader is of version 1.0, and 1.1 is needed: install a newer one "
              "(Debian: libvulkan1)";
    return false;
  }

  const VkApplicationInfo application{
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .pNext = nullptr,
      .pApplicationName = nullptr,
      .applicationVersion = 0,
      .pEngineName = "khal",
      .engineVersion = 1,
      .apiVersion = std::min(version, known_version),
  };
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;

  bool validate = false;
  if (validation_wanted()) {
    std::uint32_t count = 0;
    EnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    EnumerateInstanceLayerProperties(&count, layers.data());
    for (const VkLayerProperties &layer : layers)
      validate = validate || std::strcmp(layer.layerName, validation_layer) == 0;
    if (!validate)
      std::fprintf(stderr,
                   "khal: KHAL_VULKAN_VALIDATION is set, but %s isn't installed (Debian: "
                   "vulkan-validationlayers): Vulkan runs unwatched\n",
                   validation_layer);
  }
  std::vector<const char *> extensions;
  if (validate || offers_labels(EnumerateInstanceExtensionProperties)) {
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    labels_ = true;
  }
  const VkValidationFeatureEnableEXT checks[] = {
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info();
  VkValidationFeaturesEXT features{};
  features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  features.pNext = &messenger; // also watches vkCreateInstance and vkDestroyInstance
  features.enabledValidationFeatureCount = std::size(checks);
  features.pEnabledValidationFeatures = checks;
  if (validate) {
    info.pNext = &features;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &validation_layer;
    extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
  }
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const VkResult result = CreateInstance(&info, nullptr, &handle_);
  if (result != VK_SUCCESS) {
    handle_ = VK_NULL_HANDLE;
    missing = text("the Vulkan loader finds no driver that works (", result_name(result),
                   "): install your GPU's (Debian: mesa-vulkan-drivers, or NVIDIA's)");
    return false;
  }
  load_functions();
  if (validate)
    watch();
  return true;
}

Instance::~Instance() {
  if (messenger_ != VK_NULL_HANDLE)
    reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        get_proc_(handle_, "vkDestroyDebugUtilsMessengerEXT"))(handle_, messenger_, nullptr);
  if (handle_ != VK_NULL_HANDLE && owned_)
    DestroyInstance(handle_, nullptr);
  // Nobody is left to throw to: what the layer said while all was destroyed must not be lost.
  for (const std::string &message : messages_)
    std::fprintf(stderr, "khal: the Vulkan validation layer says: %s\n", message.c_str());
}

VkDebugUtilsMessengerCreateInfoEXT Instance::messenger_info() {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = message;
  info.pUserData = this;
  return info;
}

void Instance::watch() {
  const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info();
  const auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
      get_proc_(handle_, "vkCreateDebugUtilsMessengerEXT"));
  check(create(handle_, &info, nullptr, &messenger_), "asking for validation messages");
}

VKAPI_ATTR VkBool32 VKAPI_CALL Instance::message(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                 VkDebugUtilsMessageTypeFlagsEXT,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data,
                                                 void *self) {
  auto *instance = static_cast<Instance *>(self);
  const std::lock_guard lock(instance->messages_mutex_);
  instance->messages_.emplace_back(data->pMessage);
  return VK_FALSE;
}

void Instance::throw_validation_messages() {
  if (!validated())
    return;
  std::vector<std::string> messages;
  {
    const std::lock_guard lock(messages_mutex_);
    messages.swap(messages_);
  }
  if (!messages.empty())
    throw Error(ErrorCode::validation,
                text("the Vulkan validation layer says: ", join(messages, "\n")));
}

void DeviceFunctions::load(const Instance &instance, VkDevice device) {
#define KHAL_LOAD(NAME)                                                                            \
  NAME = reinterpret_cast<PFN_vk##NAME>(instance.GetDeviceProcAddr(device, "vk" #NAME));
  KHAL_VULKAN_DEVICE_FUNCTIONS(KHAL_LOAD)
  KHAL_VULKAN_TIMELINE_FUNCTIONS(KHAL_LOAD)
  if (instance.labels()) {
    KHAL_VULKAN_LABEL_FUNCTIONS(KHAL_LOAD)
  }
#undef KHAL_LOAD
#define KHAL_LOAD(NAME)                                                                            \
  if (!NAME)                                                                                       \
    NAME = reinterpret_cast<PFN_vk##NAME>(instance.GetDeviceProcAddr(device, "vk" #NAME "KHR"));
  KHAL_VULKAN_TIMELINE_FUNCTIONS(KHAL_LOAD)
#undef KHAL_LOAD
}

} // namespace khal::detail::vulkan

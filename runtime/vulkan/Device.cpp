//===- Device.cpp - a Vulkan device -----------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Device.h"

#include "core/DiskCache.h"
#include "core/Text.h"
#include "vulkan/Graph.h"
#include "vulkan/Memory.h"
#include "vulkan/Stream.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace khal::detail::vulkan {

namespace {

constexpr std::uint32_t max_queues = 8;
constexpr std::uint32_t known_version = VK_API_VERSION_1_3;

/// For tests of the transfers of discrete GPUs on other devices.
bool staging_forced() {
  const char *value = std::getenv("KHAL_VULKAN_STAGING");
  return value && std::strcmp(value, "1") == 0;
}

std::string version_text(std::uint32_t version) {
  return text(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version), ".",
              VK_API_VERSION_PATCH(version));
}

/// The first queue family that can compute, or the program's; every one that can also copies.
bool find_queues(const Instance &instance, Physical &physical,
                 const std::optional<Foreign> &foreign) {
  std::uint32_t count = 0;
  instance.GetPhysicalDeviceQueueFamilyProperties(physical.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  instance.GetPhysicalDeviceQueueFamilyProperties(physical.handle, &count, families.data());
  for (std::uint32_t i = 0; i < count; ++i)
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) && families[i].queueCount > 0 &&
        (!foreign || physical.queue_family == i)) {
      physical.queue_family = i;
      physical.queue_count = std::min(families[i].queueCount, max_queues);
      physical.timestamp_bits = families[i].timestampValidBits;
      return true;
    }
  return false;
}

std::uint64_t largest_device_heap(const VkPhysicalDeviceMemoryProperties &memory) {
  std::uint64_t largest = 0;
  for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i)
    if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT)
      largest = std::max<std::uint64_t>(largest, memory.memoryHeaps[i].size);
  return largest;
}

/// Subgroup operations as khal's kernels use them.
bool has_subgroups(const VkPhysicalDeviceSubgroupProperties &subgroups) {
  constexpr VkSubgroupFeatureFlags needed =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
      VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
      VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
  return (subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
         (subgroups.supportedOperations & needed) == needed;
}

/// What the device's driver calls itself; drivers before Vulkan 1.2 may not tell.
std::string driver_text(const VkPhysicalDeviceDriverProperties &driver,
                        const VkPhysicalDeviceProperties &properties) {
  std::string name;
  if (*driver.driverName)
    name = text(driver.driverName, *driver.driverInfo ? " " : "", driver.driverInfo, ", ");
  return name + "Vulkan " + version_text(properties.apiVersion);
}

/// What a pipeline cache depends on, by the rules of its header and of caution.
std::string identity_of(const VkPhysicalDeviceProperties &properties) {
  return CacheKey("vulkan")
      .add(properties.vendorID)
      .add(properties.deviceID)
      .add(properties.driverVersion)
      .add(properties.apiVersion)
      .add(std::as_bytes(std::span(properties.pipelineCacheUUID)))
      .bytes();
}

Preference preference_of(VkPhysicalDeviceType type) {
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return Preference::discrete_gpu;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return Preference::integrated_gpu;
  default:
    return Preference::software_gpu;
  }
}

} // namespace

std::shared_ptr<VulkanDevice> examine(const std::shared_ptr<Instance> &instance, Physical physical,
                                      std::string id, std::optional<Foreign> foreign,
                                      const VkDeviceCreateInfo *made_with) {
  const VkPhysicalDevice handle = physical.handle;
  VkPhysicalDeviceProperties basic{};
  instance->GetPhysicalDeviceProperties(handle, &basic);
  physical.version = std::min(
      {basic.apiVersion, known_version, physical.version == 0 ? known_version : physical.version});
  if (physical.version < VK_API_VERSION_1_1 || !find_queues(*instance, physical, foreign))
    return nullptr;

  VkPhysicalDeviceDriverProperties driver{};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  VkPhysicalDeviceMaintenance3Properties allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
  VkPhysicalDeviceSubgroupProperties subgroups{};
  subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &subgroups;
  subgroups.pNext = &allocation;
  if (physical.version >= VK_API_VERSION_1_2)
    allocation.pNext = &driver;
  instance->GetPhysicalDeviceProperties2(handle, &properties);
  physical.limits = properties.properties.limits;
  physical.identity = identity_of(properties.properties);
  instance->GetPhysicalDeviceMemoryProperties(handle, &physical.memory);
  physical.features = std::make_unique<Features>(*instance, handle, physical.version);
  if (made_with)
    physical.features->keep_only_enabled(*made_with, physical.version);

  const VkPhysicalDeviceLimits &limits = physical.limits;
  const VkPhysicalDeviceType type = properties.properties.deviceType;
  DeviceInfo info;
  info.id = std::move(id);
  info.backend = Backend::vulkan;
  info.name = properties.properties.deviceName;
  info.driver = driver_text(driver, properties.properties);
  info.memory_bytes = largest_device_heap(physical.memory);
  info.shares_host_memory =
      (type == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU || type == VK_PHYSICAL_DEVICE_TYPE_CPU) &&
      !staging_forced();
  info.features = physical.features->bits();
  if (has_subgroups(subgroups)) {
    info.features |= abi::feature_subgroups;
    info.subgroup_size = subgroups.subgroupSize;
  }
  for (unsigned d = 0; d < 3; ++d) {
    info.limits.max_group_size[d] = limits.maxComputeWorkGroupSize[d];
    info.limits.max_groups[d] = limits.maxComputeWorkGroupCount[d];
  }
  info.limits.max_group_items = limits.maxComputeWorkGroupInvocations;
  info.limits.max_shared_bytes = limits.maxComputeSharedMemorySize;
  info.limits.max_buffer_bytes =
      std::min<std::uint64_t>(limits.maxStorageBufferRange, allocation.maxMemoryAllocationSize);
  info.validated = instance->validated();
  return std::make_shared<VulkanDevice>(std::move(info), preference_of(type), instance,
                                        std::move(physical), std::move(foreign));
}

VulkanDevice::VulkanDevice(DeviceInfo info, Preference preference,
                           std::shared_ptr<Instance> instance, Physical physical,
                           std::optional<Foreign> foreign)
    : DeviceImpl(std::move(info), preference), instance_(std::move(instance)),
      physical_(std::move(physical)), foreign_(std::move(foreign)) {}

VulkanDevice::~VulkanDevice() {
  destroy();
}

void VulkanDevice::destroy() {
  if (handle_ == VK_NULL_HANDLE)
    return;
  if (!foreign_) // a program's queues aren't ours to wait for; each stream has waited for its work
    fn_.DeviceWaitIdle(handle_);
  kernels_.reset();
  empty_.reset();
  heaps_.clear();
  if (!foreign_)
    fn_.DestroyDevice(handle_, nullptr);
  handle_ = VK_NULL_HANDLE;
  queues_.clear();
}

void VulkanDevice::make() {
  const std::vector<float> priorities(physical_.queue_count, 1.0f);
  VkDeviceQueueCreateInfo queues{};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueFamilyIndex = physical_.queue_family;
  queues.queueCount = physical_.queue_count;
  queues.pQueuePriorities = priorities.data();
  const std::vector<const char *> &extensions = physical_.features->extensions();
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = physical_.features->chain();
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  check(instance_->CreateDevice(physical_.handle, &info, nullptr, &handle_), "opening a device");
}

void VulkanDevice::add_queue(VkQueue handle) {
  queues_.push_back(std::make_unique<Queue>());
  queues_.back()->handle = handle;
}

void VulkanDevice::open() {
  if (foreign_)
    handle_ = foreign_->device;
  else
    make();
  fn_.load(*instance_, handle_);
  try {
    for (std::uint32_t i = 0; !foreign_ && i < physical_.queue_count; ++i) {
      VkQueue queue = VK_NULL_HANDLE;
      fn_.GetDeviceQueue(handle_, physical_.queue_family, i, &queue);
      add_queue(queue);
    }
    if (foreign_)
      for (const VkQueue queue : foreign_->queues) {
        add_queue(queue);
        queues_.back()->foreign_lock = foreign_->lock;
        queues_.back()->foreign_unlock = foreign_->unlock;
      }
    kernels_ = std::make_unique<KernelCache<Kernel>>();
    empty_ = std::make_unique<DeviceBuffer>(*this, 1, DeviceBuffer::Kind::device);
    instance_->throw_validation_messages();
  } catch (...) {
    destroy();
    throw;
  }
}

std::uint32_t VulkanDevice::memory_type(std::uint32_t type_bits, DeviceBuffer::Kind kind) const {
  constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  constexpr VkMemoryPropertyFlags coherent =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  // Anything beyond these (protected, lazily allocated, device-coherent) isn't ordinary memory.
  constexpr VkMemoryPropertyFlags ordinary =
      local | coherent | cached | VK_MEMORY_PROPERTY_RDMA_CAPABLE_BIT_NV;
  const auto find = [&](VkMemoryPropertyFlags with,
                        VkMemoryPropertyFlags without) -> std::optional<std::uint32_t> {
    for (std::uint32_t i = 0; i < physical_.memory.memoryTypeCount; ++i) {
      const VkMemoryPropertyFlags flags = physical_.memory.memoryTypes[i].propertyFlags;
      if ((type_bits >> i & 1) && (flags & with) == with && !(flags & without) &&
          !(flags & ~ordinary))
        return i;
    }
    return std::nullopt;
  };
  // Best first. Reading uncached memory is slow on the host, so cached comes before local.
  std::vector<std::pair<VkMemoryPropertyFlags, VkMemoryPropertyFlags>> wishes;
  if (kind != DeviceBuffer::Kind::device)
    wishes = {{coherent | cached, 0}, {coherent, 0}};
  else if (info().shares_host_memory)
    wishes = {{local | coherent | cached, 0}, {coherent | cached, 0}, {coherent, 0}, {0, 0}};
  else
    wishes = {{local, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {local, 0}, {0, 0}};
  for (const auto &[with, without] : wishes)
    if (const auto type = find(with, without))
      return *type;
  throw Error(ErrorCode::unsupported,
              text(info().id, " (", info().name, ") offers no memory that khal can use"));
}

Heap &VulkanDevice::heap(std::uint32_t type_bits, DeviceBuffer::Kind kind) {
  const std::uint32_t type = memory_type(type_bits, kind);
  const VkMemoryType &properties = physical_.memory.memoryTypes[type];
  constexpr VkMemoryPropertyFlags coherent =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const std::lock_guard lock(heaps_mutex_);
  std::unique_ptr<Heap> &heap = heaps_[type];
  if (!heap)
    heap = std::make_unique<Heap>(*this, type, (properties.propertyFlags & coherent) == coherent,
                                  physical_.memory.memoryHeaps[properties.heapIndex].size);
  return *heap;
}

Queue &VulkanDevice::next_queue() {
  return *queues_[next_queue_.fetch_add(1, std::memory_order_relaxed) % queues_.size()];
}

Kernel &VulkanDevice::kernel(const abi::Kernel &kernel) {
  return kernels_->get(kernel, [&] { return std::make_unique<Kernel>(*this, kernel); });
}

std::shared_ptr<Memory> VulkanDevice::make_memory(std::uint64_t bytes, Place place) {
  auto memory = std::make_shared<VulkanMemory>(
      std::static_pointer_cast<VulkanDevice>(shared_from_this()), bytes, place);
  instance_->throw_validation_messages();
  return memory;
}

std::shared_ptr<StreamImpl> VulkanDevice::make_stream() {
  return std::make_shared<VulkanStream>(std::static_pointer_cast<VulkanDevice>(shared_from_this()));
}

std::unique_ptr<GraphImpl> VulkanDevice::make_graph() {
  return std::make_unique<VulkanGraph>(std::static_pointer_cast<VulkanDevice>(shared_from_this()));
}

void VulkanDevice::build(const abi::Kernel &kernel) {
  Kernel &made = this->kernel(kernel);
  // The lengths of shared spans are a launch's to say.
  if (kernel.shared_span_count == 0)
    made.pipeline(/*offsets=*/false, /*shared_counts=*/{});
}

void VulkanDevice::add_reserved(MemoryStatistics &statistics) {
  const std::lock_guard lock(heaps_mutex_);
  for (const auto &[type, heap] : heaps_) {
    const Suballocator::Statistics one = heap->statistics();
    statistics.reserved_bytes += one.reserved_bytes;
    statistics.free_bytes += one.free_bytes;
    statistics.largest_free_bytes = std::max(statistics.largest_free_bytes, one.largest_free_bytes);
  }
}

void VulkanDevice::trim_reserved() noexcept {
  const std::lock_guard lock(heaps_mutex_);
  for (const auto &[type, heap] : heaps_)
    heap->trim();
}

ProbeResult probe() {
  ProbeResult result;
  const std::shared_ptr<Instance> instance = Instance::create(result.missing);
  if (!instance)
    return result;
  std::uint32_t count = 0;
  VkResult listed = instance->EnumeratePhysicalDevices(instance->handle(), &count, nullptr);
  std::vector<VkPhysicalDevice> handles(count);
  if (listed == VK_SUCCESS && count > 0)
    listed = instance->EnumeratePhysicalDevices(instance->handle(), &count, handles.data());
  if (listed != VK_SUCCESS || count == 0) {
    result.missing = text("the Vulkan loader finds no device",
                          listed == VK_SUCCESS ? "" : " (" + result_name(listed) + ")",
                          ": install your GPU's driver (Debian: mesa-vulkan-drivers, or NVIDIA's)");
    return result;
  }
  for (const VkPhysicalDevice handle : handles) {
    Physical physical;
    physical.handle = handle;
    if (auto device =
            examine(instance, std::move(physical), text("vulkan:", result.devices.size())))
      result.devices.push_back(std::move(device));
  }
  if (result.devices.empty())
    result.missing = "no device offers Vulkan 1.1 with a compute queue: install a newer driver";
  return result;
}

} // namespace khal::detail::vulkan

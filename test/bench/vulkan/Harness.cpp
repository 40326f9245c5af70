//===- Harness.cpp - timed dispatches of SPIR-V modules ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "Harness.h"

#include <cstring>
#include <stdexcept>

namespace bench {

namespace {

void check(VkResult result, const char *what) {
  if (result != VK_SUCCESS)
    throw std::runtime_error(std::string(what) + " failed with VkResult " +
                             std::to_string(static_cast<int>(result)));
}

std::uint32_t computeFamily(VkPhysicalDevice device) {
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  for (std::uint32_t i = 0; i < count; ++i)
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) && families[i].timestampValidBits > 0)
      return i;
  throw std::runtime_error("the device has no compute queue with timestamps");
}

/// All features that the device has: what a module needs beyond them fails when it's made.
struct Features {
  VkPhysicalDeviceFeatures2 all{};
  VkPhysicalDevice16BitStorageFeatures storage16{};
  VkPhysicalDevice8BitStorageFeatures storage8{};
  VkPhysicalDeviceShaderFloat16Int8Features int8{};
  VkPhysicalDeviceVulkanMemoryModelFeatures memoryModel{};

  explicit Features(VkPhysicalDevice device) {
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    storage16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
    storage8.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES;
    int8.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES;
    memoryModel.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES;
    all.pNext = &storage16;
    storage16.pNext = &storage8;
    storage8.pNext = &int8;
    int8.pNext = &memoryModel;
    vkGetPhysicalDeviceFeatures2(device, &all);
    all.features.robustBufferAccess = VK_FALSE; // neither side pays for bounds
  }
};

} // namespace

Harness::Harness(const std::string &wanted) {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo instanceInfo{};
  instanceInfo.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  instanceInfo.pApplicationInfo = &application;
  check(vkCreateInstance(&instanceInfo, nullptr, &instance), "vkCreateInstance");

  std::uint32_t count = 0;
  check(vkEnumeratePhysicalDevices(instance, &count, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> devices(count);
  check(vkEnumeratePhysicalDevices(instance, &count, devices.data()), "vkEnumeratePhysicalDevices");
  VkPhysicalDeviceProperties properties{};
  for (VkPhysicalDevice candidate : devices) {
    vkGetPhysicalDeviceProperties(candidate, &properties);
    if (std::string(properties.deviceName).find(wanted) == std::string::npos)
      continue;
    physical = candidate;
    break;
  }
  if (!physical)
    throw std::runtime_error("no Vulkan device with '" + wanted + "' in its name");
  name = properties.deviceName;
  nanosecondsPerTick = properties.limits.timestampPeriod;
  cpu = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;

  const std::uint32_t family = computeFamily(physical);
  const float priority = 1;
  VkDeviceQueueCreateInfo queueInfo{};
  queueInfo.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queueInfo.queueFamilyIndex = family;
  queueInfo.queueCount = 1;
  queueInfo.pQueuePriorities = &priority;
  Features features(physical);
  VkDeviceCreateInfo deviceInfo{};
  deviceInfo.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  deviceInfo.pNext = &features.all;
  deviceInfo.queueCreateInfoCount = 1;
  deviceInfo.pQueueCreateInfos = &queueInfo;
  check(vkCreateDevice(physical, &deviceInfo, nullptr, &device), "vkCreateDevice");
  vkGetDeviceQueue(device, family, 0, &queue);

  VkCommandPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  poolInfo.queueFamilyIndex = family;
  check(vkCreateCommandPool(device, &poolInfo, nullptr, &commands), "vkCreateCommandPool");
  VkQueryPoolCreateInfo queryInfo{};
  queryInfo.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  queryInfo.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queryInfo.queryCount = 2;
  check(vkCreateQueryPool(device, &queryInfo, nullptr, &stamps), "vkCreateQueryPool");
}

Harness::~Harness() {
  if (device) {
    vkDestroyQueryPool(device, stamps, nullptr);
    vkDestroyCommandPool(device, commands, nullptr);
    vkDestroyDevice(device, nullptr);
  }
  vkDestroyInstance(instance, nullptr);
}

Harness::Buffer::~Buffer() {
  vkDestroyBuffer(device, handle, nullptr);
  vkFreeMemory(device, memory, nullptr);
}

Harness::Program::~Program() {
  vkDestroyPipeline(device, pipeline, nullptr);
  vkDestroyPipelineLayout(device, layout, nullptr);
  vkDestroyDescriptorPool(device, pool, nullptr);
  vkDestroyDescriptorSetLayout(device, setLayout, nullptr);
  vkDestroyShaderModule(device, module, nullptr);
}

std::uint32_t Harness::memoryType(std::uint32_t bits, VkMemoryPropertyFlags flags) const {
  VkPhysicalDeviceMemoryProperties properties{};
  vkGetPhysicalDeviceMemoryProperties(physical, &properties);
  for (std::uint32_t i = 0; i < properties.memoryTypeCount; ++i)
    if ((bits & (1u << i)) && (properties.memoryTypes[i].propertyFlags & flags) == flags)
      return i;
  throw std::runtime_error("the device has no memory of the kind that is needed");
}

void Harness::makeBuffer(Buffer &made, std::uint64_t bytes, VkBufferUsageFlags usage,
                         VkMemoryPropertyFlags flags) {
  made.device = device;
  made.size = bytes;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = usage | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(vkCreateBuffer(device, &info, nullptr, &made.handle), "vkCreateBuffer");
  VkMemoryRequirements needs{};
  vkGetBufferMemoryRequirements(device, made.handle, &needs);
  VkMemoryAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needs.size;
  allocation.memoryTypeIndex = memoryType(needs.memoryTypeBits, flags);
  check(vkAllocateMemory(device, &allocation, nullptr, &made.memory), "vkAllocateMemory");
  check(vkBindBufferMemory(device, made.handle, made.memory, 0), "vkBindBufferMemory");
}

std::unique_ptr<Harness::Buffer> Harness::buffer(std::uint64_t bytes) {
  auto made = std::make_unique<Buffer>();
  makeBuffer(*made, bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  return made;
}

template <class Record> void Harness::submit(Record record) {
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = commands;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(device, &info, &buffer), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(buffer, &begin), "vkBeginCommandBuffer");
  record(buffer);
  check(vkEndCommandBuffer(buffer), "vkEndCommandBuffer");
  VkSubmitInfo submission{};
  submission.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submission.commandBufferCount = 1;
  submission.pCommandBuffers = &buffer;
  check(vkQueueSubmit(queue, 1, &submission, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
  vkFreeCommandBuffers(device, commands, 1, &buffer);
}

void Harness::upload(const Buffer &to, const void *data) {
  Buffer staging;
  makeBuffer(staging, to.size, 0,
             VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  void *mapped = nullptr;
  check(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  std::memcpy(mapped, data, to.size);
  vkUnmapMemory(device, staging.memory);
  const VkBufferCopy whole{0, 0, to.size};
  submit([&](VkCommandBuffer buffer) {
    vkCmdCopyBuffer(buffer, staging.handle, to.handle, 1, &whole);
  });
}

std::vector<std::uint8_t> Harness::download(const Buffer &from) {
  Buffer staging;
  makeBuffer(staging, from.size, 0,
             VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  const VkBufferCopy whole{0, 0, from.size};
  submit([&](VkCommandBuffer buffer) {
    vkCmdCopyBuffer(buffer, from.handle, staging.handle, 1, &whole);
  });
  void *mapped = nullptr;
  check(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
  std::vector<std::uint8_t> bytes(from.size);
  std::memcpy(bytes.data(), mapped, from.size);
  vkUnmapMemory(device, staging.memory);
  return bytes;
}

std::unique_ptr<Harness::Program> Harness::program(const std::vector<std::uint32_t> &spirv,
                                                   const char *entry,
                                                   const std::vector<const Buffer *> &buffers,
                                                   std::size_t pushWords) {
  auto made = std::make_unique<Program>();
  made->device = device;
  VkShaderModuleCreateInfo moduleInfo{};
  moduleInfo.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  moduleInfo.codeSize = spirv.size() * sizeof(std::uint32_t);
  moduleInfo.pCode = spirv.data();
  check(vkCreateShaderModule(device, &moduleInfo, nullptr, &made->module), "vkCreateShaderModule");

  const auto count = static_cast<std::uint32_t>(buffers.size());
  std::vector<VkDescriptorSetLayoutBinding> bindings(count);
  for (std::uint32_t i = 0; i < count; ++i)
    bindings[i] = {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo setInfo{};
  setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  setInfo.bindingCount = count;
  setInfo.pBindings = bindings.data();
  check(vkCreateDescriptorSetLayout(device, &setInfo, nullptr, &made->setLayout),
        "vkCreateDescriptorSetLayout");
  const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                 static_cast<std::uint32_t>(4 * pushWords)};
  VkPipelineLayoutCreateInfo layoutInfo{};
  layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layoutInfo.setLayoutCount = 1;
  layoutInfo.pSetLayouts = &made->setLayout;
  layoutInfo.pushConstantRangeCount = pushWords > 0 ? 1 : 0;
  layoutInfo.pPushConstantRanges = &push;
  check(vkCreatePipelineLayout(device, &layoutInfo, nullptr, &made->layout),
        "vkCreatePipelineLayout");
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = made->module;
  info.stage.pName = entry;
  info.layout = made->layout;
  check(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made->pipeline),
        "vkCreateComputePipelines");

  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count};
  VkDescriptorPoolCreateInfo poolInfo{};
  poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  poolInfo.maxSets = 1;
  poolInfo.poolSizeCount = 1;
  poolInfo.pPoolSizes = &size;
  check(vkCreateDescriptorPool(device, &poolInfo, nullptr, &made->pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo setAllocation{};
  setAllocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  setAllocation.descriptorPool = made->pool;
  setAllocation.descriptorSetCount = 1;
  setAllocation.pSetLayouts = &made->setLayout;
  check(vkAllocateDescriptorSets(device, &setAllocation, &made->set), "vkAllocateDescriptorSets");
  for (std::uint32_t i = 0; i < count; ++i) {
    const VkDescriptorBufferInfo bound{buffers[i]->handle, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = made->set;
    write.dstBinding = i;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &bound;
    vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
  }
  return made;
}

double Harness::time(const Program &program, const Words &push, Grid groups, unsigned repeats) {
  VkMemoryBarrier after{};
  after.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  after.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  after.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  submit([&](VkCommandBuffer buffer) {
    vkCmdResetQueryPool(buffer, stamps, 0, 2);
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipeline);
    vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, program.layout, 0, 1,
                            &program.set, 0, nullptr);
    if (!push.empty())
      vkCmdPushConstants(buffer, program.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         static_cast<std::uint32_t>(4 * push.size()), push.data());
    vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps, 0);
    for (unsigned i = 0; i < repeats; ++i) {
      vkCmdDispatch(buffer, groups[0], groups[1], groups[2]);
      vkCmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &after, 0, nullptr, 0,
                           nullptr);
    }
    vkCmdWriteTimestamp(buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps, 1);
  });
  std::uint64_t ticks[2] = {};
  check(vkGetQueryPoolResults(device, stamps, 0, 2, sizeof ticks, ticks, sizeof ticks[0],
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
  return static_cast<double>(ticks[1] - ticks[0]) * nanosecondsPerTick * 1e-9 / repeats;
}

} // namespace bench

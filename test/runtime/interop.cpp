//===- interop.cpp - tests of handles out and in ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other program's Vulkan is made by hand, on the first device that there is; the other program's
// CUDA likewise.
//
//===------------------------------------------------------------------------------------------===//
#include "fixture.h"

#include "cuda/Device.h"
#include "vulkan/Device.h"

#include <khal/interop/cuda_handles.hpp>
#include <khal/interop/vulkan.hpp>

#include <cstring>
#include <thread>

namespace test {
namespace {

using khal::Buffer;
using khal::ErrorCode;
using khal::Stream;
namespace interop = khal::interop;
namespace cuda = khal::detail::cuda;
namespace vulkan = khal::detail::vulkan;

/// A program's own Vulkan: an instance, a device with one queue, and a buffer in host memory.
class OwnVulkan {
public:
  explicit OwnVulkan(bool with_timelines = true) {
    std::string missing;
    instance = vulkan::Instance::create(missing);
    std::uint32_t count = 1;
    if (!instance ||
        instance->EnumeratePhysicalDevices(instance->handle(), &count, &physical) < 0 || count == 0)
      return;
    queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queues.queueCount = 1;
    queues.pQueuePriorities = &priority;
    timelines.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
    timelines.timelineSemaphore = with_timelines;
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &timelines;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queues;
    vulkan::check(instance->CreateDevice(physical, &info, nullptr, &device), "making a device");
    fn.load(*instance, device);
    fn.GetDeviceQueue(device, 0, 0, &queue);
  }
  ~OwnVulkan() {
    if (!device)
      return;
    fn.DeviceWaitIdle(device);
    fn.DestroyBuffer(device, buffer, nullptr);
    fn.FreeMemory(device, memory, nullptr);
    fn.DestroyDevice(device, nullptr);
    EXPECT_NO_THROW(instance->throw_validation_messages());
  }

  bool there() const { return device != VK_NULL_HANDLE; }

  void make_buffer(VkDeviceSize bytes) {
    VkBufferCreateInfo wanted{};
    wanted.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    wanted.size = bytes;
    wanted.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                   VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    vulkan::check(fn.CreateBuffer(device, &wanted, nullptr, &buffer), "making a buffer");
    VkMemoryRequirements needs{};
    fn.GetBufferMemoryRequirements(device, buffer, &needs);
    VkPhysicalDeviceMemoryProperties types{};
    instance->GetPhysicalDeviceMemoryProperties(physical, &types);
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.allocationSize = needs.size;
    constexpr VkMemoryPropertyFlags wish =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    while (!(needs.memoryTypeBits >> allocate.memoryTypeIndex & 1) ||
           (types.memoryTypes[allocate.memoryTypeIndex].propertyFlags & wish) != wish)
      ++allocate.memoryTypeIndex;
    vulkan::check(fn.AllocateMemory(device, &allocate, nullptr, &memory), "getting memory");
    vulkan::check(fn.BindBufferMemory(device, buffer, memory, 0), "binding memory");
    void *address = nullptr;
    vulkan::check(fn.MapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &address), "mapping memory");
    words = static_cast<u32 *>(address);
  }

  interop::VulkanImport import() const {
    interop::VulkanImport result;
    result.instance = instance->handle();
    result.physical_device = physical;
    result.device = device;
    result.created_with = &info;
    result.api_version = VK_API_VERSION_1_3;
    result.queues = {queue};
    return result;
  }

  std::shared_ptr<vulkan::Instance> instance;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  vulkan::DeviceFunctions fn;
  VkQueue queue = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  u32 *words = nullptr;

private:
  const float priority = 1;
  VkDeviceQueueCreateInfo queues{};
  VkPhysicalDeviceTimelineSemaphoreFeatures timelines{};
  VkDeviceCreateInfo info{};
};

#define KHAL_NEEDS_VULKAN(OWN)                                                                     \
  if (!(OWN).there())                                                                              \
  GTEST_SKIP() << "no Vulkan device here"

TEST(VulkanIn, KernelsRunOnAProgramsDeviceAndBuffer) {
  OwnVulkan own;
  KHAL_NEEDS_VULKAN(own);
  own.make_buffer(4096);
  unsigned locked = 0, unlocked = 0;
  auto kept = std::make_shared<int>();
  {
    interop::VulkanImport import = own.import();
    import.lock = [&] { ++locked; };
    import.unlock = [&] { ++unlocked; };
    const interop::ImportedDevice imported(import);
    const khal::Device &device = imported.device();
    EXPECT_EQ(device.info().backend, khal::Backend::vulkan);
    Stream stream(device);
    Buffer<u32> x = interop::import_buffer<u32>(device, own.buffer, 1024, kept);
    EXPECT_EQ(kept.use_count(), 2);
    std::iota(own.words, own.words + 1024, 0u);
    step(stream, khal::threads(1000), x.slice(0, 1000), 7);
    stream.wait();
    for (u32 i = 0; i < 1000; ++i)
      ASSERT_EQ(own.words[i], i * 3 + 7);
    EXPECT_EQ(own.words[1000], 1000u);
    // Slices, transfers, khal's own buffers and graphs beside it.
    x.slice(1, 3).upload(counted<u32>(3, 50));
    EXPECT_EQ(own.words[3], 52u);
    Buffer<u32> copy = device.zeros<u32>(1024);
    copy.copy_from(stream, x);
    EXPECT_EQ(copy.download(), x.download());
    khal::Graph graph(device, [&](Stream &recorded) {
      step(recorded, khal::threads(1), x.slice(5), 1);
      step(recorded, khal::threads(1), x.slice(5), 1);
    });
    const u32 before = own.words[5];
    graph.replay(stream);
    stream.wait();
    EXPECT_EQ(own.words[5], (before * 3 + 1) * 3 + 1);
  }
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_GT(locked, 0u);
  EXPECT_EQ(locked, unlocked);
  // khal has gone: the device is whole and the program's.
  EXPECT_EQ(own.fn.DeviceWaitIdle(own.device), VK_SUCCESS);
}

TEST(VulkanIn, OnlyWhatTheProgramEnabledIsThere) {
  OwnVulkan own;
  KHAL_NEEDS_VULKAN(own);
  const interop::ImportedDevice imported(own.import());
  constexpr std::uint64_t not_asked_for = khal::abi::feature_float64 | khal::abi::feature_int64 |
                                          khal::abi::feature_int8 | khal::abi::feature_storage8 |
                                          khal::abi::feature_int16 | khal::abi::feature_float16;
  EXPECT_EQ(imported.device().info().features & not_asked_for, 0u);
  Stream stream(imported.device());
  Buffer<std::uint8_t> x = imported.device().zeros<std::uint8_t>(4);
  expect_error(ErrorCode::unsupported, {"bytes", "lacks int8"},
               [&] { bytes(stream, khal::threads(4), x); });
}

TEST(VulkanIn, WorksWithoutTimelineSemaphores) {
  OwnVulkan own(/*with_timelines=*/false);
  KHAL_NEEDS_VULKAN(own);
  own.make_buffer(64);
  const interop::ImportedDevice imported(own.import());
  Stream stream(imported.device());
  Buffer<u32> x = interop::import_buffer<u32>(imported.device(), own.buffer, 16);
  own.words[15] = 4;
  step(stream, khal::threads(16), x, 1);
  const khal::Event event = stream.record();
  event.wait();
  EXPECT_EQ(own.words[15], 13u);
  EXPECT_EQ(interop::vulkan_point(event).semaphore, VkSemaphore{VK_NULL_HANDLE});
}

TEST(VulkanIn, WhatIsMissingIsSaid) {
  OwnVulkan own;
  KHAL_NEEDS_VULKAN(own);
  interop::VulkanImport import = own.import();
  import.queues.clear();
  expect_error(ErrorCode::bad_argument, {"VkDevice", "queue"},
               [&] { const interop::ImportedDevice imported(import); });
  import = own.import();
  import.api_version = VK_API_VERSION_1_0;
  expect_error(ErrorCode::unsupported, {"Vulkan 1.1"},
               [&] { const interop::ImportedDevice imported(import); });
  const interop::ImportedDevice imported(own.import());
  expect_error(ErrorCode::bad_argument, {"VkBuffer"},
               [&] { interop::import_buffer<u32>(imported.device(), VK_NULL_HANDLE, 4); });
  own.make_buffer(64);
  expect_error(ErrorCode::bad_argument, {"words of 4"},
               [&] { interop::import_buffer<std::uint8_t>(imported.device(), own.buffer, 63); });
  expect_error(ErrorCode::bad_argument, {"cpu isn't a Vulkan device"},
               [&] { interop::import_buffer<u32>(khal::open("cpu"), own.buffer, 4); });
}

class NativeHandles : public OnDevice {};

/// The program's own commands in khal's queue, on khal's buffer, between two kernels of khal's.
TEST_P(NativeHandles, OfVulkanServeAProgramsOwnCommands) {
  Stream stream(device);
  if (device.info().backend != khal::Backend::vulkan) {
    expect_error(ErrorCode::bad_argument, {device.info().id, "isn't a Vulkan device"},
                 [&] { interop::vulkan_device(device); });
    expect_error(ErrorCode::bad_argument, {"Vulkan"},
                 [&] { interop::vulkan_point(stream.record()); });
    return;
  }
  auto &known = dynamic_cast<vulkan::VulkanDevice &>(*device.impl());
  const interop::VulkanDevice native = interop::vulkan_device(device);
  EXPECT_EQ(native.device, known.handle());
  const vulkan::DeviceFunctions &fn = known.fn();
  Buffer<u32> x = device.upload(counted<u32>(64));
  step(stream, khal::threads(64), x, 0);

  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  const interop::VulkanRange range = interop::vulkan_buffer(x.slice(16, 16));
  EXPECT_EQ(range.offset, 64u);
  EXPECT_EQ(range.bytes, 64u);
  interop::with_vulkan_queue(stream, [&](VkQueue queue, std::uint32_t family) {
    VkCommandPoolCreateInfo pool_info{};
    pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool_info.queueFamilyIndex = family;
    vulkan::check(fn.CreateCommandPool(native.device, &pool_info, nullptr, &pool), "pool");
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    vulkan::check(fn.AllocateCommandBuffers(native.device, &allocate, &commands), "commands");
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    vulkan::check(fn.BeginCommandBuffer(commands, &begin), "beginning");
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    fn.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                          VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    fn.CmdFillBuffer(commands, range.buffer, range.offset, range.bytes, 100);
    vulkan::check(fn.EndCommandBuffer(commands), "ending");
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    vulkan::check(fn.QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "submitting");
  });
  step(stream, khal::threads(64), x, 1);
  const khal::Event event = stream.record();
  const interop::VulkanPoint point = interop::vulkan_point(event);
  if (point.semaphore) {
    VkSemaphoreWaitInfo wait{};
    wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    wait.semaphoreCount = 1;
    wait.pSemaphores = &point.semaphore;
    wait.pValues = &point.value;
    event.wait(); // the validation layer can't stand two kinds of waits at a time
    vulkan::check(fn.WaitSemaphores(native.device, &wait, ~std::uint64_t{0}), "waiting");
  }
  const std::vector<u32> values = x.download();
  EXPECT_EQ(values[15], 15u * 9 + 1);
  EXPECT_EQ(values[16], 301u);
  EXPECT_EQ(values[31], 301u);
  EXPECT_EQ(values[32], 32u * 9 + 1);
  fn.DestroyCommandPool(native.device, pool, nullptr);
}

TEST_P(NativeHandles, OfCudaServeAProgramsOwnCalls) {
  Stream stream(device);
  if (device.info().backend != khal::Backend::cuda) {
    expect_error(ErrorCode::bad_argument, {device.info().id, "isn't a CUDA device"},
                 [&] { interop::detail_cuda::context_of(device); });
    return;
  }
  const cuda::Api &api = dynamic_cast<cuda::CudaDevice &>(*device.impl()).api();
  const auto context = static_cast<cuda::ContextHandle>(interop::detail_cuda::context_of(device));
  const auto native = static_cast<cuda::StreamHandle>(interop::detail_cuda::stream_of(stream));
  Buffer<u32> x = device.upload(counted<u32>(64));
  step(stream, khal::threads(64), x, 0);
  {
    const cuda::Current current(api, context);
    const std::uint64_t address = interop::detail_cuda::address_of(x.memory());
    api.check(api.memset_words(address + 64, 100, 16, native), "filling");
  }
  khal::detail::Memory *const used[] = {x.memory()};
  interop::detail_cuda::note_use(stream, used);
  const std::vector<u32> values = x.download();
  EXPECT_EQ(values[15], 45u);
  EXPECT_EQ(values[16], 100u);
  EXPECT_EQ(values[32], 96u);
}

TEST_P(NativeHandles, OfCudaComeIn) {
  if (device.info().backend != khal::Backend::cuda)
    GTEST_SKIP() << "not a CUDA device";
  auto &known = dynamic_cast<cuda::CudaDevice &>(*device.impl());
  const cuda::Api &api = known.api();
  const auto context = static_cast<cuda::ContextHandle>(interop::detail_cuda::context_of(device));
  cuda::StreamHandle native = nullptr;
  cuda::DeviceAddress address = 0;
  {
    const cuda::Current current(api, context);
    api.check(api.stream_create(&native, cuda::stream_non_blocking), "a stream");
    api.check(api.mem_alloc(&address, 4096), "memory");
  }
  auto kept = std::make_shared<int>();
  {
    const khal::Device imported(interop::detail_cuda::import_context(context, known.number()));
    Stream stream(interop::detail_cuda::import_stream(imported, native));
    Buffer<u32> x = khal::detail::BufferAccess::make<u32>(
        interop::detail_cuda::import_memory(imported, address, 4096, kept), 1024);
    x.upload(counted<u32>(1024));
    step(stream, khal::threads(1024), x, 2);
    EXPECT_EQ(x.slice(1000).download()[0], 3002u);
    expect_error(ErrorCode::bad_argument, {"16 bytes"},
                 [&] { interop::detail_cuda::import_memory(imported, address + 4, 16, nullptr); });
    khal::detail::close(*imported.impl());
  }
  EXPECT_EQ(kept.use_count(), 1);
  const cuda::Current current(api, context);
  api.check(api.mem_free(address), "memory");
  api.check(api.stream_destroy(native), "a stream");
}

/// All devices at a time in one process, and data on its way between them.
TEST(Backends, WorkSideBySide) {
  std::vector<std::thread> threads;
  std::atomic<unsigned> right{0};
  const std::vector<khal::Device> devices = khal::Device::all();
  for (const khal::Device &device : devices)
    threads.emplace_back([&right, device] {
      Stream stream(device);
      Buffer<u32> x = device.upload(counted<u32>(1000));
      u32 expected = 999;
      for (u32 i = 0; i < 50; ++i) {
        step(stream, khal::threads(1000), x, i);
        expected = expected * 3 + i;
      }
      right += x.download()[999] == expected;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(right, devices.size());
  Buffer<u32> here = khal::open("cpu").upload(counted<u32>(100, 3));
  for (const khal::Device &device : devices) {
    Buffer<u32> there = device.zeros<u32>(100);
    there.copy_from(here);
    EXPECT_EQ(there.download(), here.download());
  }
}

KHAL_ON_EVERY_DEVICE(NativeHandles);

} // namespace
} // namespace test

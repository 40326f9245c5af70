//===- Harness.h - timed dispatches of SPIR-V modules -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least that runs a compute shader on Vulkan 1.1 and reads the device's clock around it. It
// knows nothing of who wrote a module, so that both sides of a comparison are run alike.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_TEST_BENCH_VULKAN_HARNESS_H
#define KHAL_TEST_BENCH_VULKAN_HARNESS_H

#include "../kernels/Cases.h"

#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

class Harness {
public:
  /// Opens the Vulkan device whose name contains `name`; the first for an empty one. Throws
  /// std::runtime_error when there is none.
  explicit Harness(const std::string &name);
  ~Harness();
  Harness(const Harness &) = delete;
  Harness &operator=(const Harness &) = delete;

  const std::string &deviceName() const { return name; }
  bool isCpu() const { return cpu; }

  /// Device memory, bound to binding i of set 0 of the modules made after.
  class Buffer {
  public:
    ~Buffer();
    std::uint64_t bytes() const { return size; }

  private:
    friend class Harness;
    VkDevice device = VK_NULL_HANDLE;
    VkBuffer handle = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::uint64_t size = 0;
  };
  std::unique_ptr<Buffer> buffer(std::uint64_t bytes);
  void upload(const Buffer &to, const void *data);
  std::vector<std::uint8_t> download(const Buffer &from);

  /// A compute pipeline with its buffers bound.
  class Program {
  public:
    ~Program();

  private:
    friend class Harness;
    VkDevice device = VK_NULL_HANDLE;
    VkShaderModule module = VK_NULL_HANDLE;
    VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
  };
  std::unique_ptr<Program> program(const std::vector<std::uint32_t> &spirv, const char *entry,
                                   const std::vector<const Buffer *> &buffers,
                                   std::size_t pushWords);

  /// Seconds on the device for one of `repeats` dispatches that follow each other, each after the
  /// one before has finished.
  double time(const Program &program, const Words &push, Grid groups, unsigned repeats);

private:
  template <class Record> void submit(Record record);
  std::uint32_t memoryType(std::uint32_t bits, VkMemoryPropertyFlags flags) const;
  void makeBuffer(Buffer &made, std::uint64_t bytes, VkBufferUsageFlags usage,
                  VkMemoryPropertyFlags flags);

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool commands = VK_NULL_HANDLE;
  VkQueryPool stamps = VK_NULL_HANDLE;
  std::string name;
  double nanosecondsPerTick = 1;
  bool cpu = false;
};

} // namespace bench

#endif // KHAL_TEST_BENCH_VULKAN_HARNESS_H

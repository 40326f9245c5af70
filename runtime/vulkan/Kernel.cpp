//===- Kernel.cpp - a kernel's pipelines ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "vulkan/Kernel.h"

#include "core/DiskCache.h"
#include "core/Text.h"
#include "vulkan/Device.h"

#include <algorithm>
#include <charconv>

namespace khal::detail::vulkan {

namespace {

constexpr std::uint32_t block_granularity = 16;

/// A variant is the least Vulkan version, "1.1"; the highest that the device has is the best.
std::optional<int> rank_version(std::string_view variant, std::uint32_t device_version) {
  const std::size_t dot = variant.find('.');
  if (dot == std::string_view::npos)
    return std::nullopt;
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  const char *const begin = variant.data();
  const char *const end = begin + variant.size();
  if (std::from_chars(begin, begin + dot, major).ptr != begin + dot ||
      std::from_chars(begin + dot + 1, end, minor).ptr != end)
    return std::nullopt;
  if (VK_MAKE_API_VERSION(0, major, minor, 0) > device_version)
    return std::nullopt;
  return static_cast<int>(major * 1000 + minor);
}

const abi::Artifact &choose(const VulkanDevice &device, const abi::Kernel &kernel) {
  return choose_artifact(kernel, abi::Target::spirv, device.info(), [&](std::string_view variant) {
    return rank_version(variant, device.physical().version);
  });
}

std::uint32_t rounded_block_bytes(const abi::Kernel &kernel) {
  const std::uint32_t bytes = abi::shader_block_bytes(kernel.block_size, kernel.buffer_count);
  return (bytes + block_granularity - 1) / block_granularity * block_granularity;
}

} // namespace

Kernel::Kernel(VulkanDevice &device, const abi::Kernel &kernel)
    : device_(device), kernel_(kernel), artifact_(choose(device, kernel)),
      block_bytes_(rounded_block_bytes(kernel)),
      pushed_(block_bytes_ > 0 && (artifact_.features & abi::feature_uniform_block) == 0 &&
              abi::shader_block_bytes(kernel.block_size, kernel.buffer_count) <=
                  abi::max_push_constant_bytes) {
  const std::uint32_t most = std::min(device.physical().limits.maxPerStageDescriptorStorageBuffers,
                                      device.physical().limits.maxDescriptorSetStorageBuffers);
  if (kernel.buffer_count > most)
    throw Error(ErrorCode::unsupported,
                text(describe(kernel), " takes ", kernel.buffer_count, " buffers, and ",
                     device.info().id, " (", device.info().name, ") passes ", most,
                     " at most: put some of them into one buffer"));
  try {
    VkShaderModuleCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = artifact_.code_size;
    info.pCode = static_cast<const std::uint32_t *>(artifact_.code);
    check(device.fn().CreateShaderModule(device.handle(), &info, nullptr, &module_),
          "loading a kernel's SPIR-V");
    make_layouts();
  } catch (...) {
    destroy();
    throw;
  }
}

Kernel::~Kernel() {
  destroy();
}

void Kernel::destroy() noexcept {
  const DeviceFunctions &fn = device_.fn();
  for (const auto &[constants, pipeline] : pipelines_)
    fn.DestroyPipeline(device_.handle(), pipeline, nullptr);
  fn.DestroyPipelineLayout(device_.handle(), layout_, nullptr);
  fn.DestroyDescriptorSetLayout(device_.handle(), set_layout_, nullptr);
  fn.DestroyShaderModule(device_.handle(), module_, nullptr);
}

void Kernel::make_layouts() {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  const auto bind = [&](VkDescriptorType type) {
    VkDescriptorSetLayoutBinding binding{};
    binding.binding = static_cast<std::uint32_t>(bindings.size());
    binding.descriptorType = type;
    binding.descriptorCount = 1;
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    bindings.push_back(binding);
  };
  for (std::uint32_t i = 0; i < kernel_.buffer_count; ++i)
    bind(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  if (block_is_buffer())
    bind(VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);

  VkDescriptorSetLayoutCreateInfo set{};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = static_cast<std::uint32_t>(bindings.size());
  set.pBindings = bindings.data();
  check(device_.fn().CreateDescriptorSetLayout(device_.handle(), &set, nullptr, &set_layout_),
        "describing a kernel's buffers");

  const VkPushConstantRange pushed{VK_SHADER_STAGE_COMPUTE_BIT, 0, block_bytes_};
  VkPipelineLayoutCreateInfo layout{};
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.setLayoutCount = 1;
  layout.pSetLayouts = &set_layout_;
  layout.pushConstantRangeCount = pushed_ ? 1 : 0;
  layout.pPushConstantRanges = &pushed;
  check(device_.fn().CreatePipelineLayout(device_.handle(), &layout, nullptr, &layout_),
        "describing a kernel's arguments");
}

void Kernel::check_range(std::size_t buffer, std::uint64_t bytes) const {
  if (artifact_.max_buffer_bytes != 0 && bytes > artifact_.max_buffer_bytes)
    throw Error(ErrorCode::unsupported,
                text(describe(kernel_), ": ", describe_argument(kernel_, buffer), " has ",
                     describe_bytes(bytes), ", and a kernel that keeps pointers in memory reaches ",
                     describe_bytes(artifact_.max_buffer_bytes), " of a buffer on ",
                     device_.info().id, ": pass it in slices, or keep indices instead"));
}

/// For profilers, debuggers and the validation layer.
void Kernel::give_name(VkPipeline pipeline) const {
  if (!device_.fn().SetDebugUtilsObjectNameEXT)
    return;
  VkDebugUtilsObjectNameInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  info.objectType = VK_OBJECT_TYPE_PIPELINE;
  info.objectHandle = reinterpret_cast<std::uint64_t>(pipeline);
  info.pObjectName = kernel_.name;
  check(device_.fn().SetDebugUtilsObjectNameEXT(device_.handle(), &info), "naming a kernel");
}

namespace {

/// The driver's memory of one pipeline.
class PipelineCache {
public:
  PipelineCache(const VulkanDevice &device, std::span<const std::byte> data) : device_(device) {
    VkPipelineCacheCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    info.initialDataSize = data.size();
    info.pInitialData = data.data();
    check(device.fn().CreatePipelineCache(device.handle(), &info, nullptr, &handle_),
          "making a pipeline cache");
  }
  ~PipelineCache() { device_.fn().DestroyPipelineCache(device_.handle(), handle_, nullptr); }
  PipelineCache(const PipelineCache &) = delete;
  PipelineCache &operator=(const PipelineCache &) = delete;

  VkPipelineCache handle() const noexcept { return handle_; }

  /// Empty when the driver doesn't tell.
  std::vector<std::byte> data() const {
    std::size_t size = 0;
    if (device_.fn().GetPipelineCacheData(device_.handle(), handle_, &size, nullptr) != VK_SUCCESS)
      return {};
    std::vector<std::byte> data(size);
    if (device_.fn().GetPipelineCacheData(device_.handle(), handle_, &size, data.data()) !=
        VK_SUCCESS)
      return {};
    data.resize(size);
    return data;
  }

private:
  const VulkanDevice &device_;
  VkPipelineCache handle_ = VK_NULL_HANDLE;
};

} // namespace

/// Builds a pipeline, from what an earlier process kept of it if there is such.
VkResult Kernel::create(const VkComputePipelineCreateInfo &info, const Constants &constants,
                        VkPipeline &pipeline) {
  const DiskCache &disk = DiskCache::of_process();
  CacheKey key("vulkan pipeline");
  key.add(device_.physical().identity).add(artifact_.entry);
  key.add(std::as_bytes(std::span(constants)));
  key.add(std::span(static_cast<const std::byte *>(artifact_.code), artifact_.code_size));
  const std::vector<std::byte> known = disk.load(key);
  const PipelineCache cache(device_, known);
  const VkResult result = device_.fn().CreateComputePipelines(device_.handle(), cache.handle(), 1,
                                                              &info, nullptr, &pipeline);
  if (result == VK_SUCCESS && disk.enabled())
    if (const std::vector<std::byte> now = cache.data(); !now.empty() && now != known)
      disk.store(key, now);
  return result;
}

VkPipeline Kernel::pipeline(bool offsets, std::span<const std::uint32_t> shared_counts) {
  // What nearly every launch asks for needs neither lock nor memory.
  if (shared_counts.empty())
    if (const VkPipeline known = plain_[offsets].load(std::memory_order_acquire))
      return known;
  Constants constants{offsets};
  for (const std::uint32_t count : shared_counts)
    constants.push_back(std::max(count, 1u)); // SPIR-V has no empty arrays
  const std::lock_guard lock(pipelines_mutex_);
  const auto found = pipelines_.find(constants);
  if (found != pipelines_.end())
    return found->second;
  const VkPipeline pipeline = make_pipeline(constants);
  pipelines_.emplace(std::move(constants), pipeline);
  if (shared_counts.empty())
    plain_[offsets].store(pipeline, std::memory_order_release);
  return pipeline;
}

VkPipeline Kernel::make_pipeline(const Constants &constants) {
  static_assert(abi::offsets_constant_id == 0 && abi::shared_constant_id == 1);
  std::vector<VkSpecializationMapEntry> entries;
  for (std::uint32_t id = 0; id < constants.size(); ++id)
    entries.push_back({id, id * std::uint32_t{sizeof(std::uint32_t)}, sizeof(std::uint32_t)});
  const VkSpecializationInfo specialisation{
      static_cast<std::uint32_t>(entries.size()), entries.data(),
      constants.size() * sizeof(std::uint32_t), constants.data()};
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module_;
  info.stage.pName = artifact_.entry;
  info.stage.pSpecializationInfo = &specialisation;
  info.layout = layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = create(info, constants, pipeline);
  if (result == VK_SUCCESS) {
    try {
      device_.instance().throw_validation_messages();
      give_name(pipeline);
    } catch (...) {
      device_.fn().DestroyPipeline(device_.handle(), pipeline, nullptr);
      throw;
    }
    return pipeline;
  }
  device_.instance().throw_validation_messages();
  if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY ||
      result == VK_ERROR_DEVICE_LOST)
    check(result, "building a kernel");
  throw Error(ErrorCode::build_failed,
              text("the driver of ", device_.info().id, " (", device_.info().driver, ") refuses ",
                   describe(kernel_), " with ", result_name(result),
                   ": a newer driver may take it; KHAL_VULKAN_VALIDATION=1 may tell more"),
              result);
}

} // namespace khal::detail::vulkan

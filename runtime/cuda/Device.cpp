//===- Device.cpp - an NVIDIA GPU -------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Device.h"

#include "core/Text.h"
#include "cuda/Graph.h"
#include "cuda/Memory.h"
#include "cuda/Stream.h"

#include <algorithm>
#include <fstream>

namespace khal::detail::cuda {

namespace {

std::uint32_t attribute(const Api &api, DeviceNumber device, int which) {
  int value = 0;
  api.check(api.device_get_attribute(&value, static_cast<DeviceAttribute>(which), device),
            "asking for a device's properties");
  return static_cast<std::uint32_t>(value);
}

/// "NVIDIA 580.65.06, CUDA 13.0": the kernel module's version is only to be had from a file.
std::string driver_text(const Api &api) {
  std::string name = "NVIDIA";
  std::ifstream file("/sys/module/nvidia/version");
  if (std::string version; std::getline(file, version) && !version.empty())
    name += " " + version;
  int version = 0;
  api.check(api.driver_get_version(&version), "asking for the driver's version");
  return text(name, ", CUDA ", version / 1000, ".", version % 1000 / 10);
}

} // namespace

std::shared_ptr<CudaDevice> examine(const std::shared_ptr<const Api> &shared, DeviceNumber number,
                                    std::string id, ContextHandle foreign) {
  const Api &api = *shared;
  char name[256] = {};
  api.check(api.device_get_name(name, sizeof(name) - 1, number), "asking for a device's name");
  std::size_t memory = 0;
  api.check(api.device_total_mem(&memory, number), "asking for a device's memory");
  const int architecture =
      static_cast<int>(attribute(api, number, attribute_compute_capability_major) * 10 +
                       attribute(api, number, attribute_compute_capability_minor));

  DeviceInfo info;
  info.id = std::move(id);
  info.backend = Backend::cuda;
  info.name = name;
  info.driver = text(driver_text(api), ", sm_", architecture);
  info.memory_bytes = memory;
  info.units = attribute(api, number, attribute_multiprocessor_count);
  info.subgroup_size = attribute(api, number, attribute_warp_size);
  info.features = abi::feature_int8 | abi::feature_int16 | abi::feature_int64 |
                  abi::feature_float16 | abi::feature_float64 | abi::feature_storage8 |
                  abi::feature_storage16 | abi::feature_atomic_int64 | abi::feature_atomic_float32 |
                  abi::feature_subgroups | abi::feature_uniform8 | abi::feature_uniform16 |
                  abi::feature_shared_atomic_int64 | abi::feature_special_float16 |
                  abi::feature_special_float32 | abi::feature_special_float64 |
                  abi::feature_subnormal16 | abi::feature_subnormal32 | abi::feature_subnormal64 |
                  abi::feature_subgroup_int64 | abi::feature_dot_product;
  for (int d = 0; d < 3; ++d) {
    info.limits.max_group_size[d] = attribute(api, number, attribute_max_block_dim_x + d);
    info.limits.max_groups[d] = attribute(api, number, attribute_max_grid_dim_x + d);
  }
  info.limits.max_group_items = attribute(api, number, attribute_max_threads_per_block);
  info.limits.max_shared_bytes = attribute(api, number, attribute_max_shared_memory_per_block);
  info.limits.max_buffer_bytes = memory;
  return std::make_shared<CudaDevice>(std::move(info), shared, number, architecture, foreign);
}

CudaDevice::CudaDevice(DeviceInfo info, std::shared_ptr<const Api> api, DeviceNumber number,
                       int architecture, ContextHandle foreign)
    : DeviceImpl(std::move(info), Preference::discrete_gpu), api_(std::move(api)), number_(number),
      architecture_(architecture), foreign_(foreign) {}

CudaDevice::~CudaDevice() {
  kernels_.reset();
  heap_.reset();
  host_heap_.reset();
  if (context_ && !foreign_)
    api_->primary_ctx_release(number_);
}

void CudaDevice::open() {
  if (foreign_)
    context_ = foreign_;
  else
    api_->check(api_->primary_ctx_retain(&context_, number_), "opening a device");
  kernels_ = std::make_unique<KernelCache<Kernel>>();
  heap_ = make_heap(Place::device);
  host_heap_ = make_heap(Place::host);
}

Kernel &CudaDevice::kernel(const abi::Kernel &kernel) {
  return kernels_->get(kernel, [&] { return std::make_unique<Kernel>(*this, kernel); });
}

std::shared_ptr<Memory> CudaDevice::make_memory(std::uint64_t bytes, Place place) {
  return std::make_shared<CudaMemory>(std::static_pointer_cast<CudaDevice>(shared_from_this()),
                                      bytes, place);
}

std::shared_ptr<StreamImpl> CudaDevice::make_stream() {
  return std::make_shared<CudaStream>(std::static_pointer_cast<CudaDevice>(shared_from_this()));
}

std::unique_ptr<GraphImpl> CudaDevice::make_graph() {
  return std::make_unique<CudaGraph>(std::static_pointer_cast<CudaDevice>(shared_from_this()));
}

void CudaDevice::build(const abi::Kernel &kernel) {
  this->kernel(kernel);
}

void CudaDevice::add_reserved(MemoryStatistics &statistics) {
  for (const Suballocator *heap : {heap_.get(), host_heap_.get()}) {
    const Suballocator::Statistics one = heap->statistics();
    statistics.reserved_bytes += one.reserved_bytes;
    statistics.free_bytes += one.free_bytes;
    statistics.largest_free_bytes = std::max(statistics.largest_free_bytes, one.largest_free_bytes);
  }
}

void CudaDevice::trim_reserved() noexcept {
  heap_->trim();
  host_heap_->trim();
}

namespace {

/// Memory of the driver's: the device's, or the host's, pinned.
class Allocation final : public Backing {
public:
  Allocation(CudaDevice &device, std::uint64_t bytes, Place place)
      : device_(device), place_(place) {
    const Current current = device.current();
    const Result result =
        place == Place::host ? allocate_host(bytes) : device.api().mem_alloc(&address_, bytes);
    if (result == error_out_of_memory)
      throw Error(
          ErrorCode::out_of_memory,
          text(place == Place::host ? "the host" : device.info().id, " (", device.info().name,
               ") has no ", describe_bytes(bytes),
               place == Place::host ? " of memory left that can be pinned" : " of memory left",
               ": free buffers that are no longer needed, or process the "
               "data in parts"),
          result);
    device.api().check(result, "getting memory");
  }
  ~Allocation() override {
    try {
      const Current current = device_.current();
      if (place_ == Place::host)
        device_.api().mem_free_host(reinterpret_cast<void *>(address_));
      else
        device_.api().mem_free(address_);
    } catch (const Error &) {
      // The device is lost, or the driver has ended with the process: the memory went with it.
    }
  }
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;

  DeviceAddress address() const noexcept { return address_; }

private:
  Result allocate_host(std::uint64_t bytes) {
    void *address = nullptr;
    const Result result = device_.api().mem_host_alloc(&address, bytes, host_alloc_portable);
    address_ = reinterpret_cast<DeviceAddress>(address);
    return result;
  }

  CudaDevice &device_;
  const Place place_;
  DeviceAddress address_ = 0;
};

/// Of the blocks that smaller buffers share. Pinning takes the driver a while.
constexpr std::uint64_t block_bytes = 64u << 20;
constexpr std::uint64_t host_block_bytes = 8u << 20;

} // namespace

DeviceAddress CudaDevice::address_of(const Suballocator::Range &range) {
  return static_cast<const Allocation &>(*range.backing).address() + range.offset;
}

std::unique_ptr<Suballocator> CudaDevice::make_heap(Place place) {
  return std::make_unique<Suballocator>(
      [this, place](std::uint64_t bytes) {
        return std::make_unique<Allocation>(*this, bytes, place);
      },
      place == Place::host ? host_block_bytes : block_bytes);
}

ProbeResult probe() {
  ProbeResult result;
  const std::shared_ptr<const Api> api = Api::load(result.missing);
  if (!api)
    return result;
  try {
    int count = 0;
    api->check(api->device_get_count(&count), "listing devices");
    for (int ordinal = 0; ordinal < count; ++ordinal) {
      DeviceNumber number = 0;
      api->check(api->device_get(&number, ordinal), "opening a device");
      result.devices.push_back(examine(api, number, text("cuda:", ordinal)));
    }
    if (count == 0)
      result.missing = "the NVIDIA driver is there, but no GPU";
  } catch (const Error &error) {
    result.devices.clear();
    result.missing = error.what();
  }
  return result;
}

} // namespace khal::detail::cuda

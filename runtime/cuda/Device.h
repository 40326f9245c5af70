//===- Device.h - an NVIDIA GPU ---------------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CUDA_DEVICE_H
#define KHAL_RUNTIME_CUDA_DEVICE_H

#include "core/Artifact.h"
#include "core/Backend.h"
#include "core/Suballocator.h"
#include "cuda/Api.h"
#include "cuda/Kernel.h"

namespace khal::detail::cuda {

/// Works in the device's primary context, which it shares with the CUDA runtime's users, or in one of
/// the program's.
class CudaDevice final : public DeviceImpl {
public:
  /// `architecture`: 90 for sm_90.
  CudaDevice(DeviceInfo info, std::shared_ptr<const Api> api, DeviceNumber number, int architecture,
             ContextHandle foreign = nullptr);
  ~CudaDevice() override;

  const Api &api() const noexcept { return *api_; }
  /// Once it's open.
  ContextHandle context() const noexcept { return context_; }
  DeviceNumber number() const noexcept { return number_; }
  int architecture() const noexcept { return architecture_; }
  Current current() const { return Current(*api_, context_); }
  /// Where buffers come from.
  Suballocator &heap(Place place) noexcept { return place == Place::host ? *host_heap_ : *heap_; }
  static DeviceAddress address_of(const Suballocator::Range &range);
  /// Loaded when it's first asked for.
  Kernel &kernel(const abi::Kernel &kernel);

protected:
  void open() override;
  std::shared_ptr<Memory> make_memory(std::uint64_t bytes, Place place) override;
  std::shared_ptr<StreamImpl> make_stream() override;
  std::unique_ptr<GraphImpl> make_graph() override;
  void build(const abi::Kernel &kernel) override;
  void add_reserved(MemoryStatistics &statistics) override;
  void trim_reserved() noexcept override;

private:
  std::unique_ptr<Suballocator> make_heap(Place place);

  const std::shared_ptr<const Api> api_;
  const DeviceNumber number_;
  const int architecture_;
  const ContextHandle foreign_; ///< the program's, instead of the primary one, or null
  ContextHandle context_ = nullptr;
  std::unique_ptr<KernelCache<Kernel>> kernels_;
  std::unique_ptr<Suballocator> heap_;
  std::unique_ptr<Suballocator> host_heap_; ///< pinned
};

/// A device as khal sees it. `foreign`: a context of the program's to work in.
std::shared_ptr<CudaDevice> examine(const std::shared_ptr<const Api> &api, DeviceNumber number,
                                    std::string id, ContextHandle foreign = nullptr);

/// The devices of NVIDIA's driver.
ProbeResult probe();

} // namespace khal::detail::cuda

#endif // KHAL_RUNTIME_CUDA_DEVICE_H

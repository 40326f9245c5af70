//===- Memory.h - buffers in device memory ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CUDA_MEMORY_H
#define KHAL_RUNTIME_CUDA_MEMORY_H

#include "core/Backend.h"
#include "core/Suballocator.h"
#include "cuda/Api.h"

namespace khal::detail::cuda {

class CudaDevice;

class CudaMemory final : public Memory {
public:
  CudaMemory(std::shared_ptr<CudaDevice> device, std::uint64_t bytes, Place place);
  /// The program's; `keep` goes with this.
  CudaMemory(std::shared_ptr<CudaDevice> device, DeviceAddress foreign, std::uint64_t bytes,
             std::shared_ptr<void> keep);
  ~CudaMemory() override;

  DeviceAddress address() const noexcept { return address_; }
  Place place() const noexcept { return place_; }
  std::byte *mapped() const noexcept override;

private:
  CudaDevice &cuda_;
  const std::shared_ptr<void> keep_;
  const bool owned_ = true;
  const Place place_;
  const Suballocator::Range range_;
  const DeviceAddress address_;
};

} // namespace khal::detail::cuda

#endif // KHAL_RUNTIME_CUDA_MEMORY_H

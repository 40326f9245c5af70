//===- Memory.cpp - buffers in device memory --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Memory.h"

#include "cuda/Device.h"

#include <algorithm>

namespace khal::detail::cuda {

namespace {

constexpr std::uint64_t least_bytes = 16;
/// What the driver's own allocations have.
constexpr std::uint64_t alignment = 256;

} // namespace

CudaMemory::CudaMemory(std::shared_ptr<CudaDevice> device, std::uint64_t bytes, Place place)
    : Memory(device, bytes), cuda_(*device), place_(place),
      range_(cuda_.heap(place).take(std::max(bytes, least_bytes), alignment)),
      address_(CudaDevice::address_of(range_)) {}

CudaMemory::CudaMemory(std::shared_ptr<CudaDevice> device, DeviceAddress foreign,
                       std::uint64_t bytes, std::shared_ptr<void> keep)
    : Memory(device, bytes), cuda_(*device), keep_(std::move(keep)), owned_(false),
      place_(Place::device), address_(foreign) {}

CudaMemory::~CudaMemory() {
  if (!owned_)
    return;
  cuda_.heap(place_).give_back(range_);
}

// Host and device have one address space: pinned memory has the same address for both.
std::byte *CudaMemory::mapped() const noexcept {
  return place_ == Place::host ? reinterpret_cast<std::byte *>(address_) : nullptr;
}

} // namespace khal::detail::cuda

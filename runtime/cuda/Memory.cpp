//===- Memory.cpp - buffers in device memory --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cuda/Memory.h"

#include "core/Text.h"
#include "cuda/Device.h"

#include <algorithm>

namespace khal::detail::cuda {

namespace {

constexpr std::uint64_t least_bytes = 16;

} // namespace

CudaMemory::CudaMemory(std::shared_ptr<CudaDevice> device, std::uint64_t bytes)
    : Memory(device, bytes), cuda_(*device) {
  const Current current = cuda_.current();
  const Result result = cuda_.api().mem_alloc(&address_, std::max(bytes, least_bytes));
  if (result == error_out_of_memory)
    throw Error(ErrorCode::out_of_memory,
                text(cuda_.info().id, " (", cuda_.info().name, ") has no ", describe_bytes(bytes),
                     " of memory left: free buffers that are no longer needed, or process the data "
                     "in parts"),
                result);
  cuda_.api().check(result, "making a buffer");
}

CudaMemory::~CudaMemory() {
  try {
    const Current current = cuda_.current();
    cuda_.api().mem_free(address_);
  } catch (const Error &) {
    // The device is lost, or the driver has ended with the process: the memory went with it.
  }
}

} // namespace khal::detail::cuda

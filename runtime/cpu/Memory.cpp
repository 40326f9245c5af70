//===- Memory.cpp - buffers in host memory ----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "cpu/Memory.h"

#include "core/Text.h"

#include <algorithm>
#include <new>

namespace khal::detail::cpu {

namespace {

/// A cache line, and a whole vector register of every processor.
constexpr std::align_val_t alignment{64};
constexpr std::uint64_t least_bytes = 16;

} // namespace

CpuMemory::CpuMemory(std::shared_ptr<DeviceImpl> device, std::uint64_t bytes)
    : Memory(std::move(device), bytes),
      data_(static_cast<std::byte *>(
          ::operator new(std::max(bytes, least_bytes), alignment, std::nothrow))) {
  if (!data_)
    throw Error(ErrorCode::out_of_memory,
                text("the host has no ", describe_bytes(bytes),
                     " of memory for a buffer: free some, or process the data in parts"));
}

CpuMemory::~CpuMemory() {
  ::operator delete(data_, alignment);
}

} // namespace khal::detail::cpu

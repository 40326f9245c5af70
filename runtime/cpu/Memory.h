//===- Memory.h - buffers in host memory ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CPU_MEMORY_H
#define KHAL_RUNTIME_CPU_MEMORY_H

#include "core/Backend.h"

namespace khal::detail::cpu {

class CpuMemory final : public Memory {
public:
  CpuMemory(std::shared_ptr<DeviceImpl> device, std::uint64_t bytes);
  ~CpuMemory() override;

  std::byte *mapped() const noexcept override { return data_; }

private:
  std::byte *data_;
};

} // namespace khal::detail::cpu

#endif // KHAL_RUNTIME_CPU_MEMORY_H

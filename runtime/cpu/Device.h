//===- Device.h - the host's processor as a device --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CPU_DEVICE_H
#define KHAL_RUNTIME_CPU_DEVICE_H

#include "core/Artifact.h"
#include "core/Backend.h"
#include "cpu/Kernel.h"
#include "cpu/Pool.h"

namespace khal::detail::cpu {

class CpuDevice final : public DeviceImpl {
public:
  using DeviceImpl::DeviceImpl;

  Pool &pool() noexcept { return *pool_; }
  /// Chosen when it's first asked for.
  Kernel &kernel(const abi::Kernel &kernel);

protected:
  void open() override;
  std::shared_ptr<Memory> make_memory(std::uint64_t bytes, Place place) override;
  std::shared_ptr<StreamImpl> make_stream() override;
  std::unique_ptr<GraphImpl> make_graph() override;
  void build(const abi::Kernel &kernel) override;

private:
  std::unique_ptr<Pool> pool_;
  KernelCache<Kernel> kernels_;
};

/// The one CPU device. \throws Error bad_argument when KHAL_CPU_THREADS isn't a number of threads
/// or KHAL_CPU_LEVEL no level.
ProbeResult probe();

} // namespace khal::detail::cpu

#endif // KHAL_RUNTIME_CPU_DEVICE_H

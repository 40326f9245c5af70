//===- Kernel.h - a kernel's module -----------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CUDA_KERNEL_H
#define KHAL_RUNTIME_CUDA_KERNEL_H

#include "cuda/Api.h"

#include "khal/abi.h"

namespace khal::detail::cuda {

class CudaDevice;
class JitLog;

/// A kernel on one device.
class Kernel {
public:
  /// \throws Error unsupported when no compiled form runs here, build_failed with the driver's log
  ///   when it refuses the PTX.
  Kernel(CudaDevice &device, const abi::Kernel &kernel);
  ~Kernel();
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  FunctionHandle function() const noexcept { return function_; }

private:
  Result load(const abi::Artifact &artifact, JitLog &log);

  CudaDevice &device_;
  ModuleHandle module_ = nullptr;
  FunctionHandle function_ = nullptr;
};

} // namespace khal::detail::cuda

#endif // KHAL_RUNTIME_CUDA_KERNEL_H

//===- Kernel.h - a kernel's machine code -----------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHAL_RUNTIME_CPU_KERNEL_H
#define KHAL_RUNTIME_CPU_KERNEL_H

#include "khal/host/device.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace khal::detail::cpu {

struct Kernel {
  abi::CpuFunction function;
  std::uint32_t scratch_bytes;
};

/// The best form of `kernel` for this machine's processor.
/// \throws Error unsupported
std::unique_ptr<Kernel> load(const abi::Kernel &kernel, const DeviceInfo &device);

/// \throws Error bad_argument when KHAL_CPU_LEVEL names no level of this processor.
void check_wanted_level();

/// How good an instruction set level is on this processor; nothing when it can't run it or
/// KHAL_CPU_LEVEL keeps it from that.
std::optional<int> rank_level(std::string_view level);

/// The highest level of this processor, up to KHAL_CPU_LEVEL: "x86-64-v3"; empty on other
/// architectures.
std::string highest_level();

} // namespace khal::detail::cpu

#endif // KHAL_RUNTIME_CPU_KERNEL_H

//===- LaunchFunction.h - the CPU target's entry into a kernel -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_LAUNCHFUNCTION_H
#define KHALC_TARGET_CPU_LAUNCHFUNCTION_H

#include "kernel/KernelInfo.h"

#include <cstdint>
#include <string>

namespace llvm {
class Function;
}

namespace khalc::cpu {

/// Builds the khal::abi::CpuFunction that calls `group` for a range of work-groups. `scratch` holds
/// the group's shared variables, `contextOffset` bytes from its start the context, and behind its
/// `scratchBytes` the shared spans, see khal/abi.h.
llvm::Function *buildLaunchFunction(llvm::Function &group, const KernelInfo &kernel,
                                    uint64_t contextOffset, uint32_t scratchBytes,
                                    const std::string &name);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_LAUNCHFUNCTION_H

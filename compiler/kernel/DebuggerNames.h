//===- DebuggerNames.h - what debuggers call in kernels ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_KERNEL_DEBUGGERNAMES_H
#define KHALC_KERNEL_DEBUGGERNAMES_H

namespace khalc {

/// The macro with which khal/kernel/index.hpp defines `debuggerCallsFunction`, for -g -O0 on the CPU.
inline constexpr const char *debuggerMacro = "__KHAL_DEBUGGER__";
/// Calls all functions of the index, so that they are there for a debugger.
inline constexpr const char *debuggerCallsFunction = "__khal_debugger_calls";

} // namespace khalc

#endif // KHALC_KERNEL_DEBUGGERNAMES_H

//===- Invocation.h - Clang set up for one device ABI -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_INVOCATION_H
#define KHALC_FRONTEND_INVOCATION_H

#include "frontend/Frontend.h"
#include "frontend/Toolchain.h"

namespace clang {
class CompilerInvocation;
class DiagnosticsEngine;
} // namespace clang

namespace khalc {

/// How a user knows the ABI: "cpu", "ptx", "spirv".
const char *targetNameOf(DeviceAbi abi);

/// Clang's options for parsing `options.input` for an ABI. Faults of the user's arguments are
/// reported to `clangEngine`; the result is false then.
bool setUpInvocation(clang::CompilerInvocation &invocation, const FrontendOptions &options,
                     const SystemHeaders &headers, DeviceAbi abi, bool colour,
                     clang::DiagnosticsEngine &clangEngine);

} // namespace khalc

#endif // KHALC_FRONTEND_INVOCATION_H

//===- Parameters.h - a kernel's parameters, flattened ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_PARAMETERS_H
#define KHALC_FRONTEND_PARAMETERS_H

#include "kernel/KernelInfo.h"

namespace clang {
class FunctionDecl;
}

namespace khalc {

class HostTypes;

/// Fills `kernel`'s parameters, buffers and block from the function's parameters as the ABI of its
/// AST lays them out. False after an error.
bool flattenParameters(const clang::FunctionDecl &function, DeviceAbi abi, HostTypes &types,
                       KernelInfo &kernel);

} // namespace khalc

#endif // KHALC_FRONTEND_PARAMETERS_H

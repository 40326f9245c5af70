//===- Kernels.h - the kernels of a parsed file -----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_KERNELS_H
#define KHALC_FRONTEND_KERNELS_H

#include "kernel/KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace khalc {

class HostTypes;

/// The definitions that are kernels, in source order: functions, static member functions, explicit
/// instantiations and specializations of templates. Reports attributes that do nothing.
std::vector<const clang::FunctionDecl *> findKernels(clang::ASTContext &context, HostTypes &types);

/// What there is to know of one kernel, as `abi` sees it. False after an error.
bool describeKernel(const clang::FunctionDecl &function, DeviceAbi abi, HostTypes &types,
                    KernelInfo &kernel);

/// Takes over from `device`, the same file for another ABI, what only that ABI knows. False, with
/// a report, when kernels or layouts differ. `functions` are the device AST's kernels, by index.
bool mergeDeviceView(KernelFile &host, const std::vector<KernelInfo> &device,
                     llvm::ArrayRef<const clang::FunctionDecl *> functions, DeviceAbi abi,
                     HostTypes &types);

/// Tells kernels apart whose mangled names are the same: instances for closures that no other file
/// can name.
void makeSymbolsUnique(std::vector<KernelInfo> &kernels);

} // namespace khalc

#endif // KHALC_FRONTEND_KERNELS_H

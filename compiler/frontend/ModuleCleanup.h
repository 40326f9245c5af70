//===- ModuleCleanup.h - Clang's module as the targets want it --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_MODULECLEANUP_H
#define KHALC_FRONTEND_MODULECLEANUP_H

#include "kernel/KernelInfo.h"

namespace llvm {
class Module;
}

namespace khalc {

/// Makes `module` what Frontend.h promises: everything but the bodies internal and only what they
/// reach, shared variables without an initial value, no choice of a processor.
void cleanUpModule(llvm::Module &module, const KernelFile &file);

} // namespace khalc

#endif // KHALC_FRONTEND_MODULECLEANUP_H

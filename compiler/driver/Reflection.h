//===- Reflection.h - a file's kernels and structs as JSON ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_REFLECTION_H
#define KHALC_DRIVER_REFLECTION_H

#include "target/Target.h"

namespace khalc {

/// The kernels, their parameters in flattened and original form, and the structs that the host
/// shares, with what was compiled for each target. Keys are described in docs/cli.md. Ends with a
/// newline; deterministic.
std::string kernelsAsJson(const KernelFile &file, const std::vector<CompiledKernel> &compiled = {});

} // namespace khalc

#endif // KHALC_DRIVER_REFLECTION_H

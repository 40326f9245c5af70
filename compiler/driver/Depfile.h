//===- Depfile.h - dependencies for Make and Ninja --------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_DEPFILE_H
#define KHALC_DRIVER_DEPFILE_H

#include "driver/Outputs.h"

#include <vector>

namespace khalc {

/// A rule without commands: every output depends on every file that was read.
Output depfile(const std::string &path, llvm::ArrayRef<Output> outputs,
               const std::vector<std::string> &dependencies);

} // namespace khalc

#endif // KHALC_DRIVER_DEPFILE_H

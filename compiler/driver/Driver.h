//===- Driver.h - khalc from arguments to exit code -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_DRIVER_H
#define KHALC_DRIVER_DRIVER_H

#include "driver/Pipeline.h"

#include <string>
#include <vector>

namespace khalc {

/// Runs one command: compiles every file that the arguments (without the program's name) give, and
/// writes all outputs or none. Returns the process's exit code; see docs/cli.md.
int runDriver(const std::vector<std::string> &arguments, const Installation &installation);

} // namespace khalc

#endif // KHALC_DRIVER_DRIVER_H

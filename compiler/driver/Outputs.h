//===- Outputs.h - files that appear whole or not at all --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_OUTPUTS_H
#define KHALC_DRIVER_OUTPUTS_H

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace khalc {

namespace diag {
class Engine;
}

struct Output {
  std::string path;
  std::string bytes;
};

/// Writes all of them, or reports why not and leaves none: each is written beside its place, and
/// only when all are complete are they renamed. Folders that don't exist are made.
bool writeAll(llvm::ArrayRef<Output> outputs, diag::Engine &diagnostics);

} // namespace khalc

#endif // KHALC_DRIVER_OUTPUTS_H

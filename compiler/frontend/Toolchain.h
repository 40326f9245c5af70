//===- Toolchain.h - where the system's headers are -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_TOOLCHAIN_H
#define KHALC_FRONTEND_TOOLCHAIN_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace khalc {

namespace diag {
class Engine;
}

/// Folders in the order in which they are searched.
struct SystemHeaders {
  std::vector<std::string> cxx; ///< libstdc++'s
  std::vector<std::string> c;   ///< after Clang's own
};

/// Finds the newest libstdc++ below `root` ("/" but in tests) by looking at the file system; starts
/// no process. Reports what is missing.
std::optional<SystemHeaders> findSystemHeaders(llvm::StringRef root, diag::Engine &diagnostics);

} // namespace khalc

#endif // KHALC_FRONTEND_TOOLCHAIN_H

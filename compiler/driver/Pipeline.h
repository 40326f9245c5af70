//===- Pipeline.h - one kernel file from source to outputs ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_PIPELINE_H
#define KHALC_DRIVER_PIPELINE_H

#include "driver/CommandLine.h"
#include "driver/Outputs.h"

#include <optional>
#include <string>
#include <vector>

namespace khalc {

namespace diag {
class Engine;
}

/// Where khalc finds what it needs to compile.
struct Installation {
  std::string khalIncludeDir;
  std::string clangResourceDir;
};

/// khal's headers are in ../include as seen from the executable's folder once installed, and where
/// they were when khalc was built until then; Clang's are where the build found them.
Installation findInstallation(const std::string &executable);

/// The file's path without its folder and last extension, in the output folder: "out/add" for
/// "src/add.cpp".
std::string outputStem(const CommandLine &command, const std::string &input);

/// Compiles one file and gives what is to be written for it. Empty after an error. Thread-safe for
/// different engines.
std::optional<std::vector<Output>> compileFile(const CommandLine &command,
                                               const Installation &installation,
                                               const std::string &input, diag::Engine &diagnostics);

} // namespace khalc

#endif // KHALC_DRIVER_PIPELINE_H

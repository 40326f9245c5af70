//===- CommandLine.h - what khalc was asked for -----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DRIVER_COMMANDLINE_H
#define KHALC_DRIVER_COMMANDLINE_H

#include "kernel/FloatMode.h"
#include "kernel/Sanitizers.h"
#include "target/Target.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace khalc {

namespace diag {
class Engine;
}

enum class Emit { Header, Object, Json, Text };

struct CommandLine {
  std::vector<std::string> inputs;
  std::string outputDir = ".";
  std::vector<WantedTarget> targets; ///< each once, in the order of the enumeration
  std::vector<Emit> emits;           ///< each once
  std::vector<std::string> ptxArchs; ///< each once
  std::vector<std::string> cpuLevels;
  std::string hostNamespace = "kernels";
  unsigned optimisationLevel = 2;
  bool debugInfo = false;
  FloatMode floatMode = FloatMode::Default;
  Sanitizers sanitizers;
  std::vector<std::string> clangArgs; ///< -D -I -isystem -include -std= -W…, joined
  std::vector<std::string> warnings;  ///< -W… of khalc's own warnings: "no-khal-divergent-barrier"
  bool writeDepfile = false;
  std::string depfile; ///< empty: beside the outputs
  std::string dumpDir; ///< empty: no dumps
  unsigned jobs = 1;
  bool verbose = false;

  bool wants(khal::abi::Target target) const;
  bool wants(Emit emit) const;
};

/// Reads the arguments without the program's name. Gives nothing when there is nothing to compile:
/// --help and --version print to `out`, faults go to `diagnostics`.
std::optional<CommandLine> parseCommandLine(const std::vector<std::string> &arguments,
                                            llvm::raw_ostream &out, diag::Engine &diagnostics);

} // namespace khalc

#endif // KHALC_DRIVER_COMMANDLINE_H

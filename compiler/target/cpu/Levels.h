//===- Levels.h - processor levels that code is made for, side by side -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_LEVELS_H
#define KHALC_TARGET_CPU_LEVELS_H

#include "target/Target.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Function;
class TargetMachine;
class Triple;
} // namespace llvm

namespace khalc::diag {
class Engine;
}

namespace khalc::cpu {

/// A set of processors that one variant of the code is for.
struct Level {
  std::string name;     ///< as given: "x86-64-v3", "native"
  std::string cpu;      ///< LLVM's name
  std::string features; ///< "+avx2,-fma"; beyond what `cpu` implies

  void applyTo(llvm::Function &function) const;
  /// The name as part of a C identifier.
  std::string identifier() const;
};

/// The levels asked for. Empty, and said so, if one isn't known for the host's architecture.
std::optional<std::vector<Level>> findLevels(const TargetOptions &options,
                                             const llvm::TargetMachine &machine,
                                             diag::Engine &diagnostics);

/// LLVM's backend for the host (or `triple` if it isn't empty), at the architecture's base level:
/// functions carry the level that they are for.
std::unique_ptr<llvm::TargetMachine>
createMachine(const llvm::Triple &triple, const TargetOptions &options, diag::Engine &diagnostics);

} // namespace khalc::cpu

#endif // KHALC_TARGET_CPU_LEVELS_H

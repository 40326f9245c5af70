//===- Diagnostics.h - the one way to say that something is wrong --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every fault is one of three kinds: the user's (a source line, the chain of calls from the kernel,
// what to do instead), the environment's (what is missing, how to get it) and ours (exit code 70).
// Texts live in Diagnostics.def. Faults of the source are printed by Clang's own engine, so that
// they look like and are controlled like Clang's.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_DIAG_DIAGNOSTICS_H
#define KHALC_DIAG_DIAGNOSTICS_H

#include "kernel/KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace clang {
class DiagnosticsEngine;
class SourceLocation;
} // namespace clang
namespace llvm {
class Instruction;
}

namespace khalc::diag {

enum class Id {
#define KHAL_DIAGNOSTIC(id, severity, text) id,
#include "diag/Diagnostics.def"
};

/// A call on the way from the kernel to the faulty place, innermost first.
struct CallSite {
  SourcePosition position; ///< of the call
  std::string function;    ///< that the call is in
};

/// What the process ends with; see docs/cli.md.
enum class ExitCode { Done = 0, SourceError = 1, BadUse = 2, Environment = 3, Internal = 70 };

class Engine {
public:
  explicit Engine(bool colour);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// While a file is being compiled, its Clang engine prints; the frontend sets it.
  void attach(clang::DiagnosticsEngine *clangEngine);

  /// A fault at a place in the source. `%0`, `%1` … in the text are `arguments`.
  void report(Id id, const SourcePosition &position, llvm::ArrayRef<std::string> arguments = {},
              llvm::ArrayRef<CallSite> chain = {});
  /// A fault found in IR: place and chain come from the instruction's debug location.
  void report(Id id, const llvm::Instruction &where, llvm::ArrayRef<std::string> arguments = {});
  /// A fault with no place in the source: environment, command line, internal.
  void report(Id id, llvm::ArrayRef<std::string> arguments = {});

  bool hasErrors() const;
  /// The worst that was said so far.
  ExitCode exitCode() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace khalc::diag

#endif // KHALC_DIAG_DIAGNOSTICS_H

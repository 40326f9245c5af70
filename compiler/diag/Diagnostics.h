//===- Diagnostics.h - the one way to say that something is wrong -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every fault is one of three kinds: the user's (a source line, the chain of calls from the kernel,
// what to do instead), the environment's (what is missing, how to get it) and ours (exit code 70).
// Texts live in Diagnostics.def. Faults of the source are printed by Clang's own engine, so that
// they look like and are controlled like Clang's.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_DIAG_DIAGNOSTICS_H
#define KHALC_DIAG_DIAGNOSTICS_H

#include "kernel/KernelInfo.h"

#include "clang/Basic/SourceLocation.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace clang {
class DiagnosticsEngine;
} // namespace clang
namespace llvm {
class Instruction;
class raw_ostream;
} // namespace llvm

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

/// The same while the AST is at hand.
struct AstCallSite {
  clang::SourceLocation location;
  std::string function;
};

/// The id of one of khalc's texts in a Clang engine, for code that reports through Sema.
unsigned clangId(clang::DiagnosticsEngine &clangEngine, Id id);

/// What the process ends with; see docs/cli.md.
enum class ExitCode { Done = 0, SourceError = 1, BadUse = 2, Environment = 3, Internal = 70 };

/// What is said after an internal fault.
inline constexpr char howToReport[] =
    "this is a fault of khalc, not of your program; please report it with the kernel file, the "
    "command line and the text above";

/// Says faults and remembers the worst. One Engine serves one thread at a time.
class Engine {
public:
  /// Everything is printed to `out`, which must outlive the engine; by default to stderr.
  explicit Engine(bool colour);
  Engine(bool colour, llvm::raw_ostream &out);
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// While a file is being parsed, its Clang engine prints; the frontend sets it, and null when the
  /// parse is over. What that engine has said (errors, -Werror) is kept.
  void attach(clang::DiagnosticsEngine *clangEngine);
  bool colour() const;
  llvm::raw_ostream &out();

  /// Treats one of khalc's own warnings as what follows -W says: "khal-x", "no-khal-x",
  /// "error=khal-x" or "no-error=khal-x"; the last said holds. False if no warning has that name.
  bool controlWarning(llvm::StringRef flag);
  /// False for a warning that is switched off.
  bool isEnabled(Id id) const;

  /// A fault at a place in the source. `%0`, `%1` … in the text are `arguments`.
  void report(Id id, const SourcePosition &position, llvm::ArrayRef<std::string> arguments = {},
              llvm::ArrayRef<CallSite> chain = {});
  /// The same at a location of the attached Clang engine's source manager. A place in a system
  /// header is given as a note to the innermost call in the user's own code.
  void report(Id id, clang::SourceLocation location, llvm::ArrayRef<std::string> arguments = {},
              llvm::ArrayRef<AstCallSite> chain = {});
  /// A fault found in IR: place and chain come from the instruction's debug location. As above, the
  /// place is the innermost one in the user's own code.
  void report(Id id, const llvm::Instruction &where, llvm::ArrayRef<std::string> arguments = {});
  /// A fault with no place in the source: environment, command line, internal.
  void report(Id id, llvm::ArrayRef<std::string> arguments = {});
  void report(Id id, std::initializer_list<std::string> arguments) {
    report(id, llvm::ArrayRef<std::string>(arguments.begin(), arguments.size()));
  }

  /// Where report() says something about an instruction; line 0 if nothing is known.
  SourcePosition placeOf(const llvm::Instruction &where) const;
  /// The name of the header's function that the user's own code calls there, as debug information
  /// has it; empty where the instruction is the user's own.
  std::string calleeAt(const llvm::Instruction &where) const;

  /// While one lives, faults of the source are said as warnings: a target that can't express a
  /// kernel is none of the user's faults when it wasn't asked for by name. What was said in an
  /// earlier attempt isn't said again.
  class Attempt {
  public:
    explicit Attempt(Engine &engine, bool isOptional = true);
    ~Attempt();
    Attempt(const Attempt &) = delete;
    Attempt &operator=(const Attempt &) = delete;
    /// The first fault's text; empty without one, or when the attempt isn't optional.
    const std::string &reason() const { return text; }

  private:
    Engine &engine;
    std::string text;
    friend Engine;
  };

  bool hasErrors() const;
  /// The worst that was said so far.
  ExitCode exitCode() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace khalc::diag

#endif // KHALC_DIAG_DIAGNOSTICS_H

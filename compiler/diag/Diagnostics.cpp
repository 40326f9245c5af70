//===- Diagnostics.cpp - the one way to say that something is wrong ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "diag/Diagnostics.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace khalc::diag {

namespace {

enum class Severity { SourceError, SourceWarning, BadUse, Environment, Internal, Note };

struct Entry {
  const char *name;
  Severity severity;
  const char *text;
};

constexpr Entry entries[] = {
#define KHAL_DIAGNOSTIC(id, severity, text) {#id, Severity::severity, text},
#include "diag/Diagnostics.def"
};

const Entry &entryFor(Id id) {
  return entries[static_cast<size_t>(id)];
}

ExitCode exitCodeFor(Severity severity) {
  switch (severity) {
  case Severity::SourceError:
    return ExitCode::SourceError;
  case Severity::BadUse:
    return ExitCode::BadUse;
  case Severity::Environment:
    return ExitCode::Environment;
  case Severity::Internal:
    return ExitCode::Internal;
  case Severity::SourceWarning:
  case Severity::Note:
    break;
  }
  return ExitCode::Done;
}

/// What a user searches for and tests look for: "khal-virtual-call".
std::string tagFor(const Entry &entry) {
  std::string tag = std::string("khal-") + entry.name;
  std::replace(tag.begin(), tag.end(), '_', '-');
  return tag;
}

std::string textWithTag(const Entry &entry) {
  if (entry.severity == Severity::Note)
    return entry.text;
  return std::string(entry.text) + " [" + tagFor(entry) + "]";
}

/// Puts the arguments in the place of %0, %1 …; an argument's own text is never expanded.
std::string expand(llvm::StringRef text, llvm::ArrayRef<std::string> arguments) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool isPlaceholder = text[i] == '%' && i + 1 < text.size() && llvm::isDigit(text[i + 1]);
    if (!isPlaceholder) {
      result += text[i];
      continue;
    }
    const size_t number = text[++i] - '0';
    if (number < arguments.size())
      result += arguments[number];
  }
  return result;
}

clang::diag::Severity clangSeverity(Severity severity) {
  return severity == Severity::SourceWarning ? clang::diag::Severity::Warning
                                             : clang::diag::Severity::Error;
}

unsigned callNoteId(clang::DiagnosticsEngine &engine) {
  return engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "called from '%0' here");
}

void emit(clang::DiagnosticsEngine &engine, clang::SourceLocation location, unsigned id,
          llvm::ArrayRef<std::string> arguments) {
  clang::DiagnosticBuilder builder = engine.Report(location, id);
  for (const std::string &argument : arguments)
    builder << argument;
}

/// The body that the frontend makes around a kernel isn't the user's code.
bool isSynthesised(const llvm::DISubprogram *subprogram) {
  return !subprogram || subprogram->getName().starts_with("khal_body_");
}

SourcePosition positionOf(const llvm::DILocation &location) {
  return {location.getFilename().str(), location.getLine(), location.getColumn()};
}

std::vector<CallSite> chainOf(const llvm::DILocation &location) {
  std::vector<CallSite> chain;
  for (const llvm::DILocation *call = location.getInlinedAt(); call; call = call->getInlinedAt()) {
    const llvm::DISubprogram *caller = call->getScope()->getSubprogram();
    if (!isSynthesised(caller))
      chain.push_back({positionOf(*call), caller->getName().str()});
  }
  return chain;
}

/// The instruction's own location, or that of the nearest one before it in its block, or after it.
const llvm::DILocation *nearestLocation(const llvm::Instruction &where) {
  for (const llvm::Instruction *i = &where; i; i = i->getPrevNode())
    if (i->getDebugLoc() && i->getDebugLoc().getLine())
      return i->getDebugLoc().get();
  for (const llvm::Instruction *i = &where; i; i = i->getNextNode())
    if (i->getDebugLoc() && i->getDebugLoc().getLine())
      return i->getDebugLoc().get();
  return nullptr;
}

} // namespace

unsigned clangId(clang::DiagnosticsEngine &clangEngine, Id id) {
  const Entry &entry = entryFor(id);
  if (entry.severity == Severity::Note)
    return clangEngine.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Note, entry.text);
  const bool isWarning = entry.severity == Severity::SourceWarning;
  return clangEngine.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::CustomDiagDesc(
      clangSeverity(entry.severity), textWithTag(entry),
      isWarning ? clang::DiagnosticIDs::CLASS_WARNING : clang::DiagnosticIDs::CLASS_ERROR,
      /*ShowInSystemHeader=*/true, /*ShowInSystemMacro=*/true));
}

/// After the parse, Clang's engine and source manager are gone; this one prints in the same form
/// from the files' text.
struct LateEngine {
  clang::DiagnosticOptions options;
  clang::LangOptions language;
  clang::FileManager files{clang::FileSystemOptions()};
  clang::TextDiagnosticPrinter printer;
  clang::DiagnosticsEngine engine;
  clang::SourceManager sources;

  LateEngine(bool colour, llvm::raw_ostream &out)
      : printer(out, options),
        engine(clang::DiagnosticIDs::create(), options, &printer, /*ShouldOwnClient=*/false),
        sources(engine, files) {
    options.ShowColors = colour;
    engine.setShowColors(colour);
    engine.setSourceManager(&sources);
    language.CPlusPlus = true;
    printer.BeginSourceFile(language, nullptr);
  }

  ~LateEngine() { printer.EndSourceFile(); }
};

struct Engine::Impl {
  bool colour;
  llvm::raw_ostream &out;
  clang::DiagnosticsEngine *attached = nullptr;
  std::unique_ptr<LateEngine> late;
  bool warningsAreErrors = false;
  ExitCode worst = ExitCode::Done;

  Impl(bool colour, llvm::raw_ostream &out) : colour(colour), out(out) {}

  void remember(Severity severity) {
    if (severity == Severity::SourceWarning && warningsAreErrors)
      severity = Severity::SourceError;
    worst = std::max(worst, exitCodeFor(severity));
  }

  clang::DiagnosticsEngine &engine() {
    if (attached && attached->hasSourceManager())
      return *attached;
    if (!late) {
      late = std::make_unique<LateEngine>(colour, out);
      late->engine.setWarningsAsErrors(warningsAreErrors);
    }
    return late->engine;
  }

  /// Invalid when the file can't be read; it is then printed without its text.
  clang::SourceLocation locate(clang::DiagnosticsEngine &engine, const SourcePosition &position) {
    clang::SourceManager &sources = engine.getSourceManager();
    const auto file = sources.getFileManager().getOptionalFileRef(position.file);
    if (!file)
      return {};
    clang::FileID id = sources.translateFile(*file);
    if (id.isInvalid())
      id = sources.createFileID(*file, clang::SourceLocation(), clang::SrcMgr::C_User);
    return sources.translateLineCol(id, std::max(1u, position.line), std::max(1u, position.column));
  }

  void sayAt(Id id, const SourcePosition &position, llvm::ArrayRef<std::string> arguments,
             llvm::ArrayRef<CallSite> chain) {
    clang::DiagnosticsEngine &to = engine();
    const clang::SourceLocation location = locate(to, position);
    if (location.isInvalid()) {
      sayPlain(id, arguments);
      return;
    }
    emit(to, location, clangId(to, id), arguments);
    for (const CallSite &call : chain)
      emit(to, locate(to, call.position), callNoteId(to), call.function);
  }

  void sayPlain(Id id, llvm::ArrayRef<std::string> arguments) {
    const Entry &entry = entryFor(id);
    const bool isWarning = entry.severity == Severity::SourceWarning && !warningsAreErrors;
    const bool isNote = entry.severity == Severity::Note;
    out << "khalc: ";
    if (colour)
      out.changeColor(isNote      ? llvm::raw_ostream::CYAN
                      : isWarning ? llvm::raw_ostream::MAGENTA
                                  : llvm::raw_ostream::RED,
                      /*Bold=*/true);
    out << (isNote ? "note: " : isWarning ? "warning: " : "error: ");
    if (colour)
      out.resetColor();
    out << expand(textWithTag(entry), arguments) << '\n';
  }

  void sayHowToReport(Severity severity) {
    if (severity == Severity::Internal)
      out << "khalc: note: " << howToReport << '\n';
  }
};

Engine::Engine(bool colour) : Engine(colour, llvm::errs()) {}
Engine::Engine(bool colour, llvm::raw_ostream &out) : impl(std::make_unique<Impl>(colour, out)) {}
Engine::~Engine() = default;

bool Engine::colour() const {
  return impl->colour;
}
llvm::raw_ostream &Engine::out() {
  return impl->out;
}

void Engine::attach(clang::DiagnosticsEngine *clangEngine) {
  if (clang::DiagnosticsEngine *previous = impl->attached) {
    if (previous->hasErrorOccurred())
      impl->remember(Severity::SourceError);
    impl->warningsAreErrors |= previous->getWarningsAsErrors();
  }
  impl->attached = clangEngine;
}

void Engine::report(Id id, const SourcePosition &position, llvm::ArrayRef<std::string> arguments,
                    llvm::ArrayRef<CallSite> chain) {
  const Severity severity = entryFor(id).severity;
  impl->remember(severity);
  impl->sayAt(id, position, arguments, chain);
  impl->sayHowToReport(severity);
}

void Engine::report(Id id, clang::SourceLocation location, llvm::ArrayRef<std::string> arguments,
                    llvm::ArrayRef<AstCallSite> chain) {
  assert(impl->attached && "a Clang location means nothing without its source manager");
  const Severity severity = entryFor(id).severity;
  impl->remember(severity);
  clang::DiagnosticsEngine &to = *impl->attached;
  const clang::SourceManager &sources = to.getSourceManager();

  // The user can change their own code only: the error goes to the innermost call that is theirs.
  const clang::SourceLocation *place = &location;
  llvm::ArrayRef<AstCallSite> rest = chain;
  if (sources.isInSystemHeader(location)) {
    for (size_t i = 0; i < chain.size(); ++i) {
      if (sources.isInSystemHeader(chain[i].location))
        continue;
      place = &chain[i].location;
      rest = chain.drop_front(i + 1);
      break;
    }
  }
  emit(to, *place, clangId(to, id), arguments);
  if (place != &location)
    emit(to, location,
         to.getCustomDiagID(clang::DiagnosticsEngine::Note, "this is what the call leads to"), {});
  for (const AstCallSite &call : rest)
    emit(to, call.location, callNoteId(to), call.function);
  impl->sayHowToReport(severity);
}

void Engine::report(Id id, const llvm::Instruction &where, llvm::ArrayRef<std::string> arguments) {
  if (const llvm::DILocation *location = nearestLocation(where)) {
    report(id, positionOf(*location), arguments, chainOf(*location));
    return;
  }
  const llvm::Function *function = where.getFunction();
  const llvm::DISubprogram *subprogram = function ? function->getSubprogram() : nullptr;
  if (subprogram)
    report(id, SourcePosition{subprogram->getFilename().str(), subprogram->getLine(), 1},
           arguments);
  else
    report(id, arguments);
}

void Engine::report(Id id, llvm::ArrayRef<std::string> arguments) {
  const Severity severity = entryFor(id).severity;
  impl->remember(severity);
  impl->sayPlain(id, arguments);
  impl->sayHowToReport(severity);
}

bool Engine::hasErrors() const {
  return exitCode() != ExitCode::Done;
}

ExitCode Engine::exitCode() const {
  ExitCode worst = impl->worst;
  if (impl->attached && impl->attached->hasErrorOccurred())
    worst = std::max(worst, ExitCode::SourceError);
  return worst;
}

} // namespace khalc::diag

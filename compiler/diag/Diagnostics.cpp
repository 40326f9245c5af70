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

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <map>
#include <optional>

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

/// What a fault counts as once the command line's -W options are heard.
enum class Level { Ignored, Note, Warning, WarningAsError, Error };

/// A warning's tag is the option that switches it off, as in Clang; an error that is said as a warning
/// has none.
std::string textWithTag(const Entry &entry, Level level) {
  std::string text = entry.text;
  if (entry.severity == Severity::SourceError)
    return text + " [" + tagFor(entry) + "]";
  switch (level) {
  case Level::Ignored:
  case Level::Note:
    return text;
  case Level::Warning:
    return text + " [-W" + tagFor(entry) + "]";
  case Level::WarningAsError:
    return text + " [-Werror,-W" + tagFor(entry) + "]";
  case Level::Error:
    return text + " [" + tagFor(entry) + "]";
  }
  llvm_unreachable("every level is above");
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

unsigned clangIdAt(clang::DiagnosticsEngine &engine, const Entry &entry, Level level) {
  using Ids = clang::DiagnosticIDs;
  const std::string text = textWithTag(entry, level);
  if (level == Level::Note)
    return engine.getDiagnosticIDs()->getCustomDiagID(Ids::Note, text);
  const bool isWarning = level == Level::Warning;
  return engine.getDiagnosticIDs()->getCustomDiagID(
      Ids::CustomDiagDesc(isWarning ? clang::diag::Severity::Warning : clang::diag::Severity::Error,
                          text, isWarning ? Ids::CLASS_WARNING : Ids::CLASS_ERROR,
                          /*ShowInSystemHeader=*/true, /*ShowInSystemMacro=*/true));
}

unsigned callNoteId(clang::DiagnosticsEngine &engine) {
  return engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "called from '%0' here");
}

unsigned leadsToNoteId(clang::DiagnosticsEngine &engine) {
  return engine.getCustomDiagID(clang::DiagnosticsEngine::Note, "this is what the call leads to");
}

bool isOwnHeader(llvm::StringRef path) {
  return path.contains("/khal/kernel");
}

void emit(clang::DiagnosticsEngine &engine, clang::SourceLocation location, unsigned id,
          llvm::ArrayRef<std::string> arguments) {
  clang::DiagnosticBuilder builder = engine.Report(location, id);
  for (const std::string &argument : arguments)
    builder << argument;
}

/// The body that the frontend makes around a kernel isn't the user's code.
bool isSynthesised(const llvm::DISubprogram *subprogram) {
  return !subprogram || subprogram->getName().starts_with(bodyPrefix);
}

SourcePosition positionOf(const llvm::DILocation &location) {
  return {location.getFilename().str(), location.getLine(), location.getColumn()};
}

/// The places that a location was inlined through, innermost first, each with its function.
std::vector<CallSite> framesOf(const llvm::DILocation &location) {
  std::vector<CallSite> frames;
  for (const llvm::DILocation *at = &location; at; at = at->getInlinedAt()) {
    const llvm::DISubprogram *function = at->getScope()->getSubprogram();
    if (at == &location || !isSynthesised(function))
      frames.push_back({positionOf(*at), function ? function->getName().str() : std::string()});
  }
  return frames;
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
  const Level level = entry.severity == Severity::Note            ? Level::Note
                      : entry.severity == Severity::SourceWarning ? Level::Warning
                                                                  : Level::Error;
  return clangIdAt(clangEngine, entry, level);
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
  /// What the command line says of single warnings.
  struct Control {
    bool isOff = false;
    std::optional<bool> isError; ///< none: as -Werror says
  };
  std::map<Id, Control> controls;
  /// Headers that aren't the user's, by the names that debug information has.
  llvm::StringSet<> systemFiles;
  ExitCode worst = ExitCode::Done;
  Attempt *attempt = nullptr;
  llvm::StringSet<> saidInAttempts;

  Impl(bool colour, llvm::raw_ostream &out) : colour(colour), out(out) {}

  Severity severityOf(Id id) const {
    const Severity own = entryFor(id).severity;
    return attempt && own == Severity::SourceError ? Severity::SourceWarning : own;
  }

  /// Notes a fault as the attempt's reason; true when its text was said at that place before.
  bool isRepeated(Id id, llvm::ArrayRef<std::string> arguments, const std::string &place) {
    if (!attempt)
      return false;
    const std::string text = expand(entryFor(id).text, arguments);
    if (attempt->text.empty() && entryFor(id).severity == Severity::SourceError)
      attempt->text = text;
    return !saidInAttempts.insert(place + text).second;
  }

  Level levelOf(Id id) const {
    const Severity severity = severityOf(id);
    if (severity == Severity::Note)
      return Level::Note;
    if (severity != Severity::SourceWarning)
      return Level::Error;
    const auto found = controls.find(id);
    const Control control = found == controls.end() ? Control() : found->second;
    if (control.isOff)
      return Level::Ignored;
    return control.isError.value_or(warningsAreErrors) ? Level::WarningAsError : Level::Warning;
  }

  void remember(Id id) {
    const bool isPromoted = levelOf(id) == Level::WarningAsError;
    worst = std::max(worst, exitCodeFor(isPromoted ? Severity::SourceError : severityOf(id)));
  }

  void rememberSystemFiles(const clang::SourceManager &sources) {
    for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
      const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(i);
      if (entry.isFile() && clang::SrcMgr::isSystem(entry.getFile().getFileCharacteristic()))
        systemFiles.insert(entry.getFile().getName());
    }
  }

  bool isSystem(const CallSite &frame) const { return systemFiles.contains(frame.position.file); }

  /// The innermost frame that is the user's own code; the innermost of all if none is.
  size_t userFrame(llvm::ArrayRef<CallSite> frames) const {
    const auto *found = llvm::find_if(frames, [&](const CallSite &at) { return !isSystem(at); });
    return found == frames.end() ? 0 : found - frames.begin();
  }

  clang::DiagnosticsEngine &engine() {
    if (attached && attached->hasSourceManager())
      return *attached;
    if (!late)
      late = std::make_unique<LateEngine>(colour, out);
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
    emit(to, location, clangIdAt(to, entryFor(id), levelOf(id)), arguments);
    for (const CallSite &call : chain)
      emit(to, locate(to, call.position), callNoteId(to), call.function);
  }

  void sayPlain(Id id, llvm::ArrayRef<std::string> arguments) {
    const Level level = levelOf(id);
    const bool isWarning = level == Level::Warning;
    const bool isNote = level == Level::Note;
    out << "khalc: ";
    if (colour)
      out.changeColor(isNote      ? llvm::raw_ostream::CYAN
                      : isWarning ? llvm::raw_ostream::MAGENTA
                                  : llvm::raw_ostream::RED,
                      /*Bold=*/true);
    out << (isNote ? "note: " : isWarning ? "warning: " : "error: ");
    if (colour)
      out.resetColor();
    out << expand(textWithTag(entryFor(id), level), arguments) << '\n';
  }

  void sayHowToReport(Id id) {
    if (entryFor(id).severity == Severity::Internal)
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

bool Engine::controlWarning(llvm::StringRef flag) {
  const bool isOff = flag.consume_front("no-");
  const bool isAboutError = flag.consume_front("error=");
  for (size_t i = 0; i < std::size(entries); ++i) {
    if (entries[i].severity != Severity::SourceWarning || tagFor(entries[i]) != flag)
      continue;
    Impl::Control &control = impl->controls[static_cast<Id>(i)];
    if (isAboutError)
      control.isError = !isOff;
    if (!isAboutError || !isOff) // -Werror=x switches x on, too
      control.isOff = isOff;
    return true;
  }
  return false;
}

bool Engine::isEnabled(Id id) const {
  return impl->levelOf(id) != Level::Ignored;
}

void Engine::attach(clang::DiagnosticsEngine *clangEngine) {
  if (clang::DiagnosticsEngine *previous = impl->attached) {
    if (previous->hasErrorOccurred())
      impl->worst = std::max(impl->worst, ExitCode::SourceError);
    impl->warningsAreErrors |= previous->getWarningsAsErrors();
    if (previous->hasSourceManager())
      impl->rememberSystemFiles(previous->getSourceManager());
  }
  impl->attached = clangEngine;
}

static std::string said(const SourcePosition &position) {
  return position.file + ':' + std::to_string(position.line) + ':' +
         std::to_string(position.column) + ':';
}

void Engine::report(Id id, const SourcePosition &position, llvm::ArrayRef<std::string> arguments,
                    llvm::ArrayRef<CallSite> chain) {
  if (!isEnabled(id) || impl->isRepeated(id, arguments, said(position)))
    return;
  impl->remember(id);
  impl->sayAt(id, position, arguments, chain);
  impl->sayHowToReport(id);
}

void Engine::report(Id id, clang::SourceLocation location, llvm::ArrayRef<std::string> arguments,
                    llvm::ArrayRef<AstCallSite> chain) {
  assert(impl->attached && "a Clang location means nothing without its source manager");
  if (!isEnabled(id))
    return;
  impl->remember(id);
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
  emit(to, *place, clangIdAt(to, entryFor(id), impl->levelOf(id)), arguments);
  if (place != &location)
    emit(to, location, leadsToNoteId(to), {});
  for (const AstCallSite &call : rest)
    emit(to, call.location, callNoteId(to), call.function);
  impl->sayHowToReport(id);
}

void Engine::report(Id id, const llvm::Instruction &where, llvm::ArrayRef<std::string> arguments) {
  if (!isEnabled(id))
    return;
  const llvm::DILocation *location = nearestLocation(where);
  if (!location) {
    const SourcePosition position = placeOf(where);
    if (position.line)
      report(id, position, arguments);
    else
      report(id, arguments);
    return;
  }
  const std::vector<CallSite> frames = framesOf(*location);
  const size_t user = impl->userFrame(frames);
  if (impl->isRepeated(id, arguments, said(frames[user].position)))
    return;
  impl->remember(id);
  impl->sayAt(id, frames[user].position, arguments, {});
  clang::DiagnosticsEngine &to = impl->engine();
  // Inside the standard library the place helps; what khal's own headers hold is an operation.
  if (user != 0 && !isOwnHeader(frames.front().position.file))
    emit(to, impl->locate(to, frames.front().position), leadsToNoteId(to), {});
  for (const CallSite &call : llvm::drop_begin(frames, user + 1))
    emit(to, impl->locate(to, call.position), callNoteId(to), call.function);
  impl->sayHowToReport(id);
}

SourcePosition Engine::placeOf(const llvm::Instruction &where) const {
  if (const llvm::DILocation *location = nearestLocation(where)) {
    const std::vector<CallSite> frames = framesOf(*location);
    return frames[impl->userFrame(frames)].position;
  }
  const llvm::Function *function = where.getFunction();
  const llvm::DISubprogram *subprogram = function ? function->getSubprogram() : nullptr;
  if (!subprogram)
    return {};
  return {subprogram->getFilename().str(), subprogram->getLine(), 1};
}

std::string Engine::calleeAt(const llvm::Instruction &where) const {
  const llvm::DILocation *location = nearestLocation(where);
  if (!location)
    return {};
  const std::vector<CallSite> frames = framesOf(*location);
  const size_t user = impl->userFrame(frames);
  return user == 0 ? std::string() : frames[user - 1].function;
}

void Engine::report(Id id, llvm::ArrayRef<std::string> arguments) {
  if (!isEnabled(id) || impl->isRepeated(id, arguments, ""))
    return;
  impl->remember(id);
  impl->sayPlain(id, arguments);
  impl->sayHowToReport(id);
}

Engine::Attempt::Attempt(Engine &engine, bool isOptional) : engine(engine) {
  assert(!engine.impl->attempt && "attempts aren't nested");
  if (isOptional)
    engine.impl->attempt = this;
}
Engine::Attempt::~Attempt() {
  engine.impl->attempt = nullptr;
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

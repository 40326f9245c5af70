//===- CommandLine.cpp - what khalc was asked for ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with exceptions: CLI11 throws.
//
//===------------------------------------------------------------------------------------------===//
#include "driver/CommandLine.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"

#include <CLI/CLI.hpp>

namespace khalc {

namespace {

using khal::abi::Target;

constexpr char description[] =
    "khalc compiles the kernels of C++ files for CPUs, CUDA and Vulkan, and to shading\n"
    "languages. For add.cpp it writes add.khal.hpp, with a typed function for each kernel,\n"
    "and add.khal.o, with the code for every target.";

constexpr char footer[] =
    R"(Examples:
  khalc add.cpp                             add.khal.hpp and add.khal.o, for CPUs, PTX and Vulkan
  khalc --target=cpu,spirv -o build add.cpp two targets, into build/
  khalc -O3 -I include -DTILE=16 mm.cpp     Clang's options work as in Clang
  khalc -MD -MF add.d add.cpp               dependencies, for Make and Ninja
  khalc --emit=json,text --target=ptx a.cpp reflection and readable code, no object

A program then includes add.khal.hpp, links add.khal.o and the khal library, and calls
kernels::NAME(stream, khal::threads(n), buffers, values).

Exit codes:
  0   done
  1   errors in the kernel source
  2   bad use of the command
  3   something around the compiler is missing, or an output can't be written
  70  a fault of khalc itself: please report it

Outputs appear whole or not at all.
)";

/// Clang's one-dash words and forms that CLI11 would take for bundles of short options.
std::vector<std::string> normalised(const std::vector<std::string> &arguments) {
  std::vector<std::string> result;
  bool optionsEnded = false;
  for (const std::string &argument : arguments) {
    const llvm::StringRef text = argument;
    optionsEnded |= text == "--";
    llvm::StringRef folder = text;
    if (optionsEnded)
      result.push_back(argument);
    else if (text.starts_with("-std=") || text == "-isystem" || text == "-include" ||
             text == "-MD" || text == "-MF")
      result.push_back("-" + argument);
    else if (folder.consume_front("-isystem"))
      result.push_back(("--isystem=" + folder).str());
    else if (folder.consume_front("-MF"))
      result.push_back(("--MF=" + folder).str());
    else if (text == "-O")
      result.push_back("-O1");
    else
      result.push_back(argument);
  }
  return result;
}

/// The options as typed, before they are understood.
struct Raw {
  std::vector<std::string> inputs, defines, includes, systemIncludes, forcedIncludes, warnings;
  std::optional<std::string> targets; ///< those that the runtime launches when not given
  std::string emits = "header,object";
  std::string cpuArch, ptxArch;
  std::string floatMode = "default";
  std::vector<std::string> sanitizers;
  std::string standard;
  bool version = false;
};

void declareOptions(CLI::App &app, Raw &raw, CommandLine &command) {
  // A list option takes one value each time; else it would swallow the file names that follow.
  const auto list = [&](const char *name, std::vector<std::string> &into, const char *help) {
    return app.add_option(name, into, help)->allow_extra_args(false)->group("As in Clang");
  };
  app.add_option("FILE", raw.inputs, "C++ files with kernels")->option_text("...");
  app.add_option("-o", command.outputDir, "folder for the outputs (default: the current one)")
      ->option_text("DIR");
  app.add_option(
         "--target", raw.targets,
         "of cpu, ptx, spirv, glsl, hlsl, msl, wgsl, or all; default cpu,ptx,spirv, which the "
         "runtime launches")
      ->option_text("LIST");
  app.add_option(
         "--ptx-arch", raw.ptxArch,
         "PTX architectures, of which a device takes the highest that it has (default sm_75)")
      ->option_text("LIST");
  app.add_option("--cpu-arch", raw.cpuArch,
                 "processor levels, chosen from when the program runs (default "
                 "x86-64-v2,x86-64-v3,x86-64-v4), or native")
      ->option_text("LIST");
  app.add_option("--fp", raw.floatMode,
                 "strict: the same bits on every target; default: may fuse a * b + c; fast: "
                 "reassociated and approximate")
      ->option_text("MODE");
  app.add_option("--sanitize", raw.sanitizers,
                 "of address, undefined: CPU code that checks itself; link the program with "
                 "-fsanitize=LIST, too")
      ->option_text("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"address", "undefined"}));
  app.add_option("--emit", raw.emits,
                 "of header, object, json (reflection), text (each target's code as a file); "
                 "default header,object")
      ->option_text("LIST");
  app.add_option("--namespace", command.hostNamespace,
                 "namespace of the generated functions (default kernels)")
      ->option_text("NAME");
  app.add_option("--dump-dir", command.dumpDir, "folder for a numbered file after each stage")
      ->option_text("DIR");
  app.add_option("-j", command.jobs, "files compiled at the same time (default 1)")
      ->option_text("N")
      ->check(CLI::Range(1, 1024));
  app.add_flag("-v", command.verbose, "say what is being done, and how long it takes");
  app.add_flag("--version", raw.version, "print the version and exit");

  app.add_option("-O", command.optimisationLevel, "optimisation level 0 to 3 (default 2)")
      ->option_text("LEVEL")
      ->check(CLI::Range(0, 3))
      ->group("As in Clang");
  app.add_flag("-g", command.debugInfo, "debug information")->group("As in Clang");
  list("-D", raw.defines, "define a macro: -D NAME[=VALUE]")->option_text("MACRO");
  list("-I", raw.includes, "search a folder for headers")->option_text("DIR");
  list("--isystem", raw.systemIncludes, "the same, for system headers: -isystem DIR")
      ->option_text("DIR");
  list("--include", raw.forcedIncludes, "include a file first: -include FILE")->option_text("FILE");
  list("-W", raw.warnings, "warnings: -Wall, -Wno-NAME, -Werror")->option_text("NAME");
  app.add_option("--std", raw.standard, "C++ standard, c++20 (default) or later: -std=c++23")
      ->option_text("STANDARD")
      ->group("As in Clang");
  app.add_flag("--MD", command.writeDepfile, "write a dependency file: -MD")->group("As in Clang");
  app.add_option("--MF", command.depfile, "its name (default: NAME.khal.d in -o DIR): -MF FILE")
      ->option_text("FILE")
      ->group("As in Clang");
}

bool splitList(const char *option, const std::string &text, diag::Engine &diagnostics,
               std::vector<std::string> &items) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  llvm::StringRef(text).split(parts, ',');
  for (const llvm::StringRef part : parts) {
    if (part.empty()) {
      diagnostics.report(diag::Id::empty_list_item, {option, text});
      return false;
    }
    items.push_back(part.str());
  }
  return true;
}

bool readTargets(const Raw &raw, CommandLine &command, diag::Engine &diagnostics) {
  if (!raw.targets) {
    for (const Target target : {Target::cpu, Target::ptx, Target::spirv})
      command.targets.push_back({target, /*isOptional=*/true});
    return true;
  }
  std::vector<std::string> names;
  if (!splitList("--target", *raw.targets, diagnostics, names))
    return false;
  for (const std::string &name : names)
    if (name != "all" && !llvm::is_contained(khal::abi::target_names, llvm::StringRef(name)))
      diagnostics.report(diag::Id::unknown_target, {name});
  const bool all = llvm::is_contained(names, "all");
  for (uint32_t i = 0; i < khal::abi::target_count; ++i) {
    const bool named = llvm::is_contained(names, khal::abi::target_names[i]);
    if (named || all)
      command.targets.push_back({static_cast<Target>(i), /*isOptional=*/!named});
  }
  return !diagnostics.hasErrors();
}

bool readEmits(const Raw &raw, CommandLine &command, diag::Engine &diagnostics) {
  std::vector<std::string> names;
  if (!splitList("--emit", raw.emits, diagnostics, names))
    return false;
  for (const std::string &name : names) {
    const auto emit = llvm::StringSwitch<std::optional<Emit>>(name)
                          .Case("header", Emit::Header)
                          .Case("object", Emit::Object)
                          .Case("json", Emit::Json)
                          .Case("text", Emit::Text)
                          .Default(std::nullopt);
    if (!emit)
      diagnostics.report(diag::Id::unknown_emit, {name});
    else if (!command.wants(*emit))
      command.emits.push_back(*emit);
  }
  return !diagnostics.hasErrors();
}

bool readPtxArchs(const Raw &raw, CommandLine &command, diag::Engine &diagnostics) {
  std::vector<std::string> names;
  if (!raw.ptxArch.empty() && !splitList("--ptx-arch", raw.ptxArch, diagnostics, names))
    return false;
  for (std::string &name : names)
    if (!llvm::is_contained(command.ptxArchs, name))
      command.ptxArchs.push_back(std::move(name));
  return true;
}

void readFloatMode(const Raw &raw, CommandLine &command, diag::Engine &diagnostics) {
  const auto mode = llvm::StringSwitch<std::optional<FloatMode>>(raw.floatMode)
                        .Case("strict", FloatMode::Strict)
                        .Case("default", FloatMode::Default)
                        .Case("fast", FloatMode::Fast)
                        .Default(std::nullopt);
  if (mode)
    command.floatMode = *mode;
  else
    diagnostics.report(diag::Id::unknown_float_mode, {raw.floatMode});
}

void readSanitizers(const Raw &raw, CommandLine &command, diag::Engine &diagnostics) {
  command.sanitizers = {.address = llvm::is_contained(raw.sanitizers, "address"),
                        .undefined = llvm::is_contained(raw.sanitizers, "undefined")};
  if (command.sanitizers.any() && !command.wants(Target::cpu))
    diagnostics.report(diag::Id::command_line,
                       {"--sanitize is for CPU code, and --target has no cpu"});
}

bool isNamespaceName(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 4> parts;
  name.split(parts, "::");
  return llvm::all_of(parts, [](llvm::StringRef part) {
    return !part.empty() && !llvm::isDigit(part.front()) &&
           llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  });
}

/// Clang knows nothing of khalc's own warnings.
bool isOwnWarning(llvm::StringRef flag) {
  flag.consume_front("no-");
  flag.consume_front("error=");
  return flag.starts_with("khal-");
}

void addClangArguments(const Raw &raw, CommandLine &command) {
  std::vector<std::string> &arguments = command.clangArgs;
  for (const std::string &macro : raw.defines)
    arguments.push_back("-D" + macro);
  for (const std::string &folder : raw.includes)
    arguments.push_back("-I" + folder);
  for (const std::string &folder : raw.systemIncludes)
    arguments.insert(arguments.end(), {"-isystem", folder});
  for (const std::string &file : raw.forcedIncludes)
    arguments.insert(arguments.end(), {"-include", file});
  for (const std::string &warning : raw.warnings)
    if (isOwnWarning(warning))
      command.warnings.push_back(warning);
    else
      arguments.push_back("-W" + warning);
  if (!raw.standard.empty())
    arguments.push_back("-std=" + raw.standard);
}

bool understand(const Raw &raw, CommandLine &command, diag::Engine &diagnostics) {
  command.inputs = raw.inputs;
  if (command.inputs.empty())
    diagnostics.report(diag::Id::no_input);
  if (!readTargets(raw, command, diagnostics) || !readEmits(raw, command, diagnostics))
    return false;
  if (!raw.cpuArch.empty() && !splitList("--cpu-arch", raw.cpuArch, diagnostics, command.cpuLevels))
    return false;
  if (!readPtxArchs(raw, command, diagnostics))
    return false;
  readFloatMode(raw, command, diagnostics);
  readSanitizers(raw, command, diagnostics);
  if (!isNamespaceName(command.hostNamespace))
    diagnostics.report(diag::Id::bad_namespace, {command.hostNamespace});
  if (!command.depfile.empty() && command.inputs.size() > 1)
    diagnostics.report(diag::Id::depfile_for_many, {std::to_string(command.inputs.size())});
  command.writeDepfile |= !command.depfile.empty();
  addClangArguments(raw, command);
  for (const std::string &warning : command.warnings)
    if (!diagnostics.controlWarning(warning))
      diagnostics.report(diag::Id::unknown_warning, {warning});
  return !diagnostics.hasErrors();
}

/// CLI11's wording of what is wrong with an option's value, as part of a sentence.
std::string wordingOf(const CLI::ParseError &error) {
  std::string text = error.what();
  if (!text.empty() && text.back() == '.')
    text.pop_back();
  return text;
}

} // namespace

bool CommandLine::wants(Target target) const {
  return llvm::any_of(targets,
                      [target](const WantedTarget &wanted) { return wanted.target == target; });
}
bool CommandLine::wants(Emit emit) const {
  return llvm::is_contained(emits, emit);
}

std::optional<CommandLine> parseCommandLine(const std::vector<std::string> &arguments,
                                            llvm::raw_ostream &out, diag::Engine &diagnostics) {
  CommandLine command;
  Raw raw;
  CLI::App app(description, "khalc");
  app.footer(footer);
  app.allow_extras(); // to say in our own words what isn't an option
  app.get_formatter()->column_width(24);
  app.get_formatter()->label("OPTIONS", "options");
  declareOptions(app, raw, command);
  std::vector<std::string> normal = normalised(arguments);
  std::reverse(normal.begin(), normal.end()); // CLI11 takes them from the end
  try {
    app.parse(std::move(normal));
  } catch (const CLI::CallForHelp &) {
    out << app.help();
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    diagnostics.report(diag::Id::command_line, {wordingOf(error)});
    return std::nullopt;
  }
  std::vector<std::string> unknown = app.remaining();
  std::erase(unknown, "--"); // CLI11 counts the end of options as left over
  if (!unknown.empty()) {
    diagnostics.report(diag::Id::unknown_option, {unknown.front()});
    return std::nullopt;
  }
  if (raw.version) {
    out << "khalc " KHAL_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    return std::nullopt;
  }
  if (!understand(raw, command, diagnostics))
    return std::nullopt;
  return command;
}

} // namespace khalc

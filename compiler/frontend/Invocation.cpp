//===- Invocation.cpp - Clang set up for one device ABI ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Invocation.h"

#include "kernel/DebuggerNames.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"

#include "llvm/TargetParser/Host.h"

namespace khalc {

namespace {

std::string tripleOf(DeviceAbi abi) {
  switch (abi) {
  case DeviceAbi::Nvptx:
    return "nvptx64-nvidia-cuda";
  case DeviceAbi::Shader:
    return "spirv32-unknown-unknown";
  case DeviceAbi::Host:
    break;
  }
  return llvm::sys::getDefaultTargetTriple();
}

std::vector<std::string> languageArguments() {
  return {"-x", "c++", "-std=c++20",
          // glibc and libstdc++ ask for it.
          "-fgnuc-version=4.2.1", "-fdeprecated-macro",
          // No work-item may be moved across a barrier that it can't see.
          "-fconvergent-functions", "-fno-threadsafe-statics", "-ferror-limit", "20",
          // Each operation on f16 is rounded to f16, on every target.
          "-ffloat16-excess-precision=none"};
}

std::vector<std::string> codeArguments(const FrontendOptions &options) {
  std::vector<std::string> arguments = {
      // Optimised-style code (no `optnone`, lifetimes, TBAA) whatever the user's level: a shader
      // must be able to inline everything. Which passes run is the targets' business.
      "-O2", "-disable-llvm-passes", "-dwarf-version=5",
      // The same bytes wherever it is compiled.
      "-fdebug-compilation-dir=."};
  arguments.push_back(options.debugInfo ? "-debug-info-kind=limited"
                                        : "-debug-info-kind=line-tables-only");
  return arguments;
}

std::vector<std::string> floatArguments(FloatMode mode, DeviceAbi abi) {
  switch (mode) {
  case FloatMode::Strict:
    return {"-ffp-contract=off", "-D__KHAL_FP_STRICT__=1"};
  case FloatMode::Default:
    break;
  case FloatMode::Fast: {
    // Not -ffast-math: infinities and NaN mark missing values in many a kernel.
    std::vector<std::string> arguments = {"-ffp-contract=fast", "-mreassociate",
                                          "-freciprocal-math", "-fapprox-func",
                                          "-fno-signed-zeros"};
    if (abi == DeviceAbi::Nvptx) // the .ftz forms of PTX
      arguments.push_back("-fdenormal-fp-math-f32=preserve-sign,preserve-sign");
    return arguments;
  }
  }
  return {"-ffp-contract=fast"};
}

/// Of -fsanitize=undefined what needs no run-time type information; a fault is reported and the
/// kernel goes on, as in Clang.
std::vector<std::string> sanitizerArguments(const Sanitizers &sanitizers, DeviceAbi abi) {
  std::vector<std::string> arguments;
  if (abi != DeviceAbi::Host)
    return arguments;
  if (sanitizers.address)
    arguments.push_back("-fsanitize=address");
  if (sanitizers.undefined) {
    const std::string checks =
        "alignment,array-bounds,bool,builtin,enum,float-cast-overflow,integer-divide-by-zero,"
        "nonnull-attribute,null,pointer-overflow,returns-nonnull-attribute,shift-base,"
        "shift-exponent,signed-integer-overflow,vla-bound";
    arguments.push_back("-fsanitize=" + checks);
    arguments.push_back("-fsanitize-recover=" + checks);
  }
  return arguments;
}

std::vector<std::string> targetArguments(DeviceAbi abi, bool forDebugger) {
  std::vector<std::string> arguments = {"-triple", tripleOf(abi), "-D__KHAL__=1"};
  const auto define = [&](const char *name, bool value) {
    arguments.push_back(std::string("-D__KHAL_TARGET_") + name + "__=" + (value ? "1" : "0"));
  };
  if (abi == DeviceAbi::Host && forDebugger)
    arguments.push_back(std::string("-D") + debuggerMacro + "=1");
  define("CPU", abi == DeviceAbi::Host);
  define("PTX", abi == DeviceAbi::Nvptx);
  define("SPIRV", abi == DeviceAbi::Shader);
  switch (abi) {
  case DeviceAbi::Host:
    // The object must link into position-independent programs and shared libraries.
    llvm::append_range(arguments,
                       std::vector<std::string>{"-mrelocation-model", "pic", "-pic-level", "2"});
    break;
  case DeviceAbi::Nvptx:
    llvm::append_range(arguments, std::vector<std::string>{"-target-cpu", "sm_75"});
    [[fallthrough]];
  case DeviceAbi::Shader:
    // The host's C headers look at these to choose their own parts.
    llvm::append_range(arguments, std::vector<std::string>{"-D__x86_64__=1", "-D__LP64__=1",
                                                           "-D_LP64=1", "-D__unix__=1",
                                                           "-D__linux__=1", "-D__gnu_linux__=1",
                                                           "-D__ELF__=1", "-D_GNU_SOURCE=1"});
    break;
  }
  return arguments;
}

void addHeaderFolders(clang::HeaderSearchOptions &search, const FrontendOptions &options,
                      const SystemHeaders &headers) {
  using namespace clang::frontend;
  const auto add = [&](const std::string &folder, IncludeDirGroup group) {
    search.AddPath(folder, group, /*IsFramework=*/false, /*IgnoreSysRoot=*/true);
  };
  // Installed into /usr, khal's headers are among the system's; first in the list, that folder
  // would hide libstdc++'s wrappers of C headers.
  if (!llvm::is_contained(headers.c, options.khalIncludeDir))
    add(options.khalIncludeDir, System);
  for (const std::string &folder : headers.cxx)
    add(folder, CXXSystem);
  add(options.clangResourceDir + "/include", System);
  for (const std::string &folder : headers.c)
    add(folder, ExternCSystem);
  search.UseStandardSystemIncludes = false;
  search.UseStandardCXXIncludes = false;
  search.UseBuiltinIncludes = false;
  search.ResourceDir = options.clangResourceDir;
}

} // namespace

const char *targetNameOf(DeviceAbi abi) {
  switch (abi) {
  case DeviceAbi::Nvptx:
    return "ptx";
  case DeviceAbi::Shader:
    return "spirv";
  case DeviceAbi::Host:
    break;
  }
  return "cpu";
}

bool setUpInvocation(clang::CompilerInvocation &invocation, const FrontendOptions &options,
                     const SystemHeaders &headers, DeviceAbi abi, bool colour,
                     clang::DiagnosticsEngine &clangEngine) {
  std::vector<std::string> arguments = languageArguments();
  llvm::append_range(arguments, codeArguments(options));
  llvm::append_range(arguments, floatArguments(options.floatMode, abi));
  llvm::append_range(arguments, sanitizerArguments(options.sanitizers, abi));
  llvm::append_range(arguments,
                     targetArguments(abi, options.debugInfo && options.optimisationLevel == 0));
  llvm::append_range(arguments, options.clangArgs);
  if (colour)
    arguments.push_back("-fcolor-diagnostics");
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(invocation, pointers, clangEngine))
    return false;

  addHeaderFolders(invocation.getHeaderSearchOpts(), options, headers);
  // `throw` and `try` parse, so that host code in the same file may have them and a kernel's are
  // reported with the chain of calls; no code is made for unwinding.
  invocation.getLangOpts().CXXExceptions = true;
  invocation.getLangOpts().Exceptions = false;
  clang::FrontendOptions &frontend = invocation.getFrontendOpts();
  frontend.Inputs.clear();
  frontend.Inputs.emplace_back(options.input, clang::InputKind(clang::Language::CXX));
  frontend.ProgramAction = clang::frontend::EmitLLVMOnly;
  frontend.DisableFree = false;
  return true;
}

} // namespace khalc

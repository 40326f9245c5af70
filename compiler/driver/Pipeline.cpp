//===- Pipeline.cpp - one kernel file from source to outputs ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows all stages.
//
//===------------------------------------------------------------------------------------------===//
#include "driver/Pipeline.h"

#include "bindings/Bindings.h"
#include "check/DivergentCalls.h"
#include "diag/Diagnostics.h"
#include "driver/Depfile.h"
#include "driver/Dumps.h"
#include "driver/Reflection.h"
#include "driver/StageClock.h"
#include "frontend/Frontend.h"
#include "target/cpu/Cpu.h"
#include "target/nvptx/Nvptx.h"
#include "target/shader/Shader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"

namespace khalc {

namespace {

using khal::abi::Target;

/// What is compiled from the Shader ABI.
std::vector<WantedTarget> shaderTargets(const CommandLine &command) {
  std::vector<WantedTarget> wanted;
  llvm::copy_if(command.targets, std::back_inserter(wanted), [](const WantedTarget &each) {
    return each.target != Target::cpu && each.target != Target::ptx;
  });
  return wanted;
}

FrontendOptions frontendOptions(const CommandLine &command, const Installation &installation,
                                const std::string &input) {
  FrontendOptions options;
  options.input = input;
  options.clangArgs = command.clangArgs;
  options.khalIncludeDir = installation.khalIncludeDir;
  options.clangResourceDir = installation.clangResourceDir;
  options.optimisationLevel = command.optimisationLevel;
  options.debugInfo = command.debugInfo;
  options.floatMode = command.floatMode;
  options.sanitizers = command.sanitizers;
  if (command.wants(Target::cpu))
    options.abis.push_back(DeviceAbi::Host);
  if (command.wants(Target::ptx))
    options.abis.push_back(DeviceAbi::Nvptx);
  if (!shaderTargets(command).empty())
    options.abis.push_back(DeviceAbi::Shader);
  return options;
}

TargetOptions targetOptions(const CommandLine &command, Dumps &dumps) {
  TargetOptions options;
  options.optimisationLevel = command.optimisationLevel;
  options.debugInfo = command.debugInfo;
  options.floatMode = command.floatMode;
  options.sanitizers = command.sanitizers;
  if (!command.ptxArchs.empty())
    options.ptxArchs = command.ptxArchs;
  if (!command.cpuLevels.empty())
    options.cpuLevels = command.cpuLevels;
  if (dumps.wanted())
    options.dump = [&dumps](const std::string &stage, const std::string &text) {
      dumps.write(stage, text);
    };
  return options;
}

std::unique_ptr<llvm::Module> take(FrontendResult &parsed, DeviceAbi abi) {
  return std::move(parsed.modules[static_cast<size_t>(abi)]);
}

void warnOfDivergentCalls(const FrontendResult &parsed, diag::Engine &diagnostics) {
  const auto *any =
      llvm::find_if(parsed.modules, [](const auto &module) { return module != nullptr; });
  if (any != parsed.modules.end())
    check::warnOfDivergentCalls(**any, parsed.file, diagnostics);
}

/// What the targets made of a file.
struct Compiled {
  std::vector<CompiledKernel> kernels;
  std::unique_ptr<llvm::Module> cpuModule;
};

/// Each target asked for, one after the other: they share an LLVMContext.
std::optional<Compiled> compileForTargets(const CommandLine &command, FrontendResult &parsed,
                                          const TargetOptions &options, StageClock &clock,
                                          diag::Engine &diagnostics) {
  Compiled compiled;
  if (command.wants(Target::cpu)) {
    auto cpu = cpu::compile(take(parsed, DeviceAbi::Host), parsed.file, options, diagnostics);
    clock.finished("cpu");
    if (!cpu)
      return std::nullopt;
    compiled.cpuModule = std::move(cpu->module);
    llvm::append_range(compiled.kernels, std::move(cpu->kernels));
  }
  if (command.wants(Target::ptx)) {
    auto ptx = nvptx::compile(take(parsed, DeviceAbi::Nvptx), parsed.file, options, diagnostics);
    clock.finished("ptx");
    if (!ptx)
      return std::nullopt;
    llvm::append_range(compiled.kernels, std::move(*ptx));
  }
  if (const std::vector<WantedTarget> targets = shaderTargets(command); !targets.empty()) {
    auto shaders = shader::compile(take(parsed, DeviceAbi::Shader), parsed.file, targets, options,
                                   diagnostics);
    clock.finished("shaders");
    if (!shaders)
      return std::nullopt;
    llvm::append_range(compiled.kernels, std::move(*shaders));
  }
  return compiled;
}

const char *extensionOf(Target target) {
  switch (target) {
  case Target::ptx:
    return ".ptx";
  case Target::spirv:
    return ".spv";
  case Target::glsl:
    return ".comp";
  case Target::hlsl:
    return ".hlsl";
  case Target::msl:
    return ".metal";
  case Target::wgsl:
    return ".wgsl";
  case Target::cpu: // machine code is in the object alone
    break;
  }
  return "";
}

/// The code of each kernel as its target's own tools read it: add.axpy_float.ptx, ….spv.
std::vector<Output> codeFiles(const std::string &stem, const KernelFile &file,
                              const std::vector<CompiledKernel> &compiled) {
  std::vector<Output> outputs;
  llvm::StringSet<> used;
  for (const KernelInfo &kernel : file.kernels) {
    std::string name;
    for (const char c : kernel.displayName)
      if (llvm::isAlnum(c) || c == '_')
        name += c;
      else if (!name.empty() && name.back() != '_')
        name += '_';
    name = llvm::StringRef(name).rtrim('_').str();
    std::string unique = name;
    for (unsigned i = 2; !used.insert(unique).second; ++i) // overloads
      unique = name + "_" + std::to_string(i);
    llvm::StringMap<unsigned> forms; // by extension: a target may have several, the best first
    for (const CompiledKernel &artifact : compiled) {
      if (artifact.kernelSymbol != kernel.symbol || artifact.target == Target::cpu ||
          !artifact.unavailable.empty())
        continue;
      const char *extension = extensionOf(artifact.target);
      const unsigned form = ++forms[extension];
      const std::string number = form == 1 ? "" : "." + std::to_string(form);
      outputs.push_back({stem + "." + unique + number + extension, artifact.code});
    }
  }
  return outputs;
}

} // namespace

std::string outputStem(const CommandLine &command, const std::string &input) {
  llvm::SmallString<128> path(command.outputDir == "." ? "" : command.outputDir);
  llvm::sys::path::append(path, llvm::sys::path::stem(input));
  return std::string(path);
}

std::optional<std::vector<Output>> compileFile(const CommandLine &command,
                                               const Installation &installation,
                                               const std::string &input,
                                               diag::Engine &diagnostics) {
  Dumps dumps(command.dumpDir, input, diagnostics);
  StageClock clock(command.verbose, input, diagnostics.out());
  llvm::LLVMContext context;

  // C++ to kernels and IR, once for each ABI that a target needs.
  auto parsed = runFrontend(frontendOptions(command, installation, input), context, diagnostics);
  clock.finished("frontend");
  if (!parsed)
    return std::nullopt;
  for (const auto &module : parsed->modules)
    if (module)
      dumps.write("frontend-" + module->getTargetTriple().getArchName().str(), *module);

  // Once for a file: what work-items agree on is the same on every target.
  warnOfDivergentCalls(*parsed, diagnostics);
  if (diagnostics.hasErrors())
    return std::nullopt;

  // IR to machine code, PTX, SPIR-V and shading languages.
  const TargetOptions options = targetOptions(command, dumps);
  auto compiled = compileForTargets(command, *parsed, options, clock, diagnostics);
  if (!compiled)
    return std::nullopt;

  // All of it to what the host program includes and links.
  const std::string stem = outputStem(command, input);
  std::vector<Output> outputs;
  if (command.wants(Emit::Header))
    outputs.push_back(
        {stem + ".khal.hpp", bindings::writeHeader(parsed->file, command.hostNamespace)});
  if (command.wants(Emit::Json))
    outputs.push_back({stem + ".khal.json", kernelsAsJson(parsed->file, compiled->kernels)});
  if (command.wants(Emit::Text))
    llvm::append_range(outputs, codeFiles(stem, parsed->file, compiled->kernels));
  if (command.wants(Emit::Object)) {
    auto object =
        bindings::writeObject(parsed->file, compiled->kernels, std::move(compiled->cpuModule),
                              context, options, diagnostics);
    if (!object)
      return std::nullopt;
    outputs.push_back({stem + ".khal.o", std::move(*object)});
  }
  clock.finished("bindings");
  if (command.writeDepfile)
    outputs.push_back(depfile(command.depfile.empty() ? stem + ".khal.d" : command.depfile, outputs,
                              parsed->dependencies));
  if (diagnostics.hasErrors())
    return std::nullopt;
  return outputs;
}

} // namespace khalc

//===- khal-opt - one stage of the compiler alone ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   khal-opt --abi=shader --emit-ir file.cpp      the IR that targets start from
//   khal-opt --emit-kernels file.cpp              the kernels and structs, as JSON
//   khal-opt --abi=shader --stage=name file.cpp   what a stage makes of the IR
//
//===------------------------------------------------------------------------------------------===//
#include "Stage.h"

#include "diag/Diagnostics.h"
#include "driver/Reflection.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace khal_opt {
#define KHAL_STAGE(name, function, help) Stage function;
#include "Stages.def"
} // namespace khal_opt

using namespace khal_opt;
namespace cl = llvm::cl;

namespace {

struct NamedStage {
  const char *name;
  Stage *run;
  const char *help;
};

const NamedStage stages[] = {
#define KHAL_STAGE(name, function, help) {name, function, help},
#include "Stages.def"
    {nullptr, nullptr, nullptr}};

cl::OptionCategory category("khal-opt");
cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("FILE.cpp"), cl::cat(category));
cl::opt<khalc::DeviceAbi>
    abi("abi", cl::desc("which ABI's IR"), cl::init(khalc::DeviceAbi::Host), cl::cat(category),
        cl::values(clEnumValN(khalc::DeviceAbi::Host, "host", "the CPU's"),
                   clEnumValN(khalc::DeviceAbi::Nvptx, "nvptx", "PTX's"),
                   clEnumValN(khalc::DeviceAbi::Shader, "shader", "that of all shader targets")));
cl::opt<bool> emitIr("emit-ir", cl::desc("print the frontend's IR"), cl::cat(category));
cl::opt<bool> emitKernels("emit-kernels",
                          cl::desc("print kernels and structs as JSON, with the "
                                   "layout of all ABIs"),
                          cl::cat(category));
cl::opt<std::string> stageName("stage", cl::desc("run one stage on the IR and print its result"),
                               cl::cat(category));
cl::opt<unsigned> level("level", cl::desc("optimisation level 0 to 3"), cl::init(2),
                        cl::cat(category));
cl::opt<khalc::FloatMode>
    floatMode("fp", cl::desc("how exactly floats are computed"),
              cl::init(khalc::FloatMode::Default), cl::cat(category),
              cl::values(clEnumValN(khalc::FloatMode::Strict, "strict", "the same bits everywhere"),
                         clEnumValN(khalc::FloatMode::Default, "default", "may be fused"),
                         clEnumValN(khalc::FloatMode::Fast, "fast", "approximate")));
cl::opt<bool> debugInfo("debug-info", cl::desc("full debug information"), cl::cat(category));
cl::list<std::string> clangArgument("clang", cl::desc("one argument for Clang: --clang=-DX=1"),
                                    cl::cat(category));
cl::opt<std::string> khalInclude("khal-include", cl::desc("folder that holds khal/kernel.hpp"),
                                 cl::init(KHAL_SOURCE_INCLUDE_DIR), cl::cat(category));
cl::opt<std::string> resourceDir("resource-dir", cl::desc("Clang's resource folder"),
                                 cl::init(KHAL_CLANG_RESOURCE_DIR), cl::cat(category));

int finish(const khalc::diag::Engine &diagnostics) {
  return static_cast<int>(diagnostics.exitCode());
}

Stage *findStage() {
  for (const NamedStage &stage : stages)
    if (stage.name && stageName == stage.name)
      return stage.run;
  llvm::errs() << "khal-opt: no stage '" << stageName << "'; there are:\n";
  for (const NamedStage &stage : stages)
    if (stage.name)
      llvm::errs() << "  " << stage.name << "  " << stage.help << '\n';
  return nullptr;
}

} // namespace

int main(int argc, char **argv) {
  const llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "runs one stage of khalc alone\n");
  Stage *stage = nullptr;
  if (!stageName.empty() && !(stage = findStage()))
    return static_cast<int>(khalc::diag::ExitCode::BadUse);

  khalc::diag::Engine diagnostics(/*colour=*/false);
  khalc::FrontendOptions options;
  options.input = input;
  options.clangArgs.assign(clangArgument.begin(), clangArgument.end());
  options.khalIncludeDir = khalInclude;
  options.clangResourceDir = resourceDir;
  options.debugInfo = debugInfo;
  options.floatMode = floatMode;
  options.optimisationLevel = level;
  options.abis = {abi};
  if (emitKernels)
    options.abis = {khalc::DeviceAbi::Host, khalc::DeviceAbi::Nvptx, khalc::DeviceAbi::Shader};

  llvm::LLVMContext context;
  std::optional<khalc::FrontendResult> result = khalc::runFrontend(options, context, diagnostics);
  if (!result)
    return finish(diagnostics);
  if (emitKernels)
    llvm::outs() << khalc::kernelsAsJson(result->file);
  std::unique_ptr<llvm::Module> &module = result->modules[static_cast<size_t>(abi.getValue())];
  if (llvm::verifyModule(*module, &llvm::errs()))
    return static_cast<int>(khalc::diag::ExitCode::Internal);
  if (emitIr)
    module->print(llvm::outs(), nullptr);
  if (stage) {
    StageInput stageInput{abi, std::move(module), result->file, level, floatMode, diagnostics};
    if (!stage(stageInput, llvm::outs()) && !diagnostics.hasErrors())
      return static_cast<int>(khalc::diag::ExitCode::Internal);
  }
  return finish(diagnostics);
}

//===- Nvptx.cpp - the PTX target's door ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/Nvptx.h"

#include "diag/Diagnostics.h"
#include "ir/BackendErrors.h"
#include "ir/Builtins.h"
#include "ir/Passes.h"
#include "ir/Prepare.h"
#include "ir/PrivateArrays.h"
#include "ir/PrivateMemory.h"
#include "target/nvptx/AddressSpaces.h"
#include "target/nvptx/DebugLines.h"
#include "target/nvptx/Entry.h"
#include "target/nvptx/LowerBuiltins.h"
#include "target/nvptx/Maths.h"
#include "target/nvptx/NarrowAbs.h"
#include "target/nvptx/PtxWriter.h"
#include "target/nvptx/UnrollShortLoops.h"
#include "target/nvptx/WideCopies.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

class Compilation {
public:
  Compilation(std::unique_ptr<Module> module, const KernelFile &file, const TargetOptions &options,
              diag::Engine &diagnostics)
      : module(std::move(module)), file(file), options(options), diagnostics(diagnostics) {}

  std::optional<std::vector<CompiledKernel>> run() {
    for (const std::string &architecture : options.ptxArchs) {
      machines.push_back({architecture, createMachine(architecture, options, diagnostics)});
      if (!machines.back().machine)
        return std::nullopt;
    }
    if (!prepare())
      return std::nullopt;
    std::vector<CompiledKernel> compiled;
    for (const KernelInfo &kernel : file.kernels)
      for (const Machine &machine : machines) {
        std::optional<CompiledKernel> one = compileOne(kernel, machine);
        if (!one)
          return std::nullopt;
        compiled.push_back(std::move(*one));
      }
    return compiled;
  }

private:
  struct Machine {
    std::string architecture;
    std::unique_ptr<TargetMachine> machine;
  };

  /// All kernels together: each becomes one function without calls, in PTX's terms.
  bool prepare() {
    // Architectures differ in neither.
    const TargetMachine &any = *machines.front().machine;
    module->setTargetTriple(any.getTargetTriple());
    module->setDataLayout(any.createDataLayout());
    annotateBuiltins(*module);
    // Before inlining, which would otherwise see generic addresses only.
    placeVariables(*module);
    bool good = true;
    for (const KernelInfo &kernel : file.kernels) {
      Function *entry = buildEntry(*module, kernel);
      if (!entry) {
        diagnostics.report(diag::Id::kernel_without_body, kernel.position, {kernel.displayName});
        return false;
      }
      entries.push_back(entry);
      // All kernels are looked at, so that one run says all that is wrong.
      good &= inlineEverything(*entry, diagnostics);
    }
    if (!good)
      return false;
    for (auto [kernel, entry] : zip(file.kernels, entries)) {
      specialiseForGroupSize(*entry, kernel.groupSize);
      lowerBuiltins(*entry, kernel);
    }
    keepOnly(*module, entries);
    // After the unused is gone, so that only what kernels need is linked.
    if (!lowerMaths(*module, entries, diagnostics))
      return false;
    // While everything knows its place in the source.
    for (Function *entry : entries) {
      good &= checkPrivateMemory(*entry, diagnostics);
      makePrivateAtomicsPlain(*entry);
    }
    if (!good)
      return false;
    asmPlaces.emplace(*module, diagnostics);
    reduceDebugInfo(*module, options.debugInfo);
    dump("ptx-prepared", *module);
    return true;
  }

  std::optional<CompiledKernel> compileOne(const KernelInfo &kernel, const Machine &wanted) {
    std::unique_ptr<Module> own = moduleOf(kernel, wanted);
    optimise(*own, *wanted.machine);
    dump("ptx-optimised", *own);
    std::optional<std::string> text =
        writePtx(*own, *wanted.machine, kernel.displayName, *asmPlaces, diagnostics);
    if (!text)
      return std::nullopt;
    if (options.dump)
      options.dump("ptx-text", *text);
    CompiledKernel compiled;
    compiled.kernelSymbol = kernel.symbol;
    compiled.target = khal::abi::Target::ptx;
    compiled.variant = wanted.architecture;
    compiled.entry = kernel.symbol;
    compiled.code = std::move(*text);
    compiled.sharedBytes = sharedBytes(*own);
    return compiled;
  }

  /// A module with this kernel alone; the last one asked for gets the module itself.
  std::unique_ptr<Module> moduleOf(const KernelInfo &kernel, const Machine &wanted) {
    std::unique_ptr<Module> own;
    if (kernel.symbol == file.kernels.back().symbol && &wanted == &machines.back()) {
      own = std::move(module);
    } else {
      ValueToValueMapTy map;
      own = CloneModule(*module, map, [&](const GlobalValue *value) {
        return !is_contained(entries, value) || value->getName() == kernel.symbol;
      });
    }
    keepOnly(*own, own->getFunction(kernel.symbol));
    return own;
  }

  void optimise(Module &own, TargetMachine &machine) {
    Passes passes(&machine);
    passes.builder.registerPipelineStartEPCallback([](ModulePassManager &start, OptimizationLevel) {
      FunctionPassManager early;
      // State spaces first: alias analysis and every later pass gain by them.
      early.addPass(WideCopies());
      early.addPass(InferAddressSpacesPass());
      early.addPass(UnrollPrivateArrayLoops(RegisterTiles::Unroll));
      start.addPass(createModuleToFunctionPassAdaptor(std::move(early)));
    });
    if (options.optimisationLevel > 1)
      passes.builder.registerVectorizerStartEPCallback(
          [](FunctionPassManager &beforeUnrolling, OptimizationLevel) {
            beforeUnrolling.addPass(UnrollShortLoops());
          });
    passes.builder.buildPerModuleDefaultPipeline(pipelineLevel()).run(own, passes.modules);
    for (Function &function : own)
      widenNarrowAbs(function);
  }

  /// Nothing runs without inlining and registers on a GPU, so the least is -O1.
  OptimizationLevel pipelineLevel() const {
    switch (options.optimisationLevel) {
    case 0:
    case 1:
      return OptimizationLevel::O1;
    case 2:
      return OptimizationLevel::O2;
    default:
      return OptimizationLevel::O3;
    }
  }

  void dump(const std::string &stage, const Module &shown) const {
    if (!options.dump)
      return;
    std::string text;
    raw_string_ostream out(text);
    shown.print(out, nullptr);
    options.dump(stage, text);
  }

  std::unique_ptr<Module> module;
  const KernelFile &file;
  const TargetOptions &options;
  diag::Engine &diagnostics;
  std::vector<Machine> machines;   ///< in the order of options.ptxArchs
  SmallVector<Function *> entries; ///< in the order of file.kernels
  std::optional<AsmPlaces> asmPlaces;
};

} // namespace

std::optional<std::vector<CompiledKernel>> compile(std::unique_ptr<Module> module,
                                                   const KernelFile &file,
                                                   const TargetOptions &options,
                                                   diag::Engine &diagnostics) {
  return Compilation(std::move(module), file, options, diagnostics).run();
}

} // namespace khalc::nvptx

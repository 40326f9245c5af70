//===- Cpu.cpp - the CPU target's door -------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/Cpu.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "ir/Passes.h"
#include "ir/Prepare.h"
#include "target/cpu/BarrierRegions.h"
#include "target/cpu/GroupAtomics.h"
#include "target/cpu/GroupSignature.h"
#include "target/cpu/ItemFunction.h"
#include "target/cpu/LaunchFunction.h"
#include "target/cpu/Levels.h"
#include "target/cpu/WorkItemLoops.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

/// A kernel on its way.
struct Lowered {
  const KernelInfo *kernel;
  /// Replaced under the same name when its arguments change, or gone if it does nothing.
  std::string group;
  Function *launch;
  uint32_t sharedBytes;
  uint32_t scratchBytes;
};

class Compilation {
public:
  Compilation(std::unique_ptr<Module> module, const KernelFile &file, const TargetOptions &options,
              diag::Engine &diagnostics)
      : module(std::move(module)), file(file), options(options), diagnostics(diagnostics) {}

  std::optional<Result> run() {
    machine = createMachine(module->getTargetTriple(), options, diagnostics);
    if (!machine)
      return std::nullopt;
    std::optional<std::vector<Level>> found = findLevels(options, *machine, diagnostics);
    if (!found)
      return std::nullopt;
    levels = std::move(*found);
    if (!lowerAll())
      return std::nullopt;
    // What doesn't depend on the level is done once, before the code is multiplied.
    simplify();
    Result result;
    for (const Lowered &one : lowered)
      makeLevels(one, result.kernels);
    optimise();
    dump("cpu-optimised");
    result.module = std::move(module);
    return result;
  }

private:
  bool lowerAll() {
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
    annotateBuiltins(*module);
    bool good = true;
    // All kernels are looked at, so that one run says all that is wrong.
    for (const KernelInfo &kernel : file.kernels)
      good &= lower(kernel);
    if (!good)
      return false;
    SmallVector<Function *> entries;
    for (const Lowered &one : lowered)
      entries.push_back(one.launch);
    keepOnly(*module, entries);
    dump("cpu-lowered");
    return true;
  }

  bool lower(const KernelInfo &kernel) {
    bool keepVariables = options.optimisationLevel == 0;
    ItemFunction item = buildItemFunction(*module, kernel, keepVariables, diagnostics);
    if (!item.function)
      return false;
    BarrierRegions regions = formBarrierRegions(*item.function);
    GroupFunction group = buildWorkItemLoops(*item.function, regions, kernel);
    item.function->eraseFromParent();
    GroupSignature signature(kernel);
    simplifyGroupAtomics(*group.function, *group.function->getArg(signature.shared()));

    constexpr uint64_t contextAlignment = 64;
    uint64_t contextOffset = alignTo(uint64_t{item.sharedBytes}, contextAlignment);
    uint64_t scratchBytes = contextOffset + group.contextBytes;
    if (!isUInt<32>(scratchBytes)) {
      diagnostics.report(diag::Id::cpu_too_much_memory, kernel.position,
                         {kernel.displayName, std::to_string(scratchBytes)});
      return false;
    }
    Function *launch = buildLaunchFunction(*group.function, kernel, contextOffset,
                                           launchName(kernel, levels.front()));
    lowered.push_back({&kernel, group.function->getName().str(), launch, item.sharedBytes,
                       static_cast<uint32_t>(scratchBytes)});
    return true;
  }

  static std::string launchName(const KernelInfo &kernel, const Level &level) {
    return "khal_cpu_" + kernel.symbol + "_" + level.identifier();
  }

  /// The first level takes the functions as they are, the others get copies.
  void makeLevels(const Lowered &one, std::vector<CompiledKernel> &compiled) {
    Function *group = module->getFunction(one.group);
    for (const Level &level : ArrayRef(levels).drop_front()) {
      ValueToValueMapTy map;
      Function *launchCopy = CloneFunction(one.launch, map);
      launchCopy->setName(launchName(*one.kernel, level));
      level.applyTo(*launchCopy);
      if (!group)
        continue;
      Function *groupCopy = CloneFunction(group, map);
      level.applyTo(*groupCopy);
      for (User *user : make_early_inc_range(group->users()))
        if (auto *call = dyn_cast<CallInst>(user); call && call->getFunction() == launchCopy)
          call->setCalledFunction(groupCopy);
    }
    applyFirstLevel(one);
    for (const Level &level : levels) {
      CompiledKernel entry;
      entry.kernelSymbol = one.kernel->symbol;
      entry.target = khal::abi::Target::cpu;
      entry.variant = level.name;
      entry.cpuFunction = launchName(*one.kernel, level);
      entry.scratchBytes = one.scratchBytes;
      entry.sharedBytes = one.sharedBytes;
      compiled.push_back(std::move(entry));
    }
  }

  void applyFirstLevel(const Lowered &one) {
    levels.front().applyTo(*one.launch);
    if (Function *group = module->getFunction(one.group))
      levels.front().applyTo(*group);
  }

  void simplify() {
    if (options.optimisationLevel == 0)
      return;
    for (const Lowered &one : lowered)
      applyFirstLevel(one);
    Passes passes(machine.get());
    passes.builder.buildModuleSimplificationPipeline(pipelineLevel(), ThinOrFullLTOPhase::None)
        .run(*module, passes.modules);
  }

  void optimise() {
    if (options.optimisationLevel == 0)
      return;
    PipelineTuningOptions tuning;
    tuning.LoopVectorization = options.optimisationLevel > 1;
    tuning.SLPVectorization = options.optimisationLevel > 1;
    Passes passes(machine.get(), tuning);
    passes.builder.buildModuleOptimizationPipeline(pipelineLevel(), ThinOrFullLTOPhase::None)
        .run(*module, passes.modules);
  }

  OptimizationLevel pipelineLevel() const {
    switch (options.optimisationLevel) {
    case 1:
      return OptimizationLevel::O1;
    case 2:
      return OptimizationLevel::O2;
    default:
      return OptimizationLevel::O3;
    }
  }

  void dump(const std::string &stage) const {
    if (!options.dump)
      return;
    std::string text;
    raw_string_ostream out(text);
    module->print(out, nullptr);
    options.dump(stage, text);
  }

  std::unique_ptr<Module> module;
  const KernelFile &file;
  const TargetOptions &options;
  diag::Engine &diagnostics;
  std::unique_ptr<TargetMachine> machine;
  std::vector<Level> levels;
  std::vector<Lowered> lowered;
};

} // namespace

std::optional<Result> compile(std::unique_ptr<Module> module, const KernelFile &file,
                              const TargetOptions &options, diag::Engine &diagnostics) {
  return Compilation(std::move(module), file, options, diagnostics).run();
}

} // namespace khalc::cpu

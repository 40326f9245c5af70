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
#include "target/cpu/DebuggerView.h"
#include "target/cpu/GroupAtomics.h"
#include "target/cpu/GroupSignature.h"
#include "target/cpu/HoistIndices.h"
#include "target/cpu/ItemFunction.h"
#include "target/cpu/LaunchFunction.h"
#include "target/cpu/Levels.h"
#include "target/cpu/WorkItemLoops.h"
#include "target/cpu/simd/VectorRegions.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Instrumentation/AddressSanitizer.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

/// A kernel's code for one level.
struct Variant {
  const KernelInfo *kernel;
  const Level *level;
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
    optimise();
    if (options.sanitizers.address)
      checkAddresses();
    dump("cpu-optimised");
    Result result;
    for (const Variant &variant : variants)
      result.kernels.push_back(describe(variant));
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
    for (const Variant &variant : variants)
      entries.push_back(variant.launch);
    if (const DebuggerView debugger(*module); debugger.isWanted())
      entries.push_back(debugger.finish());
    keepOnly(*module, entries);
    dump("cpu-lowered");
    return true;
  }

  bool lower(const KernelInfo &kernel) {
    bool keepVariables = options.optimisationLevel == 0;
    ItemFunction item = buildItemFunction(*module, kernel, keepVariables, diagnostics);
    if (!item.function)
      return false;
    // What doesn't depend on the level is done once, before the code is multiplied.
    simplifyItem(*item.function);
    if (options.optimisationLevel > 0)
      hoistIndices(*item.function);
    narrowSharedAtomics(*item.function, groupMemory(*item.function, kernel));
    BarrierRegions regions = formBarrierRegions(*item.function, localIds(*item.function, kernel));
    bool good = true;
    {
      simd::VectorRegions vectors = vectorise(*item.function, regions, kernel);
      for (const Level &level : levels)
        good = good && makeVariant(kernel, item, regions, vectors, level);
    }
    item.function->setSubprogram(nullptr);
    item.function->eraseFromParent();
    return good;
  }

  static SmallVector<const Argument *> localIds(Function &item, const KernelInfo &kernel) {
    SmallVector<const Argument *> ids;
    for (unsigned dimension : {0u, 1u, 2u})
      ids.push_back(item.getArg(GroupSignature(kernel).localId(dimension)));
    return ids;
  }

  static SmallVector<Argument *> groupMemory(Function &item, const KernelInfo &kernel) {
    GroupSignature signature(kernel);
    SmallVector<Argument *> memory{item.getArg(signature.shared())};
    for (size_t span = 0; span < kernel.sharedSpans.size(); ++span)
      memory.push_back(item.getArg(signature.sharedSpan(span)));
    return memory;
  }

  simd::VectorRegions vectorise(Function &item, const BarrierRegions &regions,
                                const KernelInfo &kernel) const {
    // A report is of one work-item's access.
    if (options.optimisationLevel < 2 || options.sanitizers.any())
      return simd::VectorRegions(kernel);
    return simd::VectorRegions(item, regions, kernel, options.floatMode == FloatMode::Fast);
  }

  bool makeVariant(const KernelInfo &kernel, const ItemFunction &item,
                   const BarrierRegions &regions, const simd::VectorRegions &vectors,
                   const Level &level) {
    GroupFunction group =
        buildWorkItemLoops(*item.function, regions, kernel, vectors, unitOf(level, *item.function),
                           kernel.symbol + ".group." + level.identifier());
    if (&level != &levels.back())
      giveOwnSource(group);
    level.applyTo(*group.function);
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
    Function *launch =
        buildLaunchFunction(*group.function, kernel, contextOffset,
                            static_cast<uint32_t>(scratchBytes), launchName(kernel, level));
    level.applyTo(*launch);
    variants.push_back(
        {&kernel, &level, launch, item.sharedBytes, static_cast<uint32_t>(scratchBytes)});
    return true;
  }

  /// A place in the source belongs to one function only: all but the last one's are copies.
  static void giveOwnSource(GroupFunction &group) {
    ValueToValueMapTy map;
    Function *copy = CloneFunction(group.function, map);
    copy->takeName(group.function);
    group.function->setSubprogram(nullptr);
    group.function->eraseFromParent();
    group.function = copy;
  }

  simd::VectorUnit unitOf(const Level &level, Function &function) const {
    level.applyTo(function);
    const TargetTransformInfo info = machine->getTargetTransformInfo(function);
    TypeSize bits = info.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector);
    return {std::max<unsigned>(1, bits.getFixedValue() / 32),
            info.getNumberOfRegisters(info.getRegisterClassForType(/*Vector=*/true))};
  }

  static std::string launchName(const KernelInfo &kernel, const Level &level) {
    return "khal_cpu_" + kernel.symbol + "_" + level.identifier();
  }

  static CompiledKernel describe(const Variant &variant) {
    CompiledKernel entry;
    entry.kernelSymbol = variant.kernel->symbol;
    entry.target = khal::abi::Target::cpu;
    entry.variant = variant.level->name;
    entry.cpuFunction = launchName(*variant.kernel, *variant.level);
    entry.scratchBytes = variant.scratchBytes;
    entry.sharedBytes = variant.sharedBytes;
    return entry;
  }

  void simplifyItem(Function &item) {
    if (options.optimisationLevel == 0)
      return;
    levels.front().applyTo(item);
    // A barrier lets other work-items write what an argument that aliases no other points to.
    SmallVector<Argument *> unaliased;
    for (Argument &argument : item.args())
      if (argument.hasNoAliasAttr()) {
        argument.removeAttr(Attribute::NoAlias);
        unaliased.push_back(&argument);
      }
    Passes passes(machine.get());
    passes.builder.buildFunctionSimplificationPipeline(pipelineLevel(), ThinOrFullLTOPhase::None)
        .run(item, passes.functions);
    for (Argument *argument : unaliased)
      argument->addAttr(Attribute::NoAlias);
  }

  /// The loops over work-items and the vectors, as no source would have them, then all the rest.
  void optimise() {
    if (options.optimisationLevel == 0)
      return;
    PipelineTuningOptions tuning;
    tuning.LoopVectorization = options.optimisationLevel > 1;
    tuning.SLPVectorization = options.optimisationLevel > 1;
    Passes passes(machine.get(), tuning);
    ModulePassManager pipeline;
    FunctionPassManager functions;
    functions.addPass(SROAPass(SROAOptions::ModifyCFG));
    functions.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    functions.addPass(SimplifyCFGPass());
    functions.addPass(InstCombinePass());
    functions.addPass(
        createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
    functions.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    functions.addPass(ADCEPass());
    functions.addPass(SimplifyCFGPass());
    pipeline.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
    pipeline.addPass(
        passes.builder.buildModuleOptimizationPipeline(pipelineLevel(), ThinOrFullLTOPhase::None));
    pipeline.run(*module, passes.modules);
  }

  void checkAddresses() {
    for (Function &function : *module)
      if (!function.isDeclaration())
        function.addFnAttr(Attribute::SanitizeAddress);
    Passes passes(machine.get());
    ModulePassManager pipeline;
    pipeline.addPass(AddressSanitizerPass(AddressSanitizerOptions()));
    pipeline.run(*module, passes.modules);
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
  std::vector<Variant> variants;
};

} // namespace

std::optional<Result> compile(std::unique_ptr<Module> module, const KernelFile &file,
                              const TargetOptions &options, diag::Engine &diagnostics) {
  return Compilation(std::move(module), file, options, diagnostics).run();
}

} // namespace khalc::cpu

//===- Shader.cpp - the shader targets' pipeline -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/Shader.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "ir/DotProduct.h"
#include "ir/Extract.h"
#include "ir/Prepare.h"
#include "ir/PrivateMemory.h"
#include "shader/Structured.h"
#include "target/shader/Capabilities.h"
#include "target/shader/CheckTypes.h"
#include "target/shader/DivergentArguments.h"
#include "target/shader/Entry.h"
#include "target/shader/ExactFloat.h"
#include "target/shader/ExpandAtomics.h"
#include "target/shader/ExpandIntrinsics.h"
#include "target/shader/ExpandMemory.h"
#include "target/shader/ExpandRemainder.h"
#include "target/shader/ExpandSubgroups.h"
#include "target/shader/LegaliseIntegers.h"
#include "target/shader/LowerPointers.h"
#include "target/shader/MathLibrary.h"
#include "target/shader/NarrowBarriers.h"
#include "target/shader/Optimise.h"
#include "target/shader/Print.h"
#include "target/shader/ReloadArguments.h"
#include "target/shader/SplitAccesses.h"
#include "target/shader/SplitIntegers.h"
#include "target/shader/WidenAccesses.h"
#include "target/shader/WordViews.h"

#include "khal/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>

using namespace llvm;

namespace khalc::shader {

namespace {

void expandDotProducts(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    std::optional<Builtin> builtin = call ? builtinCalled(*call) : std::nullopt;
    if (!builtin || !isDotProduct(*builtin))
      continue;
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(expandDotProduct(builder, *call, *builtin));
    call->eraseFromParent();
  }
}

using khal::abi::Target;

/// How a kernel must be lowered for a target; targets with equal ways share the work.
struct Way {
  bool views = true;
  bool narrowIntegers = true;
  bool int64 = true;
  bool dotProducts = true; ///< of bytes, as instructions
  SubgroupForms subgroups = everySubgroupForm;
  bool operator==(const Way &) const = default;
};

Way wayFor(Target target) {
  const Capabilities &has = capabilitiesOf(target);
  return {has.views, has.narrowIntegers, has.int64, has.dotProducts, has.subgroups};
}

/// Lowers one kernel in its own module, in one way, and prints it for targets.
class Pipeline {
public:
  Pipeline(Module &module, const KernelInfo &kernel, Way way, const TargetOptions &options,
           diag::Engine &diagnostics)
      : module(module), kernel(kernel), way(way), options(options), diagnostics(diagnostics) {}

  /// False after an error, which the diagnostics then have.
  bool lower() {
    entry = buildEntry(module, kernel);
    if (!inlineEverything(*entry, diagnostics))
      return false;
    if (lowerMaths(*entry) && !inlineEverything(*entry, diagnostics))
      return false;
    expandSubgroups(*entry, way.subgroups);
    specialiseForGroupSize(*entry, kernel.groupSize);
    if (!way.dotProducts)
      expandDotProducts(*entry);
    optimise(*entry, options.optimisationLevel);
    dump("optimised");
    if (!checkPrivateMemory(*entry, diagnostics))
      return false;
    makePrivateAtomicsPlain(*entry);
    // Atomics and copies first: what they become is accesses for pointer lowering to see.
    expandAtomics(*entry);
    expandMemory(*entry);
    promote(*entry);
    splitAccesses(*entry);
    if (way.views)
      widenAccesses(*entry);
    lowered = lowerPointers(*entry, kernel, diagnostics);
    if (!lowered)
      return false;
    if (!way.views)
      useWordViews(*lowered, !way.narrowIntegers, !way.int64);
    cleanUp(*entry);
    narrowBarriers(*entry, *lowered);
    expandRemainder(*entry);
    if (options.floatMode == FloatMode::Strict)
      expandExactFloat(*entry);
    // Intrinsics before integers: their expansions work on odd widths, too.
    expandIntrinsics(*entry);
    constexpr unsigned byteBits = 8, wordBits = 32;
    const IntegerWidths widths{.computed = wordBits,
                               .stored = way.narrowIntegers ? byteBits : wordBits};
    if (!legaliseIntegers(*entry, diagnostics, widths) || !checkTypes(*entry, diagnostics))
      return false;
    cleanUp(*entry);
    reloadArguments(*entry, *lowered);
    lowered->blockIsIndexedApart = indexesArgumentsApart(*entry, *lowered);
    dump("lowered");
    verify();
    return true;
  }

  /// Prints the kernel for one target, in one or more forms; false after an error.
  bool printFor(Target target, std::vector<CompiledKernel> &compiled) {
    if (!checkCapabilities(*entry, target, options.floatMode == FloatMode::Strict, diagnostics))
      return false;
    if (!program) {
      if (!way.int64 && !splitIntegers(*entry, diagnostics))
        return false;
      program = structure(*entry);
      if (options.dump)
        options.dump("shader-structured-" + kernel.symbol, toString(*program));
    }
    if (target != Target::spirv || options.floatMode != FloatMode::Strict)
      return printWith({}, target, compiled);
    // Where a device can't be told to keep subnormals it may still do so, or it can't: a module
    // each, the better first, and the launch takes the first that the device can run.
    return printWith({.specialValues = true, .subnormals = true}, target, compiled) &&
           printWith({.specialValues = true}, target, compiled);
  }

private:
  bool printWith(FloatControls controls, Target target, std::vector<CompiledKernel> &compiled) {
    std::optional<CompiledKernel> one =
        print(*lowered, *program, controls, target, options, diagnostics);
    if (!one)
      return false;
    // A kernel without floats is the same either way.
    const bool isSame =
        !compiled.empty() && compiled.back().target == target && compiled.back().code == one->code;
    if (!isSame)
      compiled.push_back(std::move(*one));
    return true;
  }

  void dump(const char *stage) {
    if (!options.dump)
      return;
    std::string text;
    raw_string_ostream stream(text);
    entry->print(stream);
    options.dump(std::string("shader-") + stage + "-" + kernel.symbol, text);
  }

  void verify() const {
#ifndef NDEBUG
    if (verifyFunction(*entry, &errs()))
      report_fatal_error("the lowered shader function isn't valid IR");
#endif
  }

  Module &module;
  const KernelInfo &kernel;
  const Way way;
  const TargetOptions &options;
  diag::Engine &diagnostics;
  Function *entry = nullptr;
  std::optional<LoweredKernel> lowered;
  std::optional<StructuredFunction> program;
};

/// Compiles one kernel for all targets, in as few ways as they need.
class KernelCompiler {
public:
  KernelCompiler(const Module &module, const KernelInfo &kernel, const TargetOptions &options,
                 diag::Engine &diagnostics)
      : module(module), kernel(kernel), options(options), diagnostics(diagnostics) {}

  /// False when a target that isn't optional can't have the kernel.
  bool run(ArrayRef<WantedTarget> wanted, std::vector<CompiledKernel> &compiled) {
    SmallVector<WantedTarget> rest(wanted);
    bool ok = true;
    while (!rest.empty()) {
      const Way way = wayFor(rest.front().target);
      const auto others =
          std::stable_partition(rest.begin(), rest.end(), [way](const WantedTarget &each) {
            return wayFor(each.target) == way;
          });
      ok &= compile(way, ArrayRef(rest.begin(), others), compiled);
      rest.erase(rest.begin(), others);
    }
    return ok;
  }

private:
  bool compile(Way way, ArrayRef<WantedTarget> wanted, std::vector<CompiledKernel> &compiled) {
    // A module a kernel: the entry's globals and the lowering of functions that kernels share
    // mustn't meet.
    const std::unique_ptr<Module> own = CloneModule(module);
    Pipeline pipeline(*own, kernel, way, options, diagnostics);
    const bool allOptional =
        all_of(wanted, [](const WantedTarget &each) { return each.isOptional; });
    {
      const diag::Engine::Attempt attempt(diagnostics, allOptional);
      if (!pipeline.lower()) {
        for (const WantedTarget &each : wanted)
          if (each.isOptional)
            compiled.push_back(unavailable(each.target, attempt.reason()));
        return allOptional;
      }
    }
    bool ok = true;
    for (const WantedTarget &each : wanted) {
      const diag::Engine::Attempt attempt(diagnostics, each.isOptional);
      if (pipeline.printFor(each.target, compiled)) {
        ok &= addFormWithoutDotProducts(way, each, compiled);
        continue;
      }
      if (each.isOptional)
        compiled.push_back(unavailable(each.target, attempt.reason()));
      else
        ok = false;
    }
    return ok;
  }

  /// Not every Vulkan device has the instructions: a second form is for those without. Of two forms
  /// that a device can run, the launch takes the first.
  bool addFormWithoutDotProducts(Way way, const WantedTarget &wanted,
                                 std::vector<CompiledKernel> &compiled) {
    if (!way.dotProducts || !(compiled.back().features & khal::abi::feature_dot_product))
      return true;
    way.dotProducts = false;
    const std::unique_ptr<Module> own = CloneModule(module);
    Pipeline pipeline(*own, kernel, way, options, diagnostics);
    return pipeline.lower() && pipeline.printFor(wanted.target, compiled);
  }

  CompiledKernel unavailable(Target target, const std::string &reason) {
    diagnostics.report(diag::Id::kernel_unavailable, kernel.position,
                       {kernel.displayName, name_of(target)});
    CompiledKernel artifact;
    artifact.kernelSymbol = kernel.symbol;
    artifact.target = target;
    artifact.unavailable = reason;
    return artifact;
  }

  const Module &module;
  const KernelInfo &kernel;
  const TargetOptions &options;
  diag::Engine &diagnostics;
};

} // namespace

std::optional<std::vector<CompiledKernel>>
compile(std::unique_ptr<Module> module, const KernelFile &file, ArrayRef<WantedTarget> targets,
        const TargetOptions &options, diag::Engine &diagnostics) {
  annotateBuiltins(*module);
  dropListedDebugInfo(*module);
  std::vector<CompiledKernel> compiled;
  bool ok = true;
  for (const KernelInfo &kernel : file.kernels) {
    // Each way works on its own copy, so that it had better be a small one.
    const std::unique_ptr<Module> reached = extract(*module, kernel.bodyFunction);
    std::vector<CompiledKernel> own;
    ok &= KernelCompiler(*reached, kernel, options, diagnostics).run(targets, own);
    stable_sort(
        own, [](const CompiledKernel &a, const CompiledKernel &b) { return a.target < b.target; });
    append_range(compiled, std::move(own));
  }
  if (!ok)
    return std::nullopt;
  return compiled;
}

} // namespace khalc::shader

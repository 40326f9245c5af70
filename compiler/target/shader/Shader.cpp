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
#include "ir/Prepare.h"
#include "ir/PrivateMemory.h"
#include "shader/Structured.h"
#include "shader/spirv/Validate.h"
#include "shader/spirv/Writer.h"
#include "target/shader/CheckTypes.h"
#include "target/shader/Entry.h"
#include "target/shader/ExactFloat.h"
#include "target/shader/ExpandAtomics.h"
#include "target/shader/ExpandIntrinsics.h"
#include "target/shader/ExpandMemory.h"
#include "target/shader/ExpandRemainder.h"
#include "target/shader/LegaliseIntegers.h"
#include "target/shader/LowerPointers.h"
#include "target/shader/MathLibrary.h"
#include "target/shader/NarrowBarriers.h"
#include "target/shader/Optimise.h"
#include "target/shader/WidenAccesses.h"

#include "khal/abi.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace khalc::shader {

namespace {

/// How dot products of bytes are printed: not every Vulkan device has the instructions.
enum class DotProducts { Native, Expanded };

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

class Pipeline {
public:
  Pipeline(Module &module, const KernelInfo &kernel, DotProducts dotProducts,
           const TargetOptions &options, diag::Engine &diagnostics)
      : module(module), kernel(kernel), dotProducts(dotProducts), options(options),
        diagnostics(diagnostics) {}

  /// False after an error.
  bool run() {
    Function *entry = buildEntry(module, kernel);
    if (!inlineEverything(*entry, diagnostics))
      return false;
    if (lowerMaths(*entry) && !inlineEverything(*entry, diagnostics))
      return false;
    specialiseForGroupSize(*entry, kernel.groupSize);
    if (dotProducts == DotProducts::Expanded)
      expandDotProducts(*entry);
    optimise(*entry, options.optimisationLevel);
    dump("optimised", *entry);
    if (!checkPrivateMemory(*entry, diagnostics))
      return false;
    // Atomics and copies first: what they become is accesses for pointer lowering to see.
    expandAtomics(*entry);
    expandMemory(*entry);
    promote(*entry);
    widenAccesses(*entry);
    std::optional<LoweredKernel> lowered = lowerPointers(*entry, kernel, diagnostics);
    if (!lowered)
      return false;
    cleanUp(*entry);
    narrowBarriers(*entry, *lowered);
    expandRemainder(*entry);
    if (options.floatMode == FloatMode::Strict)
      expandExactFloat(*entry);
    // Intrinsics before integers: their expansions work on odd widths, too.
    expandIntrinsics(*entry);
    if (!legaliseIntegers(*entry, diagnostics) || !checkTypes(*entry, diagnostics))
      return false;
    cleanUp(*entry);
    dump("lowered", *entry);
    verify(*entry);

    StructuredFunction program = structure(*entry);
    if (options.dump)
      options.dump("shader-structured-" + kernel.symbol, toString(program));
    if (options.floatMode != FloatMode::Strict)
      return print(*lowered, program, {});
    // Where a device can't be told to keep subnormals it may still do so, or it can't: a module
    // each, the better first, and the launch takes the first that the device can run.
    return print(*lowered, program, {.specialValues = true, .subnormals = true}) &&
           print(*lowered, program, {.specialValues = true});
  }

  std::vector<CompiledKernel> takeCompiled() { return std::move(allCompiled); }

private:
  bool print(const LoweredKernel &lowered, const StructuredFunction &program,
             FloatControls controls) {
    std::optional<spirv::Module> spirv = spirv::write(lowered, program, controls, kernel.name,
                                                      options.debugInfo, diagnostics);
    if (!spirv)
      return false;
    if (options.dump)
      options.dump("spirv-" + kernel.symbol, spirv::disassemble(spirv->words));
    if (std::optional<std::string> fault = spirv::findFault(spirv->words)) {
      diagnostics.report(diag::Id::spirv_invalid, {kernel.displayName, *fault});
      return false;
    }
    CompiledKernel compiled;
    compiled.kernelSymbol = kernel.symbol;
    compiled.target = khal::abi::Target::spirv;
    compiled.variant = spirv->vulkanVersion;
    compiled.entry = kernel.name;
    compiled.code.assign(reinterpret_cast<const char *>(spirv->words.data()),
                         spirv->words.size() * sizeof(uint32_t));
    compiled.features = spirv->features;
    compiled.sharedBytes = lowered.sharedBytes;
    // A kernel without floats is the same either way.
    if (allCompiled.empty() || allCompiled.back().code != compiled.code)
      allCompiled.push_back(std::move(compiled));
    return true;
  }

  void dump(const char *stage, const Function &entry) {
    if (!options.dump)
      return;
    std::string text;
    raw_string_ostream stream(text);
    entry.print(stream);
    options.dump(std::string("shader-") + stage + "-" + kernel.symbol, text);
  }

  static void verify(const Function &entry) {
#ifndef NDEBUG
    if (verifyFunction(entry, &errs()))
      report_fatal_error("the lowered shader function isn't valid IR");
#else
    (void)entry;
#endif
  }

  Module &module;
  const KernelInfo &kernel;
  DotProducts dotProducts;
  const TargetOptions &options;
  diag::Engine &diagnostics;
  std::vector<CompiledKernel> allCompiled;
};

} // namespace

std::optional<std::vector<CompiledKernel>> compileToSpirv(std::unique_ptr<Module> module,
                                                          const KernelFile &file,
                                                          const TargetOptions &options,
                                                          diag::Engine &diagnostics) {
  annotateBuiltins(*module);
  std::vector<CompiledKernel> compiled;
  bool ok = true;
  auto compile = [&](const KernelInfo &kernel, DotProducts dotProducts) {
    // A module a kernel: the entry's globals and the lowering of functions that kernels share
    // mustn't meet.
    std::unique_ptr<Module> own = CloneModule(*module);
    Pipeline pipeline(*own, kernel, dotProducts, options, diagnostics);
    const bool done = pipeline.run();
    append_range(compiled, pipeline.takeCompiled());
    return done;
  };
  for (const KernelInfo &kernel : file.kernels) {
    if (!compile(kernel, DotProducts::Native))
      ok = false;
    // A second form for devices without them. Of two forms that a device can run, the launch takes
    // the first.
    else if (compiled.back().features & khal::abi::feature_dot_product)
      ok &= compile(kernel, DotProducts::Expanded);
  }
  if (!ok)
    return std::nullopt;
  return compiled;
}

} // namespace khalc::shader

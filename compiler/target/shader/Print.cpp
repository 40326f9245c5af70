//===- Print.cpp - a lowered kernel in a shader target's form -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/shader/Print.h"

#include "diag/Diagnostics.h"
#include "shader/cross/Cross.h"
#include "shader/spirv/Validate.h"
#include "shader/spirv/Writer.h"
#include "shader/wgsl/Writer.h"
#include "target/shader/UniformBarriers.h"

namespace khalc::shader {

namespace {

using khal::abi::Target;

std::optional<spirv::Module> printSpirv(const LoweredKernel &kernel,
                                        const StructuredFunction &program, FloatControls controls,
                                        Target target, const TargetOptions &options,
                                        diag::Engine &diagnostics) {
  spirv::Form form = target == Target::spirv ? spirv::Form() : cross::formFor(target);
  form.debugInfo = target == Target::spirv && options.debugInfo;
  std::optional<spirv::Module> module =
      spirv::write(kernel, program, controls, kernel.info->name, form, diagnostics);
  if (!module)
    return std::nullopt;
  if (options.dump) {
    const std::string stage =
        target == Target::spirv ? "spirv-" : std::string("spirv-for-") + name_of(target) + "-";
    options.dump(stage + kernel.info->symbol, spirv::disassemble(module->words));
  }
  if (std::optional<std::string> fault = spirv::findFault(module->words)) {
    diagnostics.report(diag::Id::spirv_invalid, {kernel.info->displayName, *fault});
    return std::nullopt;
  }
  return module;
}

void dumpText(const CompiledKernel &compiled, const LoweredKernel &kernel,
              const TargetOptions &options) {
  if (options.dump)
    options.dump(std::string(name_of(compiled.target)) + "-" + kernel.info->symbol, compiled.code);
}

} // namespace

std::optional<CompiledKernel> print(const LoweredKernel &kernel, const StructuredFunction &program,
                                    FloatControls controls, Target target,
                                    const TargetOptions &options, diag::Engine &diagnostics) {
  CompiledKernel compiled;
  compiled.kernelSymbol = kernel.info->symbol;
  compiled.target = target;
  compiled.sharedBytes = kernel.sharedBytes;
  compiled.maxBufferBytes = kernel.maxBufferBytes;
  if (target == Target::wgsl) {
    const bool divergentSubgroups = firstDivergentSubgroupOperation(*kernel.function) != nullptr;
    std::optional<wgsl::Text> text = wgsl::write(kernel, program, divergentSubgroups, diagnostics);
    if (!text)
      return std::nullopt;
    compiled.entry = text->entry;
    compiled.code = std::move(text->code);
    if (text->usesSubgroups)
      compiled.features |= khal::abi::feature_subgroups;
    dumpText(compiled, kernel, options);
    return compiled;
  }
  std::optional<spirv::Module> module =
      printSpirv(kernel, program, controls, target, options, diagnostics);
  if (!module)
    return std::nullopt;
  compiled.features = module->features;
  if (target == Target::spirv) {
    compiled.variant = module->vulkanVersion;
    compiled.entry = kernel.info->name;
    compiled.code.assign(reinterpret_cast<const char *>(module->words.data()),
                         module->words.size() * sizeof(uint32_t));
    return compiled;
  }
  std::string fault;
  std::optional<cross::Text> text = cross::write(module->words, target, *kernel.info, fault);
  if (!text) {
    diagnostics.report(diag::Id::cross_failed, {kernel.info->displayName, name_of(target), fault});
    return std::nullopt;
  }
  compiled.variant = text->version;
  compiled.entry = text->entry;
  compiled.code = std::move(text->code);
  dumpText(compiled, kernel, options);
  return compiled;
}

} // namespace khalc::shader

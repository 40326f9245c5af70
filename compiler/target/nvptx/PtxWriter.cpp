//===- PtxWriter.cpp - from optimised IR to PTX text ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/PtxWriter.h"

#include "diag/Diagnostics.h"
#include "ir/BackendErrors.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

constexpr StringLiteral tripleName = "nvptx64-nvidia-cuda";

/// Scoped atomics and forward progress of diverged work-items came with Volta.
constexpr unsigned leastArch = 70;

const Target &nvptxTarget() {
  static const Target &target = []() -> const Target & {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    std::string error;
    const Target *found = TargetRegistry::lookupTarget(Triple(tripleName), error);
    if (!found)
      report_fatal_error(Twine("LLVM was built without NVPTX: ") + error);
    return *found;
  }();
  return target;
}

/// The number in "sm_90a"; 0 if there is none.
unsigned archNumber(StringRef arch) {
  unsigned number = 0;
  if (!arch.consume_front("sm_") || arch.consumeInteger(10, number))
    return 0;
  return number;
}

CodeGenOptLevel codeGenLevel(unsigned level) {
  return CodeGenOpt::getLevel(static_cast<int>(level)).value_or(CodeGenOptLevel::Default);
}

} // namespace

std::unique_ptr<TargetMachine> createMachine(const std::string &architecture,
                                             const TargetOptions &options,
                                             diag::Engine &diagnostics) {
  const Target &target = nvptxTarget();
  Triple triple(tripleName);
  // The subtarget prints a complaint of its own for a name it doesn't know; ask the table instead.
  std::unique_ptr<MCSubtargetInfo> table(target.createMCSubtargetInfo(triple, "", ""));
  if (!table->isCPUStringValid(architecture) || archNumber(architecture) < leastArch) {
    diagnostics.report(diag::Id::ptx_unknown_arch,
                       {architecture, "sm_" + std::to_string(leastArch)});
    return nullptr;
  }
  return std::unique_ptr<TargetMachine>(target.createTargetMachine(
      triple, architecture, /*Features=*/"", llvm::TargetOptions(), Reloc::PIC_, std::nullopt,
      codeGenLevel(options.optimisationLevel)));
}

std::optional<std::string> writePtx(Module &module, TargetMachine &machine,
                                    const std::string &kernelName, const AsmPlaces &asmPlaces,
                                    diag::Engine &diagnostics) {
  SmallString<0> text;
  raw_svector_ostream out(text);
  legacy::PassManager passes;
  BackendResult result;
  if (machine.addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::AssemblyFile))
    result.fault = "the NVPTX backend writes no text";
  else
    result = runBackend(passes, module, asmPlaces, diagnostics);
  if (!result.fault.empty())
    diagnostics.report(diag::Id::ptx_backend_failed, {kernelName, result.fault});
  if (result.hasSourceErrors || !result.fault.empty())
    return std::nullopt;
  return text.str().str();
}

} // namespace khalc::nvptx

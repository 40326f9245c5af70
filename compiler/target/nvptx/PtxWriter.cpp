//===- PtxWriter.cpp - from optimised IR to PTX text ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/PtxWriter.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
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

/// Keeps the backend's complaints while it runs, instead of printing them past our own engine.
class BackendErrors : public DiagnosticHandler {
public:
  explicit BackendErrors(std::string &text) : text(text) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    raw_string_ostream out(text);
    DiagnosticPrinterRawOStream printer(out);
    if (!text.empty())
      out << "; ";
    info.print(printer);
    return true;
  }

private:
  std::string &text;
};

} // namespace

std::unique_ptr<TargetMachine> createMachine(const TargetOptions &options,
                                             diag::Engine &diagnostics) {
  const Target &target = nvptxTarget();
  Triple triple(tripleName);
  // The subtarget prints a complaint of its own for a name it doesn't know; ask the table instead.
  std::unique_ptr<MCSubtargetInfo> table(target.createMCSubtargetInfo(triple, "", ""));
  if (!table->isCPUStringValid(options.ptxArch) || archNumber(options.ptxArch) < leastArch) {
    diagnostics.report(diag::Id::ptx_unknown_arch,
                       {options.ptxArch, "sm_" + std::to_string(leastArch)});
    return nullptr;
  }
  return std::unique_ptr<TargetMachine>(target.createTargetMachine(
      triple, options.ptxArch, /*Features=*/"", llvm::TargetOptions(), Reloc::PIC_, std::nullopt,
      codeGenLevel(options.optimisationLevel)));
}

std::optional<std::string> writePtx(Module &module, TargetMachine &machine,
                                    const std::string &kernelName, diag::Engine &diagnostics) {
  LLVMContext &context = module.getContext();
  std::string errors;
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<BackendErrors>(errors));

  SmallString<0> text;
  raw_svector_ostream out(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::AssemblyFile))
    errors = "the NVPTX backend writes no text";
  else
    passes.run(module);

  context.setDiagnosticHandler(std::move(previous));
  if (!errors.empty()) {
    diagnostics.report(diag::Id::ptx_backend_failed, {kernelName, errors});
    return std::nullopt;
  }
  return text.str().str();
}

} // namespace khalc::nvptx

//===- BackendErrors.cpp - what LLVM's code generators complain of ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "ir/BackendErrors.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace khalc {

namespace {

struct Complaint {
  uint64_t asmCookie = 0;
  std::string text;
};

class Collector : public DiagnosticHandler {
public:
  explicit Collector(std::vector<Complaint> &complaints) : complaints(complaints) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error)
      return true;
    Complaint complaint;
    if (const auto *parsed = dyn_cast<DiagnosticInfoSrcMgr>(&info)) {
      complaint.asmCookie = parsed->getLocCookie();
      complaint.text = parsed->getSMDiag().getMessage().str();
    } else if (const auto *assembly = dyn_cast<DiagnosticInfoInlineAsm>(&info)) {
      complaint.asmCookie = assembly->getLocCookie();
      complaint.text = assembly->getMsgStr().str();
    } else {
      raw_string_ostream out(complaint.text);
      DiagnosticPrinterRawOStream printer(out);
      info.print(printer);
    }
    complaints.push_back(std::move(complaint));
    return true;
  }

private:
  std::vector<Complaint> &complaints;
};

} // namespace

AsmPlaces::AsmPlaces(const Module &module, const diag::Engine &diagnostics) {
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      const auto *call = dyn_cast<CallBase>(&instruction);
      const MDNode *lines = call && call->isInlineAsm() ? call->getMetadata("srcloc") : nullptr;
      if (!lines)
        continue;
      for (const MDOperand &line : lines->operands()) // one for each line of the text
        if (const auto *cookie = mdconst::dyn_extract_or_null<ConstantInt>(line))
          places.try_emplace(cookie->getZExtValue(), diagnostics.placeOf(*call));
    }
}

const SourcePosition *AsmPlaces::find(uint64_t cookie) const {
  const auto found = places.find(cookie);
  return found == places.end() ? nullptr : &found->second;
}

BackendResult runBackend(legacy::PassManager &passes, Module &module, const AsmPlaces &places,
                         diag::Engine &diagnostics) {
  LLVMContext &context = module.getContext();
  std::vector<Complaint> complaints;
  std::unique_ptr<DiagnosticHandler> previous = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Collector>(complaints));
  passes.run(module);
  context.setDiagnosticHandler(std::move(previous));

  BackendResult result;
  std::vector<std::pair<uint64_t, std::string>>
      said; // code that is compiled for several processors
  for (const Complaint &complaint : complaints) {
    const SourcePosition *place = places.find(complaint.asmCookie);
    if (!place) {
      result.fault += (result.fault.empty() ? "" : "; ") + complaint.text;
      continue;
    }
    result.hasSourceErrors = true;
    if (is_contained(said, std::pair(complaint.asmCookie, complaint.text)))
      continue;
    said.emplace_back(complaint.asmCookie, complaint.text);
    diagnostics.report(diag::Id::invalid_assembly, *place, {complaint.text});
  }
  return result;
}

} // namespace khalc

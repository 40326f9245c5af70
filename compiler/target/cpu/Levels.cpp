//===- Levels.cpp - processor levels that code is made for, side by side ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/Levels.h"

#include "diag/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

constexpr StringLiteral nativeName = "native";

Level nativeLevel() {
  SubtargetFeatures features;
  for (const auto &[name, present] : sys::getHostCPUFeatures())
    features.AddFeature(name, present);
  // In one order, whatever that of the map is.
  std::vector<std::string> sorted = features.getFeatures();
  std::sort(sorted.begin(), sorted.end());
  return {nativeName.str(), sys::getHostCPUName().str(), join(sorted, ",")};
}

} // namespace

void Level::applyTo(Function &function) const {
  function.removeFnAttr("tune-cpu");
  function.addFnAttr("target-cpu", cpu);
  // Whoever has 512-bit registers is served with them, though some processors' tables prefer 256.
  function.addFnAttr("prefer-vector-width", "512");
  if (features.empty())
    function.removeFnAttr("target-features");
  else
    function.addFnAttr("target-features", features);
}

std::string Level::identifier() const {
  std::string text = name;
  for (char &c : text)
    if (!isAlnum(c))
      c = '_';
  return text;
}

std::optional<std::vector<Level>>
findLevels(const TargetOptions &options, const TargetMachine &machine, diag::Engine &diagnostics) {
  std::vector<Level> levels;
  for (const std::string &name : options.cpuLevels) {
    if (name == nativeName) {
      levels.push_back(nativeLevel());
      continue;
    }
    if (!machine.getMCSubtargetInfo()->isCPUStringValid(name)) {
      std::string arch = Triple::getArchTypeName(machine.getTargetTriple().getArch()).str();
      diagnostics.report(diag::Id::cpu_unknown_level, ArrayRef<std::string>({name, arch}));
      return std::nullopt;
    }
    levels.push_back({name, name, ""});
  }
  return levels;
}

std::unique_ptr<TargetMachine> createMachine(const Triple &triple, const TargetOptions &options,
                                             diag::Engine &diagnostics) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Triple host = triple.str().empty() ? Triple(sys::getDefaultTargetTriple()) : triple;
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(host, error);
  if (!target) {
    diagnostics.report(diag::Id::cpu_no_backend, ArrayRef<std::string>({host.str(), error}));
    return nullptr;
  }
  CodeGenOptLevel level = CodeGenOpt::getLevel(static_cast<int>(options.optimisationLevel))
                              .value_or(CodeGenOptLevel::Default);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      host, /*CPU=*/"", /*Features=*/"", llvm::TargetOptions(), Reloc::PIC_, std::nullopt, level));
}

} // namespace khalc::cpu

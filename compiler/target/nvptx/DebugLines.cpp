//===- DebugLines.cpp - what PTX keeps of debug information -----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/DebugLines.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

/// The same unit, but of the kind that is printed as directives alone, without DWARF sections.
DICompileUnit *directivesOnly(DICompileUnit &unit) {
  return DICompileUnit::getDistinct(
      unit.getContext(), unit.getSourceLanguage(), unit.getFile(), unit.getProducer(),
      unit.isOptimized(), unit.getFlags(), unit.getRuntimeVersion(), unit.getSplitDebugFilename(),
      DICompileUnit::DebugDirectivesOnly, nullptr, nullptr, nullptr, nullptr, nullptr,
      /*DWOId=*/0, /*SplitDebugInlining=*/true, /*DebugInfoForProfiling=*/false,
      DICompileUnit::DebugNameTableKind::None, /*RangesBaseAddress=*/false, /*SysRoot=*/"",
      /*SDK=*/"");
}

} // namespace

void reduceDebugInfo(Module &module, bool keepLines) {
  if (!keepLines) {
    StripDebugInfo(module);
    return;
  }
  stripNonLineTableDebugInfo(module);
  DebugInfoFinder finder;
  finder.processModule(module);
  DenseMap<DICompileUnit *, DICompileUnit *> replaced;
  for (DISubprogram *subprogram : finder.subprograms()) {
    DICompileUnit *unit = subprogram->getUnit();
    if (!unit)
      continue;
    DICompileUnit *&replacement = replaced[unit];
    if (!replacement)
      replacement = directivesOnly(*unit);
    subprogram->replaceUnit(replacement);
  }
  if (NamedMDNode *units = module.getNamedMetadata("llvm.dbg.cu"))
    units->clearOperands();
  NamedMDNode *units = module.getOrInsertNamedMetadata("llvm.dbg.cu");
  for (DICompileUnit *unit : finder.compile_units())
    if (DICompileUnit *replacement = replaced.lookup(unit))
      units->addOperand(replacement);
}

} // namespace khalc::nvptx

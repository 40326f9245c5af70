//===- Extract.cpp - one function of a module and what it reaches ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "ir/Extract.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace khalc {

namespace {

/// The constants that are reached, those within constants too.
class Reached {
public:
  explicit Reached(const Function &root) { add(&root); }

  bool contains(const GlobalValue *global) const { return seen.contains(global); }

private:
  void add(const Value *first) {
    SmallVector<const Constant *> open;
    const auto meet = [&](const Value *value) {
      if (const auto *constant = dyn_cast<Constant>(value))
        if (seen.insert(constant).second)
          open.push_back(constant);
    };
    meet(first);
    while (!open.empty()) {
      const Constant *constant = open.pop_back_val();
      for (const Value *operand : constant->operand_values())
        meet(operand);
      if (const auto *function = dyn_cast<Function>(constant))
        for (const Instruction &instruction : instructions(*function))
          for (const Value *operand : instruction.operand_values())
            meet(operand);
    }
  }

  SmallPtrSet<const Constant *, 32> seen;
};

} // namespace

std::unique_ptr<Module> extract(const Module &module, StringRef function) {
  const Reached reached(*module.getFunction(function));
  ValueToValueMapTy copies;
  std::unique_ptr<Module> own = CloneModule(
      module, copies, [&](const GlobalValue *global) { return reached.contains(global); });
  for (const GlobalObject &original : module.global_objects()) {
    if (reached.contains(&original))
      continue;
    auto *copy = cast<GlobalObject>(copies[&original]);
    if (copy->use_empty())
      copy->eraseFromParent();
  }
  return own;
}

void dropListedDebugInfo(Module &module) {
  for (DICompileUnit *unit : module.debug_compile_units()) {
    unit->replaceImportedEntities(nullptr);
    unit->replaceRetainedTypes(nullptr);
    unit->replaceEnumTypes(nullptr);
    unit->replaceGlobalVariables(nullptr);
  }
}

} // namespace khalc

//===- AddressSpaces.cpp - PTX state spaces, and the variables that belong to them ------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/AddressSpaces.h"

#include "ir/Builtins.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace llvm;

namespace khalc::nvptx {

void placeVariables(Module &module) {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == genericSpace && !variable.getName().starts_with("llvm."))
      variables.push_back(&variable);
  for (GlobalVariable *variable : variables) {
    bool shared = isSharedVariable(*variable);
    Constant *initializer = variable->hasInitializer() ? variable->getInitializer() : nullptr;
    // PTX has no initialised work-group memory, and C++ promises nothing of it here.
    if (shared && initializer)
      initializer = PoisonValue::get(variable->getValueType());
    auto *placed = new GlobalVariable(
        module, variable->getValueType(), variable->isConstant(), variable->getLinkage(),
        initializer, "", variable, GlobalValue::NotThreadLocal, shared ? sharedSpace : globalSpace);
    placed->takeName(variable);
    placed->setAlignment(variable->getAlign());
    placed->setUnnamedAddr(variable->getUnnamedAddr());
    variable->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(placed, variable->getType()));
    variable->eraseFromParent();
  }
}

uint32_t sharedBytes(const Module &module) {
  const DataLayout &layout = module.getDataLayout();
  uint64_t bytes = 0;
  for (const GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace)
      bytes = alignTo(bytes, layout.getPreferredAlign(&variable)) +
              layout.getTypeAllocSize(variable.getValueType());
  // Whoever compares it with a device's limit finds it too large.
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, std::numeric_limits<uint32_t>::max()));
}

} // namespace khalc::nvptx

//===- DebuggerView.cpp - where a debugger sees that a work-item is ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/DebuggerView.h"

#include "ir/Builtins.h"
#include "kernel/DebuggerNames.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

constexpr StringLiteral hereName = "__khal_debugger_here";
constexpr unsigned dimensions = 3, parts = 4;

/// Where a builtin's three numbers are, or nothing for other builtins.
std::optional<unsigned> partOf(Builtin builtin) {
  switch (builtin) {
  case Builtin::GroupId:
    return 0;
  case Builtin::LocalId:
    return 1;
  case Builtin::NumGroups:
    return 2;
  case Builtin::GroupSize:
    return 3;
  default:
    return std::nullopt;
  }
}

} // namespace

DebuggerView::DebuggerView(Module &module) : calls(module.getFunction(debuggerCallsFunction)) {
  if (!calls)
    return;
  here = module.getNamedGlobal(hereName);
  if (here)
    return;
  auto *type = ArrayType::get(Type::getInt32Ty(module.getContext()), parts * dimensions);
  // One for all objects of a program, as the functions that read it are.
  here = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::WeakODRLinkage,
                            Constant::getNullValue(type), hereName, nullptr,
                            GlobalValue::GeneralDynamicTLSModel);
  here->setVisibility(GlobalValue::HiddenVisibility);
}

void DebuggerView::noteWorkItem(IRBuilder<> &builder, const Place &place) const {
  Value *address = builder.CreateThreadLocalAddress(here);
  for (unsigned part = 0; part < parts; ++part)
    for (unsigned d = 0; d < dimensions; ++d)
      builder.CreateStore(place[part][d], builder.CreateConstGEP1_32(builder.getInt32Ty(), address,
                                                                     part * dimensions + d));
}

Function *DebuggerView::finish() const {
  SmallVector<Function *> found{calls};
  for (size_t next = 0; next < found.size(); ++next)
    for (Instruction &instruction : instructions(*found[next]))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction();
            callee && !callee->isDeclaration() && !is_contained(found, callee))
          found.push_back(callee);
  for (Function *function : found)
    readInsteadOfCalls(*function);
  return calls;
}

void DebuggerView::readInsteadOfCalls(Function &function) const {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const std::optional<Builtin> builtin = call ? builtinCalled(*call) : std::nullopt;
    const std::optional<unsigned> part = builtin ? partOf(*builtin) : std::nullopt;
    if (!part)
      continue;
    IRBuilder<> builder(call);
    Value *index = builder.CreateAdd(builder.getInt32(*part * dimensions), call->getArgOperand(0));
    Value *address = builder.CreateThreadLocalAddress(here);
    call->replaceAllUsesWith(builder.CreateLoad(
        builder.getInt32Ty(), builder.CreateGEP(builder.getInt32Ty(), address, index)));
    call->eraseFromParent();
  }
}

} // namespace khalc::cpu

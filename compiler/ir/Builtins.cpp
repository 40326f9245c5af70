//===- Builtins.cpp - names of the device builtins in IR --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "ir/Builtins.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace khalc {

namespace {

constexpr StringLiteral builtinPrefix = "__khal_";
constexpr StringLiteral sharedSection = "khal.shared";

enum class Kind { Pure, Convergent, Subgroup };

Kind kindOf(Builtin builtin) {
  switch (builtin) {
#define KHAL_BUILTIN(id, symbol, kind)                                                             \
  case Builtin::id:                                                                                \
    return Kind::kind;
#include "ir/Builtins.def"
  }
  llvm_unreachable("every builtin is in Builtins.def");
}

/// What Clang assumed of an unknown declaration must not outlive what we know, neither on the
/// declaration nor on the calls.
void annotateAsPure(Function &function) {
  function.removeFnAttr(Attribute::Convergent);
  function.setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind kind :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree,
        Attribute::NoCallback, Attribute::Speculatable})
    function.addFnAttr(kind);
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function)
      call->removeFnAttr(Attribute::Convergent);
}

void annotateAsConvergent(Function &function) {
  for (Attribute::AttrKind kind : {Attribute::Convergent, Attribute::NoUnwind,
                                   Attribute::WillReturn, Attribute::NoFree, Attribute::NoCallback})
    function.addFnAttr(kind);
}

/// Calls mustn't be merged or moved to where other work-items are. LLVM's passes respect that of a
/// convergent call alone only in part; one that changes memory, be it unseen, stays where it is.
void annotateAsSubgroup(Function &function) {
  annotateAsConvergent(function);
  function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
}

} // namespace

std::optional<Builtin> builtinFor(const Function &function) {
  StringRef name = function.getName();
  if (!name.starts_with(builtinPrefix))
    return std::nullopt;
  return StringSwitch<std::optional<Builtin>>(name)
#define KHAL_BUILTIN(id, symbol, kind) .Case(symbol, Builtin::id)
#include "ir/Builtins.def"
      .Default(std::nullopt);
}

std::optional<Builtin> builtinCalled(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? builtinFor(*callee) : std::nullopt;
}

bool isSubgroupOperation(Builtin builtin) {
  return kindOf(builtin) == Kind::Subgroup;
}

bool isSharedVariable(const GlobalVariable &variable) {
  return variable.getSection() == sharedSection;
}

void markAsShared(GlobalVariable &variable) {
  variable.setSection(sharedSection);
}

void annotateBuiltins(Module &module) {
  for (Function &function : module) {
    std::optional<Builtin> builtin = builtinFor(function);
    if (!builtin || !function.isDeclaration())
      continue;
    switch (kindOf(*builtin)) {
    case Kind::Pure:
      annotateAsPure(function);
      break;
    case Kind::Convergent:
      annotateAsConvergent(function);
      break;
    case Kind::Subgroup:
      annotateAsSubgroup(function);
      break;
    }
  }
}

} // namespace khalc

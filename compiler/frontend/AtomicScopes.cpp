//===- AtomicScopes.cpp - one spelling of atomics' scopes -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/AtomicScopes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/SyncScope.h"
#include "clang/CodeGen/ModuleBuilder.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace clang;

namespace khalc {

/// Scopes narrower than a work-group count as the work-group; a cluster of groups as the device. A
/// scope that isn't a constant is as wide as can be.
AtomicScopes::Scope AtomicScopes::scopeOf(const AtomicExpr &atomic, const ASTContext &context) {
  const std::unique_ptr<AtomicScopeModel> model = atomic.getScopeModel();
  Expr::EvalResult value;
  if (!model || !atomic.getScope()->EvaluateAsInt(value, context) ||
      !model->isValid(value.Val.getInt().getZExtValue()))
    return Scope::System;
  switch (model->map(value.Val.getInt().getZExtValue())) {
  case SyncScope::WorkgroupScope:
  case SyncScope::WavefrontScope:
  case SyncScope::SingleScope:
    return Scope::Workgroup;
  case SyncScope::DeviceScope:
  case SyncScope::ClusterScope:
    return Scope::Device;
  default:
    return Scope::System;
  }
}

AtomicScopes::AtomicScopes(const std::vector<check::Atomic> &atomics, ASTContext &context,
                           CodeGenerator &generator) {
  const SourceManager &sources = context.getSourceManager();
  const auto remember = [&](GlobalDecl function, const AtomicExpr &atomic) {
    const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(atomic.getExprLoc()));
    if (place.isInvalid())
      return;
    const Scope scope = scopeOf(atomic, context);
    auto &places = functions[generator.GetMangledName(function)];
    const auto [known, isNew] = places.try_emplace({place.getLine(), place.getColumn()}, scope);
    if (!isNew) // several atomics of one macro: the widest is right for all
      known->second = std::max(known->second, scope);
  };
  for (const check::Atomic &atomic : atomics) {
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(atomic.function)) {
      remember(GlobalDecl(constructor, Ctor_Complete), *atomic.expression);
      remember(GlobalDecl(constructor, Ctor_Base), *atomic.expression);
    } else if (const auto *destructor = dyn_cast<CXXDestructorDecl>(atomic.function)) {
      remember(GlobalDecl(destructor, Dtor_Complete), *atomic.expression);
      remember(GlobalDecl(destructor, Dtor_Base), *atomic.expression);
    } else {
      remember(GlobalDecl(atomic.function), *atomic.expression);
    }
  }
}

void AtomicScopes::apply(llvm::Module &module) const {
  llvm::LLVMContext &context = module.getContext();
  const llvm::SyncScope::ID ids[] = {context.getOrInsertSyncScopeID("workgroup"),
                                     context.getOrInsertSyncScopeID("device"),
                                     llvm::SyncScope::System};
  for (llvm::Function &function : module) {
    const auto places = functions.find(function.getName());
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (!instruction.isAtomic())
        continue;
      Scope scope = Scope::System;
      const llvm::DILocation *location = instruction.getDebugLoc();
      if (places != functions.end() && location)
        if (auto known = places->second.find({location->getLine(), location->getColumn()});
            known != places->second.end())
          scope = known->second;
      llvm::setAtomicSyncScopeID(&instruction, ids[static_cast<size_t>(scope)]);
    }
  }
}

} // namespace khalc

//===- Body.cpp - the function that each kernel is entered through ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Body.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace khalc {

namespace {

/// What the caller has in memory for a parameter.
QualType objectType(const ParmVarDecl &parameter, ASTContext &context) {
  const QualType type = parameter.getType();
  if (type->isReferenceType())
    return context.getPointerType(type.getNonReferenceType());
  return type.getUnqualifiedType();
}

Expr *dereference(Sema &sema, Expr *pointer, SourceLocation location) {
  return sema.CreateBuiltinUnaryOp(location, UO_Deref, pointer).get();
}

} // namespace

FunctionDecl *makeBody(Sema &sema, const FunctionDecl &kernel, StringRef name) {
  ASTContext &context = sema.Context;
  const SourceLocation location = kernel.getLocation();
  TranslationUnitDecl *unit = context.getTranslationUnitDecl();
  auto *linkage = LinkageSpecDecl::Create(context, unit, location, location,
                                          LinkageSpecLanguageIDs::C, /*HasBraces=*/true);

  SmallVector<QualType, 8> types;
  for (const ParmVarDecl *parameter : kernel.parameters())
    types.push_back(context.getPointerType(objectType(*parameter, context)));
  const QualType type =
      context.getFunctionType(context.VoidTy, types, FunctionProtoType::ExtProtoInfo());
  FunctionDecl *body = FunctionDecl::Create(
      context, linkage, location, location, DeclarationName(&context.Idents.get(name)), type,
      context.getTrivialTypeSourceInfo(type, location), SC_None);

  SmallVector<ParmVarDecl *, 8> parameters;
  for (unsigned i = 0; i < types.size(); ++i) {
    ParmVarDecl *parameter = ParmVarDecl::Create(
        context, body, location, location, kernel.getParamDecl(i)->getIdentifier(), types[i],
        context.getTrivialTypeSourceInfo(types[i], location), SC_None, nullptr);
    parameter->setScopeInfo(0, i);
    parameter->markUsed(context);
    parameters.push_back(parameter);
  }
  body->setParams(parameters);

  Sema::SynthesizedFunctionScope scope(sema, body);
  SmallVector<Expr *, 8> arguments;
  for (unsigned i = 0; i < parameters.size(); ++i) {
    Expr *pointer = sema.BuildDeclRefExpr(parameters[i], types[i], VK_LValue, location);
    Expr *argument = dereference(sema, pointer, location);
    if (kernel.getParamDecl(i)->getType()->isReferenceType())
      argument = dereference(sema, argument, location);
    arguments.push_back(argument);
  }
  auto *target = const_cast<FunctionDecl *>(&kernel);
  Expr *callee = sema.BuildDeclRefExpr(target, kernel.getType(), VK_LValue, location);
  const ExprResult call = sema.BuildCallExpr(nullptr, callee, location, arguments, location);
  if (call.isInvalid())
    return nullptr; // Sema has said why
  Stmt *statement = sema.MaybeCreateExprWithCleanups(call.get());
  body->setBody(
      CompoundStmt::Create(context, {statement}, FPOptionsOverride(), location, location));
  return body;
}

} // namespace khalc

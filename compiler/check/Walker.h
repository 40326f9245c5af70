//===- Walker.h - walks one function ----------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_CHECK_WALKER_H
#define KHALC_CHECK_WALKER_H

#include "check/FunctionWalk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace khalc::check {

/// Statements and expressions are in FunctionWalk.cpp; what they use, variables, functions and
/// types, is in FunctionUses.cpp.
class Walker {
public:
  Walker(clang::ASTContext &context, FunctionFacts &facts) : context(context), facts(facts) {}

  void walk(const clang::FunctionDecl &definition);

private:
  struct Item {
    const clang::Stmt *statement;
    bool oneTargetOnly;
  };

  void visit(const clang::Stmt *statement);
  bool visitForbidden(const clang::Stmt *statement);
  void visitExpression(const clang::Expr *expression);
  void visitChildren(const clang::Stmt *statement) {
    for (const clang::Stmt *child : statement->children())
      push(child);
  }

  void visitIf(const clang::IfStmt *statement);
  void visitConditional(const clang::ConditionalOperator *expression);
  bool visitLogical(const clang::BinaryOperator *expression);
  void visitDeclarations(const clang::DeclStmt *statement);
  void visitVariable(const clang::VarDecl &variable);
  void visitShared(const clang::VarDecl &variable);
  void visitReference(const clang::ValueDecl *declaration, clang::SourceLocation location);
  void visitGlobal(const clang::VarDecl &variable, clang::SourceLocation location);
  void visitCall(const clang::CallExpr *call);
  void visitConstruct(const clang::CXXConstructExpr *expression);
  void visitNew(const clang::CXXNewExpr *expression);
  void visitConstant(const clang::ConstantExpr *expression);
  void visitAtomic(const clang::AtomicExpr *expression);
  void visitBuiltin(unsigned builtin, const clang::CallExpr *call);

  void push(const clang::Stmt *statement) { push(statement, oneTargetOnly); }
  void push(const clang::Stmt *statement, bool forOneTarget) {
    if (statement)
      pending.push_back({statement, forOneTarget});
  }
  void fault(diag::Id id, clang::SourceLocation location, std::vector<std::string> arguments = {}) {
    facts.faults.push_back({id, location, std::move(arguments), oneTargetOnly});
  }
  void edge(const clang::FunctionDecl *callee, clang::SourceLocation location);
  void destroy(clang::QualType type, clang::SourceLocation location);
  void checkType(clang::QualType type, clang::SourceLocation location);
  void checkAddressSpace(clang::QualType type, clang::SourceLocation location);

  clang::ASTContext &context;
  FunctionFacts &facts;
  llvm::SmallVector<Item, 64> pending;
  /// Virtual calls that are known not to dispatch: their callee expression isn't an edge.
  llvm::SmallPtrSet<const clang::Expr *, 4> resolvedCallees;
  bool oneTargetOnly = false;
  bool saidWideFloat = false;
  bool saidAddressSpace = false;
};

} // namespace khalc::check

#endif // KHALC_CHECK_WALKER_H

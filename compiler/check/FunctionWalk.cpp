//===- FunctionWalk.cpp - what one function can run -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A work list in place of recursion: a generated expression may be nested deeper than any stack.
//
//===------------------------------------------------------------------------------------------===//
#include "check/Walker.h"

#include "clang/Basic/Builtins.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace khalc::check {

namespace {

bool isInKhalTarget(const Decl &declaration) {
  const auto *inner = dyn_cast<NamespaceDecl>(declaration.getDeclContext());
  const auto *outer = inner ? dyn_cast<NamespaceDecl>(inner->getDeclContext()) : nullptr;
  return outer && inner->getName() == "target" && outer->getName() == "khal" &&
         outer->getDeclContext()->isTranslationUnit();
}

/// True for a condition that asks which target is being compiled for: `khal::target::ptx && …`.
bool asksForTarget(const Stmt *condition) {
  llvm::SmallVector<const Stmt *, 8> work{condition};
  while (!work.empty()) {
    const Stmt *statement = work.pop_back_val();
    if (!statement)
      continue;
    if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
      if (isInKhalTarget(*reference->getDecl()))
        return true;
    llvm::append_range(work, statement->children());
  }
  return false;
}

/// A dead branch that holds a label can be jumped into: Clang keeps it, and so do we.
bool containsLabel(const Stmt *root) {
  llvm::SmallVector<const Stmt *, 16> work{root};
  while (!work.empty()) {
    const Stmt *statement = work.pop_back_val();
    if (!statement)
      continue;
    if (isa<LabelStmt, SwitchCase>(statement))
      return true;
    llvm::append_range(work, statement->children());
  }
  return false;
}

std::optional<bool> foldedCondition(const Expr *condition, const ASTContext &context) {
  Expr::EvalResult result;
  if (condition->isValueDependent() || !condition->EvaluateAsInt(result, context))
    return std::nullopt;
  return !result.Val.getInt().isZero();
}

/// True where only the value of a constant is needed. A constant array's element isn't an odr-use
/// even where the index is known at run time alone, and then the array itself is needed.
template <class Reference> bool isFolded(const Reference &reference) {
  return reference.isNonOdrUse() != NOUR_None && reference.getType()->isScalarType();
}

} // namespace

void Walker::walk(const FunctionDecl &definition) {
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(&definition))
    for (const CXXCtorInitializer *initialiser : constructor->inits())
      push(initialiser->getInit());
  if (const auto *destructor = dyn_cast<CXXDestructorDecl>(&definition)) {
    const CXXRecordDecl *record = destructor->getParent();
    for (const FieldDecl *field : record->fields())
      destroy(field->getType(), destructor->getLocation());
    for (const CXXBaseSpecifier &base : record->bases())
      destroy(base.getType(), destructor->getLocation());
  }
  for (const ParmVarDecl *parameter : definition.parameters())
    checkType(parameter->getType(), parameter->getLocation());
  checkType(definition.getReturnType(), definition.getLocation());
  push(definition.getBody());
  while (!pending.empty()) {
    const Item item = pending.pop_back_val();
    // Children are pushed in order and popped from the end: turn each batch around.
    const size_t first = pending.size();
    oneTargetOnly = item.oneTargetOnly;
    visit(item.statement);
    std::reverse(pending.begin() + first, pending.end());
  }
}

void Walker::visit(const Stmt *statement) {
  if (visitForbidden(statement))
    return;
  if (const auto *expression = dyn_cast<Expr>(statement))
    visitExpression(expression);
  else if (const auto *ifStatement = dyn_cast<IfStmt>(statement))
    visitIf(ifStatement);
  else if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    visitDeclarations(declarations);
  else
    visitChildren(statement);
}

/// The rules that need no more than the node's class.
bool Walker::visitForbidden(const Stmt *statement) {
  if (const auto *cast = dyn_cast<CXXDynamicCastExpr>(statement))
    if (cast->getCastKind() != CK_Dynamic)
      return false; // towards a base: an ordinary conversion
  if (const auto *assembly = dyn_cast<GCCAsmStmt>(statement); assembly && assembly->isAsmGoto()) {
    fault(diag::Id::computed_goto, statement->getBeginLoc());
    return true;
  }
  switch (statement->getStmtClass()) {
#define KHAL_FORBIDDEN_NODE(kind, id, argument)                                                    \
  case Stmt::kind##Class:                                                                          \
    fault(diag::Id::id, statement->getBeginLoc(), {argument});                                     \
    return true;
#include "check/Rules.def"
  default:
    return false;
  }
}

void Walker::visitExpression(const Expr *expression) {
  checkType(expression->getType(), expression->getExprLoc());
  switch (expression->getStmtClass()) {
  // Never run.
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::CXXNoexceptExprClass:
  case Stmt::RequiresExprClass:
  case Stmt::ConceptSpecializationExprClass:
  case Stmt::TypeTraitExprClass:
    return;
  case Stmt::ConstantExprClass:
    return visitConstant(cast<ConstantExpr>(expression));
  case Stmt::GenericSelectionExprClass:
    return push(cast<GenericSelectionExpr>(expression)->getResultExpr());
  case Stmt::ChooseExprClass:
    return push(cast<ChooseExpr>(expression)->getChosenSubExpr());
  case Stmt::ConditionalOperatorClass:
    return visitConditional(cast<ConditionalOperator>(expression));
  case Stmt::BinaryOperatorClass:
    if (visitLogical(cast<BinaryOperator>(expression)))
      return;
    break;
  // Not among children().
  case Stmt::CXXDefaultArgExprClass:
    return push(cast<CXXDefaultArgExpr>(expression)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return push(cast<CXXDefaultInitExpr>(expression)->getExpr());
  case Stmt::InitListExprClass: {
    const auto *list = cast<InitListExpr>(expression);
    visitChildren(list->isSemanticForm() || !list->getSemanticForm() ? list
                                                                     : list->getSemanticForm());
    return;
  }
  case Stmt::LambdaExprClass: // the body runs when it is called
    for (const Expr *capture : cast<LambdaExpr>(expression)->capture_inits())
      push(capture);
    return;
  case Stmt::OpaqueValueExprClass:
    return push(cast<OpaqueValueExpr>(expression)->getSourceExpr());
  // Uses of other declarations.
  case Stmt::DeclRefExprClass: {
    const auto *reference = cast<DeclRefExpr>(expression);
    if (!isFolded(*reference) && !resolvedCallees.contains(reference))
      visitReference(reference->getDecl(), reference->getLocation());
    return;
  }
  case Stmt::MemberExprClass: {
    const auto *member = cast<MemberExpr>(expression);
    if (!isFolded(*member) && !resolvedCallees.contains(member))
      visitReference(member->getMemberDecl(), member->getMemberLoc());
    break;
  }
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    visitCall(cast<CallExpr>(expression));
    break;
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    visitConstruct(cast<CXXConstructExpr>(expression));
    break;
  case Stmt::CXXInheritedCtorInitExprClass:
    edge(cast<CXXInheritedCtorInitExpr>(expression)->getConstructor(), expression->getExprLoc());
    break;
  case Stmt::CXXBindTemporaryExprClass:
    edge(cast<CXXBindTemporaryExpr>(expression)->getTemporary()->getDestructor(),
         expression->getExprLoc());
    break;
  case Stmt::AtomicExprClass:
    visitAtomic(cast<AtomicExpr>(expression));
    break;
  case Stmt::CXXNewExprClass:
    visitNew(cast<CXXNewExpr>(expression));
    break;
  default:
    break;
  }
  visitChildren(expression);
}

void Walker::visitIf(const IfStmt *statement) {
  push(statement->getInit());
  if (statement->isConsteval()) {
    push(statement->isNegatedConsteval() ? statement->getThen() : statement->getElse());
    return;
  }
  if (statement->isConstexpr()) {
    if (const std::optional<const Stmt *> live = statement->getNondiscardedCase(context)) {
      push(*live, oneTargetOnly || asksForTarget(statement->getCond()));
      return;
    }
  }
  push(statement->getConditionVariableDeclStmt());
  push(statement->getCond());
  if (const std::optional<bool> folded = foldedCondition(statement->getCond(), context)) {
    const Stmt *live = *folded ? statement->getThen() : statement->getElse();
    const Stmt *dead = *folded ? statement->getElse() : statement->getThen();
    if (!containsLabel(dead)) {
      push(live, oneTargetOnly || asksForTarget(statement->getCond()));
      return;
    }
  }
  push(statement->getThen());
  push(statement->getElse());
}

void Walker::visitConditional(const ConditionalOperator *expression) {
  push(expression->getCond());
  const std::optional<bool> folded = foldedCondition(expression->getCond(), context);
  if (!folded || *folded)
    push(expression->getTrueExpr());
  if (!folded || !*folded)
    push(expression->getFalseExpr());
}

/// True when the right side of && or || can't run.
bool Walker::visitLogical(const BinaryOperator *expression) {
  if (!expression->isLogicalOp())
    return false;
  const std::optional<bool> left = foldedCondition(expression->getLHS(), context);
  const bool runsRight = !left || *left == (expression->getOpcode() == BO_LAnd);
  if (runsRight)
    return false;
  push(expression->getLHS());
  return true;
}

void Walker::visitDeclarations(const DeclStmt *statement) {
  for (const Decl *declaration : statement->decls()) {
    const auto *variable = dyn_cast<VarDecl>(declaration);
    if (!variable)
      continue;
    visitVariable(*variable);
    if (const auto *decomposition = dyn_cast<DecompositionDecl>(variable))
      for (const BindingDecl *binding : decomposition->bindings())
        if (const VarDecl *holder = binding->getHoldingVar())
          visitVariable(*holder);
  }
}

FunctionFacts walkFunction(ASTContext &context, const FunctionDecl &definition) {
  FunctionFacts facts;
  Walker(context, facts).walk(definition);
  return facts;
}

} // namespace khalc::check

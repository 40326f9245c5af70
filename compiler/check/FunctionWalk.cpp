//===- FunctionWalk.cpp - what one function can run -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A work list in place of recursion: a generated expression may be nested deeper than any stack.
//
//===------------------------------------------------------------------------------------------===//
#include "check/FunctionWalk.h"

#include "kernel/KernelInfo.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Builtins.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace khalc::check {

namespace {

struct Item {
  const Stmt *statement;
  bool oneTargetOnly;
};

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

class Walker {
public:
  Walker(ASTContext &context, FunctionFacts &facts) : context(context), facts(facts) {}

  void walk(const FunctionDecl &definition);

private:
  void visit(const Stmt *statement);
  bool visitForbidden(const Stmt *statement);
  void visitExpression(const Expr *expression);
  void visitChildren(const Stmt *statement) {
    for (const Stmt *child : statement->children())
      push(child);
  }

  void visitIf(const IfStmt *statement);
  void visitConditional(const ConditionalOperator *expression);
  bool visitLogical(const BinaryOperator *expression);
  void visitDeclarations(const DeclStmt *statement);
  void visitVariable(const VarDecl &variable);
  void visitShared(const VarDecl &variable);
  void visitReference(const ValueDecl *declaration, SourceLocation location);
  void visitGlobal(const VarDecl &variable, SourceLocation location);
  void visitCall(const CallExpr *call);
  void visitConstruct(const CXXConstructExpr *expression);
  void visitNew(const CXXNewExpr *expression);
  void visitConstant(const ConstantExpr *expression);
  void visitAtomic(const AtomicExpr *expression);
  void visitBuiltin(unsigned builtin, const CallExpr *call);

  void push(const Stmt *statement) { push(statement, oneTargetOnly); }
  void push(const Stmt *statement, bool forOneTarget) {
    if (statement)
      pending.push_back({statement, forOneTarget});
  }
  void fault(diag::Id id, SourceLocation location, std::vector<std::string> arguments = {}) {
    facts.faults.push_back({id, location, std::move(arguments), oneTargetOnly});
  }
  void edge(const FunctionDecl *callee, SourceLocation location);
  void destroy(QualType type, SourceLocation location);
  void checkType(QualType type, SourceLocation location);
  void checkAddressSpace(QualType type, SourceLocation location);

  ASTContext &context;
  FunctionFacts &facts;
  llvm::SmallVector<Item, 64> pending;
  /// Virtual calls that are known not to dispatch: their callee expression isn't an edge.
  llvm::SmallPtrSet<const Expr *, 4> resolvedCallees;
  bool oneTargetOnly = false;
  bool saidWideFloat = false;
  bool saidAddressSpace = false;
};

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

bool isShared(const VarDecl &variable) {
  const auto *section = variable.getAttr<SectionAttr>();
  return section && section->getName() == sharedSection;
}

void Walker::visitVariable(const VarDecl &variable) {
  checkType(variable.getType(), variable.getLocation());
  if (variable.getType()->isVariablyModifiedType())
    fault(diag::Id::variable_of_unknown_size, variable.getLocation());
  if (isShared(variable))
    return visitShared(variable);
  if (variable.isStaticLocal() || variable.hasExternalStorage())
    return; // judged where it is used
  const bool isFolded = variable.isConstexpr() && variable.hasConstantInitialization();
  if (!isFolded)
    push(variable.getInit());
  if (variable.needsDestruction(context) == QualType::DK_cxx_destructor)
    destroy(variable.getType(), variable.getLocation());
  if (const auto *cleanup = variable.getAttr<CleanupAttr>())
    edge(cleanup->getFunctionDecl(), cleanup->getLocation());
}

void Walker::visitShared(const VarDecl &variable) {
  const QualType type = variable.getType();
  const bool isTrivial =
      !type->isReferenceType() && context.getBaseElementType(type).isTrivialType(context);
  if (!isTrivial) {
    fault(diag::Id::shared_type, variable.getLocation(),
          {type.getAsString(context.getPrintingPolicy())});
    return;
  }
  const Expr *initialiser = variable.getInit();
  const auto *construct = dyn_cast_or_null<CXXConstructExpr>(initialiser);
  const bool isDefault = construct && construct->getNumArgs() == 0 &&
                         construct->getParenOrBraceRange().isInvalid(); // `T x;`
  if (initialiser && !isDefault)
    fault(diag::Id::shared_initialiser, initialiser->getExprLoc());
}

void Walker::visitReference(const ValueDecl *declaration, SourceLocation location) {
  if (const auto *function = dyn_cast<FunctionDecl>(declaration))
    return edge(function, location);
  if (const auto *binding = dyn_cast<BindingDecl>(declaration)) {
    if (const auto *decomposed = dyn_cast_or_null<VarDecl>(binding->getDecomposedDecl()))
      visitReference(decomposed, location);
    return;
  }
  if (const auto *variable = dyn_cast<VarDecl>(declaration))
    if (variable->hasGlobalStorage() && !isShared(*variable))
      visitGlobal(*variable, location);
}

void Walker::visitGlobal(const VarDecl &reference, SourceLocation location) {
  const VarDecl *definition = reference.getDefinition(context);
  const VarDecl &variable = definition ? *definition : reference;
  const std::string name = variable.getNameAsString();
  const QualType type = context.getBaseElementType(variable.getType());
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  const bool isConstant =
      variable.getType()->isReferenceType() ||
      ((type.isConstQualified() || variable.isConstexpr()) && !type.isVolatileQualified() &&
       !(record && record->hasDefinition() && record->hasMutableFields()));
  if (!isConstant || variable.getTLSKind() != VarDecl::TLS_None)
    fault(variable.isStaticLocal() ? diag::Id::mutable_static : diag::Id::mutable_global, location,
          {name});
  else if (!definition || !variable.hasConstantInitialization() ||
           variable.needsDestruction(context) == QualType::DK_cxx_destructor)
    fault(diag::Id::dynamic_constant, location, {name});
  else
    facts.constants.push_back(&variable);
}

/// Functions that end the work-item, what the standard library calls where it would throw among
/// them: the targets know them by name.
bool endsWorkItem(const FunctionDecl &function) {
  if (!function.isNoReturn() || !function.getIdentifier())
    return false;
  if (function.isInStdNamespace() && function.getName().starts_with("__throw_"))
    return true;
  return !function.isDefined() && llvm::StringSwitch<bool>(function.getQualifiedNameAsString())
#define KHAL_PROGRAM_END(name, symbol) .Case(name, true)
#include "ir/ProgramEnds.def"
                                      .Default(false);
}

void Walker::visitAtomic(const AtomicExpr *expression) {
  facts.atomics.push_back(expression);
  constexpr int64_t widest = 8;
  const QualType type = expression->getValueType();
  const int64_t bytes = context.getTypeSizeInChars(type).getQuantity();
  if (bytes > widest || !llvm::isPowerOf2_64(bytes))
    fault(diag::Id::atomic_size, expression->getBuiltinLoc(),
          {type.getAsString(context.getPrintingPolicy()), std::to_string(bytes)});
}

void Walker::visitBuiltin(unsigned builtin, const CallExpr *call) {
  switch (builtin) {
#define KHAL_FORBIDDEN_BUILTIN(name, id)                                                           \
  case Builtin::BI##name:                                                                          \
    return fault(diag::Id::id, call->getExprLoc(), {#name});
#include "check/Rules.def"
  default:
    break;
  }
}

void Walker::visitCall(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee)
    return; // through a pointer: what it points to is an edge where its address is taken
  const unsigned builtin = callee->getBuiltinID();
  visitBuiltin(builtin, call);
  // printf and __builtin_printf are C functions; others look variadic but have their own rules.
  const bool isLanguageBuiltin =
      builtin && (context.BuiltinInfo.hasCustomTypechecking(builtin) || // isnan of any type
                  (!context.BuiltinInfo.isPredefinedLibFunction(builtin) &&
                   !context.BuiltinInfo.isLibFunction(builtin)));
  if (callee->isVariadic() && !isLanguageBuiltin && !endsWorkItem(*callee))
    fault(diag::Id::variadic_call, call->getExprLoc(), {callee->getNameAsString()});

  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  if (!method || !method->isVirtual())
    return;
  const Expr *calleeExpression = call->getCallee()->IgnoreParenImpCasts();
  const Expr *object = nullptr;
  if (const auto *member = dyn_cast<MemberExpr>(calleeExpression)) {
    if (member->hasQualifier())
      return;
    object = member->getBase();
  } else if (isa<CXXOperatorCallExpr>(call) && call->getNumArgs()) {
    object = call->getArg(0);
  }
  resolvedCallees.insert(calleeExpression);
  const CXXMethodDecl *known =
      object ? method->getDevirtualizedMethod(object, /*IsAppleKext=*/false) : nullptr;
  if (known)
    edge(known, call->getExprLoc());
  else
    fault(diag::Id::virtual_call, call->getExprLoc(), {method->getQualifiedNameAsString()});
}

void Walker::visitConstruct(const CXXConstructExpr *expression) {
  edge(expression->getConstructor(), expression->getExprLoc());
}

void Walker::visitNew(const CXXNewExpr *expression) {
  const FunctionDecl *allocate = expression->getOperatorNew();
  if (!allocate || !allocate->isReservedGlobalPlacementOperator())
    fault(diag::Id::new_expression, expression->getBeginLoc());
}

void Walker::visitConstant(const ConstantExpr *expression) {
  // Case labels and consteval calls: only the value is left.
  if (!expression->hasAPValueResult())
    push(expression->getSubExpr());
}

bool isAllocation(StringRef name) {
  return llvm::is_contained({"malloc", "calloc", "realloc", "aligned_alloc", "alloca"}, name);
}

void Walker::edge(const FunctionDecl *callee, SourceLocation location) {
  if (!callee || callee->isTrivial() || callee->isImmediateFunction() || endsWorkItem(*callee))
    return;
  const FunctionDecl *definition = nullptr;
  if (callee->hasAttr<AliasAttr>() || callee->hasAttr<IFuncAttr>()) {
    fault(diag::Id::not_inlinable, location,
          {callee->getQualifiedNameAsString(), "it is another name for a function; call that one"});
    return;
  }
  if (callee->isDefined(definition)) {
    facts.edges.push_back({definition, location, oneTargetOnly});
    return;
  }
  const IdentifierInfo *identifier = callee->getIdentifier();
  const StringRef name = identifier ? identifier->getName() : StringRef();
  const bool isC = callee->isExternC() && !callee->hasAttr<AsmLabelAttr>();
  if (callee->isReplaceableGlobalAllocationFunction() || (isC && isAllocation(name))) {
    const bool isDelete = callee->getOverloadedOperator() == OO_Delete ||
                          callee->getOverloadedOperator() == OO_Array_Delete;
    fault(isDelete ? diag::Id::delete_expression : diag::Id::new_expression, location);
    return;
  }
  if (isC && name == "free") {
    fault(diag::Id::delete_expression, location);
    return;
  }
  // The compiler's own functions and khal's are for the targets to make; a pure virtual function
  // is reported at its call.
  if (callee->getBuiltinID() || (isC && name.starts_with("__khal_")) || callee->isVariadic() ||
      callee->isReservedGlobalPlacementOperator())
    return;
  fault(diag::Id::undefined_function, location, {callee->getQualifiedNameAsString()});
}

void Walker::destroy(QualType type, SourceLocation location) {
  const CXXRecordDecl *record =
      context.getBaseElementType(type.getNonReferenceType())->getAsCXXRecordDecl();
  if (!type->isReferenceType() && record && record->hasDefinition() &&
      !record->hasTrivialDestructor())
    edge(record->getDestructor(), location);
}

void Walker::checkType(QualType type, SourceLocation location) {
  if (type.isNull())
    return;
  checkAddressSpace(type, location);
  if (saidWideFloat)
    return;
  const QualType value = context.getBaseElementType(type.getNonReferenceType());
  const auto *builtin = value->getAs<BuiltinType>();
  if (const auto *complex = value->getAs<ComplexType>())
    builtin = complex->getElementType()->getAs<BuiltinType>();
  if (!builtin ||
      !llvm::is_contained({BuiltinType::LongDouble, BuiltinType::Float128, BuiltinType::Ibm128},
                          builtin->getKind()))
    return;
  saidWideFloat = true;
  fault(diag::Id::long_double, location, {builtin->getName(context.getPrintingPolicy()).str()});
}

/// Which memory a pointer reaches is the targets' to find out. Code for one target may know it.
void Walker::checkAddressSpace(QualType type, SourceLocation location) {
  if (saidAddressSpace || oneTargetOnly)
    return;
  const QualType pointee = type->getPointeeType();
  const bool hasSpace = type.hasAddressSpace() || (!pointee.isNull() && pointee.hasAddressSpace());
  if (!hasSpace)
    return;
  saidAddressSpace = true;
  fault(diag::Id::address_space, location);
}

} // namespace

FunctionFacts walkFunction(ASTContext &context, const FunctionDecl &definition) {
  FunctionFacts facts;
  Walker(context, facts).walk(definition);
  return facts;
}

} // namespace khalc::check

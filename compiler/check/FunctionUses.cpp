//===- FunctionUses.cpp - the variables, functions and types that a function uses -------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "check/Walker.h"

#include "kernel/KernelInfo.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/Builtins.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace clang;

namespace khalc::check {

static bool isShared(const VarDecl &variable) {
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
static bool endsWorkItem(const FunctionDecl &function) {
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

static bool isAllocation(StringRef name) {
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

} // namespace khalc::check

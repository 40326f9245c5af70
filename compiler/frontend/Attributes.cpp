//===- Attributes.cpp - [[khal::kernel]], [[khal::shared]], [[khal::may_alias]] ---------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/Attributes.h"

#include "diag/Diagnostics.h"
#include "kernel/KernelInfo.h"

#include "khal/abi.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/DeclSpec.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace khalc {

namespace {

constexpr char kernelName[] = "khal::kernel";
constexpr char kernelShortName[] = "kernel";
constexpr char mayAliasName[] = "khal::may_alias";
constexpr char mayAliasShortName[] = "may_alias";
constexpr char sharedName[] = "khal::shared";
constexpr char sharedShortName[] = "shared";
constexpr unsigned maxDimensions = 3;
/// CUDA's and most Vulkan devices' limits of each dimension.
constexpr uint32_t dimensionLimits[maxDimensions] = {1024, 1024, 64};

template <class... Arguments>
bool fail(Sema &sema, SourceLocation location, diag::Id id, const Arguments &...arguments) {
  auto builder = sema.Diag(location, diag::clangId(sema.Diags, id));
  (void)(builder << ... << arguments);
  return false;
}

/// What a user would call the declaration.
StringRef kindOf(const Decl &declaration) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(&declaration)) {
    if (method->getParent()->isLambda())
      return "lambda";
    if (isa<CXXConstructorDecl>(method))
      return "constructor";
    if (isa<CXXDestructorDecl>(method))
      return "destructor";
    return method->isStatic() ? "static member function" : "non-static member function";
  }
  if (isa<FunctionDecl>(declaration))
    return "function";
  if (isa<ParmVarDecl>(declaration))
    return "parameter";
  if (isa<BindingDecl, DecompositionDecl>(declaration))
    return "structured binding";
  if (const auto *variable = dyn_cast<VarDecl>(&declaration)) {
    if (variable->isStaticDataMember())
      return "static data member";
    return variable->isLocalVarDecl() ? "local variable" : "variable outside of a function";
  }
  if (isa<FieldDecl>(declaration))
    return "data member";
  if (isa<EnumDecl>(declaration))
    return "enumeration";
  if (isa<RecordDecl>(declaration))
    return "class";
  if (isa<TypedefNameDecl>(declaration))
    return "type alias";
  if (isa<NamespaceDecl>(declaration))
    return "namespace";
  return "declaration";
}

bool canBeKernel(const Decl &declaration) {
  const auto *function = dyn_cast<FunctionDecl>(&declaration);
  if (!function || isa<CXXDeductionGuideDecl>(function))
    return false;
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  return !method || (method->isStatic() && !method->getParent()->isLambda());
}

bool hasParameterPack(const FunctionDecl &function) {
  return function.isVariadic() || llvm::any_of(function.parameters(), [](const ParmVarDecl *p) {
           return p->isParameterPack();
         });
}

bool checkKernelSignature(Sema &sema, SourceLocation attribute, const FunctionDecl &function) {
  const QualType result = function.getReturnType();
  if (!result->isDependentType() && !result->isUndeducedType() && !result->isVoidType())
    return fail(sema, attribute, diag::Id::kernel_returns, function.getNameAsString(),
                result.getAsString(sema.getPrintingPolicy()));
  if (hasParameterPack(function))
    return fail(sema, attribute, diag::Id::kernel_parameter_pack, function.getNameAsString());
  return true;
}

/// One size expression of the attribute: converted to a constant expression, or left as it is when
/// it depends on a template parameter. Null after an error.
Expr *checkSizeExpression(Sema &sema, Expr *size) {
  if (size->isTypeDependent() || size->isValueDependent())
    return size;
  if (!size->getType()->isIntegralOrUnscopedEnumerationType()) {
    fail(sema, size->getExprLoc(), diag::Id::kernel_size_type,
         size->getType().getAsString(sema.getPrintingPolicy()));
    return nullptr;
  }
  size = sema.DefaultLvalueConversion(size).get();
  if (!size)
    return nullptr;
  Expr::EvalResult result;
  if (!size->EvaluateAsConstantExpr(result, sema.Context) || !result.Val.isInt()) {
    fail(sema, size->getExprLoc(), diag::Id::kernel_size_not_constant);
    return nullptr;
  }
  return ConstantExpr::Create(sema.Context, size, result.Val);
}

/// Clang's parser asks for an attribute's name without its scope before it parses arguments.
template <const char *Full, const char *Short> struct KhalAttribute : ParsedAttrInfo {
  KhalAttribute() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, Full},
                                             {ParsedAttr::AS_CXX11, Short}};
    Spellings = spellings;
  }

  bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute,
                            const Decl *declaration) const final {
    return !isOurs(attribute) || checkPlace(sema, attribute.getLoc(), *declaration);
  }

  AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration,
                                   const ParsedAttr &attribute) const final {
    if (!isOurs(attribute))
      return NotHandled;
    return apply(sema, declaration, attribute) ? AttributeApplied : AttributeNotApplied;
  }

private:
  static bool isOurs(const ParsedAttr &attribute) {
    return attribute.getNormalizedFullName() == Full;
  }

  virtual bool checkPlace(Sema &sema, SourceLocation attribute, const Decl &declaration) const = 0;
  virtual bool apply(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const = 0;
};

/// An argument as an expression. Clang takes a lone identifier for a word of the attribute's own;
/// here it is a name, looked up where the attribute stands. Null after an error, which is reported.
Expr *argumentExpression(Sema &sema, const ParsedAttr &attribute, unsigned index) {
  if (attribute.isArgExpr(index))
    return attribute.getArgAsExpr(index);
  const IdentifierLoc *identifier = attribute.getArgAsIdent(index);
  UnqualifiedId name;
  name.setIdentifier(identifier->getIdentifierInfo(), identifier->getLoc());
  CXXScopeSpec noScope;
  return sema
      .ActOnIdExpression(sema.getCurScope(), noScope, SourceLocation(), name,
                         /*HasTrailingLParen=*/false, /*IsAddressOfOperand=*/false)
      .get();
}

struct KernelAttribute final : KhalAttribute<kernelName, kernelShortName> {
  KernelAttribute() {
    NumArgs = 1;
    OptArgs = maxDimensions - 1;
  }

  bool isParamExpr(size_t) const override { return true; }

  bool checkPlace(Sema &sema, SourceLocation attribute, const Decl &declaration) const override {
    return canBeKernel(declaration) ||
           fail(sema, attribute, diag::Id::kernel_place, kindOf(declaration));
  }

  bool apply(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override {
    auto *function = cast<FunctionDecl>(declaration);
    if (!checkKernelSignature(sema, attribute.getLoc(), *function))
      return false;
    SmallVector<Expr *, maxDimensions> sizes;
    for (unsigned i = 0; i < attribute.getNumArgs(); ++i) {
      Expr *size = argumentExpression(sema, attribute, i);
      size = size ? checkSizeExpression(sema, size) : nullptr;
      if (!size)
        return false;
      sizes.push_back(size);
    }
    function->addAttr(
        AnnotateAttr::Create(sema.Context, kernelName, sizes.data(), sizes.size(), attribute));
    return true;
  }
};

struct MayAliasAttribute final : KhalAttribute<mayAliasName, mayAliasShortName> {
  bool checkPlace(Sema &sema, SourceLocation attribute, const Decl &declaration) const override {
    return canBeKernel(declaration) || fail(sema, attribute, diag::Id::may_alias_without_kernel);
  }

  bool apply(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override {
    declaration->addAttr(AnnotateAttr::Create(sema.Context, mayAliasName, nullptr, 0, attribute));
    return true;
  }
};

struct SharedAttribute final : KhalAttribute<sharedName, sharedShortName> {
  bool checkPlace(Sema &sema, SourceLocation attribute, const Decl &declaration) const override {
    const auto *variable = dyn_cast<VarDecl>(&declaration);
    const bool isPlace =
        variable && variable->isLocalVarDecl() && !isa<ParmVarDecl, DecompositionDecl>(variable);
    return isPlace || fail(sema, attribute, diag::Id::shared_place, kindOf(declaration));
  }

  /// The variable gets static storage, so that Clang makes one global a function (and one an
  /// instance of a function template) of it; what it can be made from is checked once its type and
  /// initialiser are known, by the AST checks.
  bool apply(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override {
    auto *variable = cast<VarDecl>(declaration);
    StringRef obstacle;
    if (variable->getTSCSpec() != TSCS_unspecified)
      obstacle = "thread_local";
    else if (variable->isConstexpr())
      obstacle = "constexpr";
    else if (variable->getStorageClass() == SC_Extern)
      obstacle = "extern";
    else if (variable->getType().isConstQualified())
      obstacle = "const";
    if (!obstacle.empty())
      return fail(sema, attribute.getLoc(), diag::Id::shared_storage, obstacle);
    variable->setStorageClass(SC_Static);
    variable->addAttr(SectionAttr::CreateImplicit(sema.Context, sharedSection, attribute));
    return true;
  }
};

ParsedAttrInfoRegistry::Add<KernelAttribute> addKernel(kernelName, "marks a kernel");
ParsedAttrInfoRegistry::Add<MayAliasAttribute> addMayAlias(mayAliasName,
                                                           "lets a kernel's buffers overlap");
ParsedAttrInfoRegistry::Add<SharedAttribute> addShared(sharedName, "one variable a work-group");

const AnnotateAttr *annotation(const Decl &declaration, StringRef name) {
  for (const auto *attribute : declaration.specific_attrs<AnnotateAttr>())
    if (attribute->getAnnotation() == name)
      return attribute;
  return nullptr;
}

using GroupSize = std::array<uint32_t, 3>;

std::optional<GroupSize> readSizes(const AnnotateAttr &attribute, ASTContext &context,
                                   diag::Engine &diagnostics) {
  GroupSize sizes{1, 1, 1};
  uint64_t product = 1;
  for (unsigned i = 0; i < attribute.args_size() && i < maxDimensions; ++i) {
    const Expr *expression = attribute.args_begin()[i];
    Expr::EvalResult result;
    if (!expression->EvaluateAsInt(result, context)) {
      diagnostics.report(diag::Id::kernel_size_not_constant, expression->getExprLoc());
      return std::nullopt;
    }
    const llvm::APSInt value = result.Val.getInt();
    const bool inRange = value.isStrictlyPositive() && value.getActiveBits() <= 32 &&
                         value.getZExtValue() <= dimensionLimits[i];
    if (!inRange) {
      diagnostics.report(
          diag::Id::kernel_size_range, expression->getExprLoc(),
          {llvm::toString(value, 10), std::to_string(i + 1), std::to_string(dimensionLimits[i])});
      return std::nullopt;
    }
    sizes[i] = static_cast<uint32_t>(value.getZExtValue());
    product *= sizes[i];
  }
  if (product > khal::abi::max_group_items) {
    diagnostics.report(diag::Id::kernel_size_product, attribute.getLocation(),
                       {std::to_string(product)});
    return std::nullopt;
  }
  return sizes;
}

} // namespace

void registerAttributes() {
  // The registrations above are this file's static objects; a call into the file links it.
}

const AnnotateAttr *kernelAttribute(const Decl &declaration) {
  return annotation(declaration, kernelName);
}

const AnnotateAttr *mayAliasAttribute(const Decl &declaration) {
  return annotation(declaration, mayAliasName);
}

std::optional<GroupSize> groupSizeOf(const FunctionDecl &kernel, ASTContext &context,
                                     diag::Engine &diagnostics) {
  std::optional<GroupSize> sizes;
  // A declaration's own attribute replaces the one that it would inherit; a template's explicit
  // specialization may want another size.
  const bool isSpecialization = kernel.isFunctionTemplateSpecialization();
  for (const FunctionDecl *declaration : kernel.redecls()) {
    const AnnotateAttr *attribute = kernelAttribute(*declaration);
    if (!attribute || (isSpecialization && declaration != &kernel))
      continue;
    const std::optional<GroupSize> here = readSizes(*attribute, context, diagnostics);
    if (!here)
      return std::nullopt;
    if (sizes && *sizes != *here) {
      diagnostics.report(diag::Id::kernel_size_conflict, attribute->getLocation(),
                         {kernel.getNameAsString()});
      return std::nullopt;
    }
    sizes = here;
  }
  return sizes;
}

} // namespace khalc

//===- HostTypes.cpp - device types as the host's compiler must spell them --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/HostTypes.h"

#include "clang/AST/Attr.h"

#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace khalc {

std::string includeThatBrought(SourceLocation location, const SourceManager &sources,
                               const MainIncludes &includes) {
  FileID file = sources.getFileID(sources.getExpansionLoc(location));
  if (file == sources.getMainFileID())
    return "";
  SourceLocation directive = sources.getIncludeLoc(file);
  OptionalFileEntryRef outermost = sources.getFileEntryRefForID(file);
  while (directive.isValid() && !sources.isInMainFile(directive)) {
    file = sources.getFileID(directive);
    if (OptionalFileEntryRef entry = sources.getFileEntryRefForID(file))
      outermost = entry;
    directive = sources.getIncludeLoc(file);
  }
  if (directive.isValid())
    if (auto found = includes.find(sources.getSpellingLineNumber(directive));
        found != includes.end())
      return found->second;
  return outermost ? "\"" + outermost->getName().str() + "\"" : "";
}

/// The element of an instance of one of khal's own templates.
static std::optional<QualType> elementOf(StringRef name, QualType type) {
  const auto *record =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || record->getName() != name)
    return std::nullopt;
  const auto *space = dyn_cast<NamespaceDecl>(record->getDeclContext()->getRedeclContext());
  const bool isKhal = space && space->getName() == "khal" &&
                      space->getDeclContext()->getRedeclContext()->isTranslationUnit();
  const TemplateArgumentList &arguments = record->getTemplateArgs();
  if (!isKhal || arguments.size() == 0 || arguments[0].getKind() != TemplateArgument::Type)
    return std::nullopt;
  return arguments[0].getAsType().getCanonicalType();
}

std::optional<QualType> spanElement(QualType type) {
  return elementOf("span", type);
}

std::optional<QualType> sharedSpanElement(QualType type) {
  return elementOf("shared_span", type);
}

static std::string captureName(const LambdaCapture &capture) {
  return capture.capturesVariable() ? capture.getCapturedVar()->getNameAsString() : "self";
}

/// All captures of one pack have the pack's name: they are numbered, `x_0` and `x_1`.
std::string memberName(const CXXRecordDecl &record, const FieldDecl &field) {
  if (!record.isLambda())
    return field.getNameAsString();
  SmallVector<std::string> names;
  for (const LambdaCapture &capture : record.captures())
    names.push_back(captureName(capture));
  const unsigned index = field.getFieldIndex();
  std::string name = names[index];
  if (llvm::count(names, name) == 1)
    return name;
  name += "_" + std::to_string(llvm::count(ArrayRef(names).take_front(index), name));
  while (llvm::is_contained(names, name))
    name += "_";
  return name;
}

bool holdsPointers(QualType type, const ASTContext &context) {
  type = context.getBaseElementType(type.getCanonicalType());
  if (type->isPointerType() || type->isReferenceType() || type->isMemberPointerType())
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  return llvm::any_of(record->bases(),
                      [&](const CXXBaseSpecifier &base) {
                        return holdsPointers(base.getType(), context);
                      }) ||
         llvm::any_of(record->fields(), [&](const FieldDecl *field) {
           return holdsPointers(field->getType(), context);
         });
}

HostTypes::HostTypes(ASTContext &context, Completer completer, const MainIncludes &includes,
                     StringRef khalIncludeDir, diag::Engine &diagnostics)
    : context(context), diagnostics(diagnostics), completer(std::move(completer)),
      includes(includes), khalHeaders(khalIncludeDir.str() + "/khal/") {}

void HostTypes::report(diag::Id id, const TypeUse &use, std::vector<std::string> more) {
  std::vector<std::string> arguments{use.name, use.kernel};
  llvm::append_range(arguments, more);
  diagnostics.report(id, use.location, arguments);
}

std::optional<std::string> HostTypes::spellBuiltin(const BuiltinType &type) {
  switch (type.getKind()) {
  case BuiltinType::Bool:
    return "bool";
  case BuiltinType::Char_S:
  case BuiltinType::Char_U:
    return "char";
  case BuiltinType::SChar:
    return "std::int8_t";
  case BuiltinType::UChar:
    return "std::uint8_t";
  case BuiltinType::Char8:
    return "char8_t";
  case BuiltinType::Char16:
    return "char16_t";
  case BuiltinType::Char32:
    return "char32_t";
  case BuiltinType::WChar_S:
  case BuiltinType::WChar_U:
    return "wchar_t";
  case BuiltinType::Short:
    return "std::int16_t";
  case BuiltinType::UShort:
    return "std::uint16_t";
  case BuiltinType::Int:
    return "std::int32_t";
  case BuiltinType::UInt:
    return "std::uint32_t";
  case BuiltinType::Long:
    return "std::int64_t";
  case BuiltinType::ULong:
    return "std::uint64_t";
  // Another type than std::int64_t, of the same size.
  case BuiltinType::LongLong:
    return "long long";
  case BuiltinType::ULongLong:
    return "unsigned long long";
  case BuiltinType::Float:
    return "float";
  case BuiltinType::Double:
    return "double";
  case BuiltinType::Float16:
    return "::khal::f16";
  case BuiltinType::BFloat16:
    return "::khal::bf16";
  default:
    return std::nullopt;
  }
}

/// "[4][2]", or empty.
std::string HostTypes::extentsOf(QualType type) const {
  std::string extents;
  for (const auto *array = context.getAsConstantArrayType(type); array;
       array = context.getAsConstantArrayType(array->getElementType()))
    extents += "[" + std::to_string(array->getSize().getZExtValue()) + "]";
  return extents;
}

std::optional<std::string> HostTypes::spell(QualType type, const TypeUse &use) {
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isConstantArrayType()) {
    const std::optional<std::string> element = spell(context.getBaseElementType(type), use);
    if (!element)
      return std::nullopt;
    return *element + extentsOf(type);
  }
  if (const auto *enumeration = type->getAsEnumDecl())
    return spellEnum(*enumeration, use);
  if (const auto *builtin = type->getAs<BuiltinType>())
    if (std::optional<std::string> name = spellBuiltin(*builtin))
      return name;
  if (const CXXRecordDecl *record = type->getAsCXXRecordDecl())
    return spellRecord(*record, use);
  if (type->isPointerType() || type->isReferenceType()) {
    const QualType pointee = type->getPointeeType();
    const std::optional<std::string> element = spell(pointee, use);
    if (!element)
      return std::nullopt;
    return (pointee.isConstQualified() ? "const " : "") + *element +
           (type->isPointerType() ? " *" : " &");
  }
  report(diag::Id::parameter_type, use, {type.getAsString(context.getPrintingPolicy())});
  return std::nullopt;
}

std::optional<std::string> HostTypes::spellArgument(const TemplateArgument &argument,
                                                    const TypeUse &use) {
  switch (argument.getKind()) {
  case TemplateArgument::Type: {
    const QualType type = argument.getAsType().getCanonicalType();
    std::optional<std::string> name = type->isVoidType() ? "void" : spell(type, use);
    if (name && type.isConstQualified())
      return "const " + *name;
    return name;
  }
  case TemplateArgument::Integral: {
    const QualType type = argument.getIntegralType().getCanonicalType();
    if (type->isBooleanType())
      return argument.getAsIntegral().isZero() ? "false" : "true";
    std::string digits = llvm::toString(argument.getAsIntegral(), 10);
    if (type->isEnumeralType()) {
      const std::optional<std::string> name = spell(type, use);
      return name ? std::optional("static_cast<" + *name + ">(" + digits + ")") : std::nullopt;
    }
    if (type->isUnsignedIntegerType())
      digits += "u";
    return digits;
  }
  case TemplateArgument::Pack: {
    std::string all;
    for (const TemplateArgument &element : argument.pack_elements()) {
      const std::optional<std::string> one = spellArgument(element, use);
      if (!one)
        return std::nullopt;
      all += (all.empty() ? "" : ", ") + *one;
    }
    return all;
  }
  default: {
    std::string text;
    llvm::raw_string_ostream out(text);
    argument.print(context.getPrintingPolicy(), out, /*IncludeType=*/true);
    report(diag::Id::parameter_type, use, {text});
    return std::nullopt;
  }
  }
}

std::optional<std::string> HostTypes::spellArguments(ArrayRef<TemplateArgument> arguments,
                                                     const TypeUse &use) {
  std::string all;
  for (const TemplateArgument &argument : arguments) {
    const std::optional<std::string> one = spellArgument(argument, use);
    if (!one)
      return std::nullopt;
    if (!one->empty())
      all += (all.empty() ? "" : ", ") + *one;
  }
  return "<" + all + ">";
}

/// Enclosing namespaces and classes, outermost first. What is in an unnamed namespace of the kernel
/// file is the host's own to name.
static std::vector<std::string> scopesOf(const Decl &declaration) {
  std::vector<std::string> scopes;
  for (const DeclContext *context = declaration.getDeclContext(); context;
       context = context->getParent())
    if (isa<NamespaceDecl, CXXRecordDecl>(context))
      if (std::string name = cast<NamedDecl>(context)->getNameAsString(); !name.empty())
        scopes.insert(scopes.begin(), name);
  return scopes;
}

/// Whether `::scope::name` means the type on the host, too.
bool HostTypes::isNameable(const TagDecl &type) const {
  std::string header;
  const bool isOwn = originOf(type, header) == StructInfo::Origin::KernelFile;
  return type.getIdentifier() && !type.getParentFunctionOrMethod() &&
         !(isOwn && isa<CXXRecordDecl>(type.getDeclContext()));
}

/// An enumeration that the host can't name is its underlying integer there.
std::optional<std::string> HostTypes::spellEnum(const EnumDecl &enumeration, const TypeUse &use) {
  const std::optional<std::string> underlying = spell(enumeration.getIntegerType(), use);
  EnumInfo info;
  info.origin = originOf(enumeration, info.header);
  if (!underlying || !isNameable(enumeration) || info.origin == StructInfo::Origin::Khal)
    return underlying;
  info.name = enumeration.getNameAsString();
  info.namespaces = scopesOf(enumeration);
  for (const std::string &scope : info.namespaces)
    info.qualifiedName += "::" + scope;
  info.qualifiedName += "::" + info.name;
  if (!knownEnums.insert(enumeration.getCanonicalDecl()).second)
    return info.qualifiedName;
  info.underlying = *underlying;
  info.isScoped = enumeration.isScoped();
  for (const EnumConstantDecl *enumerator : enumeration.enumerators())
    info.enumerators.push_back(
        {enumerator->getNameAsString(), llvm::toString(enumerator->getInitVal(), 10)});
  enums.push_back(std::move(info));
  return enums.back().qualifiedName;
}

/// Finds what a program's own namespaces call each closure: an alias of its type, the variable that
/// holds it, or the function that makes it.
void HostTypes::nameClosures(const DeclContext &scope) {
  const auto note = [&](QualType type, const std::string &name) {
    const CXXRecordDecl *record =
        type.isNull() || type->isDependentType() ? nullptr : type->getAsCXXRecordDecl();
    if (record && record->isLambda())
      closureNames->try_emplace(record->getCanonicalDecl(), name);
  };
  for (const Decl *declaration : scope.decls()) {
    if (context.getSourceManager().isInSystemHeader(declaration->getLocation()))
      continue;
    if (const auto *space = dyn_cast<NamespaceDecl>(declaration)) {
      nameClosures(*space);
    } else if (const auto *alias = dyn_cast<TypedefNameDecl>(declaration)) {
      // An alias is the name that its author chose for the type.
      const CXXRecordDecl *record = alias->getUnderlyingType()->getAsCXXRecordDecl();
      if (record && record->isLambda())
        (*closureNames)[record->getCanonicalDecl()] = alias->getNameAsString();
    } else if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
      note(variable->getType(), variable->getNameAsString() + "_closure");
    } else if (const auto *function = dyn_cast<FunctionDecl>(declaration)) {
      note(function->getReturnType(), function->getNameAsString() + "_closure");
    } else if (const auto *functions = dyn_cast<FunctionTemplateDecl>(declaration)) {
      for (const FunctionDecl *special : functions->specializations())
        note(special->getReturnType(), special->getNameAsString() + "_closure");
    }
  }
}

std::string HostTypes::generatedName(const CXXRecordDecl &record) {
  std::string &name = generatedNames[record.getCanonicalDecl()];
  if (!name.empty())
    return name;
  if (!closureNames) {
    closureNames.emplace();
    nameClosures(*context.getTranslationUnitDecl());
  }
  std::string stem = closureNames->lookup(record.getCanonicalDecl());
  if (stem.empty())
    stem = record.isLambda() ? "closure" : record.getNameAsString();
  // Outer::Inner is Outer_Inner; a struct of a function has the function's name.
  for (const DeclContext *scope = record.getDeclContext(); scope && !record.isLambda();
       scope = scope->getParent())
    if (const auto *named = dyn_cast<NamedDecl>(scope);
        named && named->getIdentifier() && isa<CXXRecordDecl, FunctionDecl>(scope))
      stem = named->getNameAsString() + "_" + stem;
  name = stem;
  for (unsigned number = 2; !takenNames.insert(name).second; ++number)
    name = stem + "_" + std::to_string(number);
  return name;
}

std::optional<std::string> HostTypes::spellRecord(const CXXRecordDecl &declaration,
                                                  const TypeUse &use) {
  if (!complete(context.getCanonicalTagType(&declaration), use)) {
    report(diag::Id::parameter_incomplete, use, {declaration.getQualifiedNameAsString()});
    return std::nullopt;
  }
  const CXXRecordDecl &record = *declaration.getDefinition();
  StructInfo info;
  if (!record.isLambda() && !record.getIdentifier()) {
    report(diag::Id::parameter_unnamed_type, use);
    return std::nullopt;
  }
  if (isNameable(record)) {
    info.origin = originOf(record, info.header);
    info.name = record.getNameAsString();
    info.namespaces = scopesOf(record);
  } else {
    info.origin = StructInfo::Origin::Generated;
    info.name = generatedName(record);
    info.namespaces = {generatedNamespace};
  }
  if (const auto *special = dyn_cast<ClassTemplateSpecializationDecl>(&record)) {
    const std::optional<std::string> arguments =
        spellArguments(special->getTemplateArgs().asArray(), use);
    if (!arguments)
      return std::nullopt;
    info.name += *arguments;
  }
  for (const std::string &scope : info.namespaces)
    info.qualifiedName += "::" + scope;
  info.qualifiedName += "::" + info.name;
  const std::string qualified = info.qualifiedName;
  if (known.insert(record.getCanonicalDecl()).second && !learn(record, info, use))
    return std::nullopt;
  return qualified;
}

StructInfo::Origin HostTypes::originOf(const TagDecl &type, std::string &header) const {
  const SourceManager &sources = context.getSourceManager();
  const SourceLocation location = sources.getExpansionLoc(type.getLocation());
  if (sources.isInMainFile(location))
    return StructInfo::Origin::KernelFile;
  if (sources.getFilename(location).starts_with(khalHeaders))
    return StructInfo::Origin::Khal;
  header = includeThatBrought(location, sources, includes);
  return StructInfo::Origin::UserHeader;
}

} // namespace khalc

//===- HostTypes.cpp - device types as the host's compiler must spell them --------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "frontend/HostTypes.h"

#include "kernel/GeneratedNamespace.h"

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

std::optional<QualType> spanElement(QualType type) {
  const auto *record =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || record->getName() != "span")
    return std::nullopt;
  const auto *space = dyn_cast<NamespaceDecl>(record->getDeclContext()->getRedeclContext());
  const bool isKhal = space && space->getName() == "khal" &&
                      space->getDeclContext()->getRedeclContext()->isTranslationUnit();
  const TemplateArgumentList &arguments = record->getTemplateArgs();
  if (!isKhal || arguments.size() == 0 || arguments[0].getKind() != TemplateArgument::Type)
    return std::nullopt;
  return arguments[0].getAsType().getCanonicalType();
}

std::string memberName(const CXXRecordDecl &record, const FieldDecl &field) {
  if (!record.isLambda())
    return field.getNameAsString();
  const LambdaCapture &capture = record.captures().begin()[field.getFieldIndex()];
  return capture.capturesVariable() ? capture.getCapturedVar()->getNameAsString() : "self";
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
static std::string extentsOf(QualType type, const ASTContext &context) {
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
    return *element + extentsOf(type, context);
  }
  if (const auto *enumeration = type->getAsEnumDecl())
    return spell(enumeration->getIntegerType(), use);
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
    info.origin = StructInfo::Origin::KernelFile;
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

/// std::array, which the host has over buffers as well.
static bool isStandardArray(const CXXRecordDecl &record) {
  return record.isInStdNamespace() && record.getName() == "array";
}

bool HostTypes::learn(const CXXRecordDecl &record, StructInfo &info, const TypeUse &use) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  info.size = layout.getSize().getQuantity();
  info.alignment = layout.getAlignment().getQuantity();
  info.isUnion = record.isUnion();

  // Members that another struct is being built from meanwhile are put aside.
  std::vector<Extent> outer;
  std::swap(outer, extents);
  const bool isSystem = context.getSourceManager().isInSystemHeader(record.getLocation());
  const QualType type = context.getCanonicalTagType(&record);
  const bool isBuffers = holdsPointers(type, context) && !spanElement(type);
  if (isBuffers && isSystem && !isStandardArray(record)) {
    report(diag::Id::parameter_type, use, {type.getAsString(context.getPrintingPolicy())});
    return false;
  }
  // What holds buffers has another struct on the host, which needs all of the members.
  const bool isOwn = info.origin == StructInfo::Origin::KernelFile;
  const bool all = isOwn || isBuffers;
  const bool showsMembers = all || (record.isStandardLayout() && !isSystem);
  bool done = !showsMembers || addMembers(info, record, 0, all, use);
  if (done && isOwn)
    done = addPadding(info, record, use);
  std::swap(outer, extents);
  if (done)
    structs.push_back(std::move(info));
  return done;
}

/// Members of bases come first, as in memory; the host's struct has them as its own.
/// With `all`, the host declares the struct; else it has it from a header and can't see all of it.
bool HostTypes::addMembers(StructInfo &info, const CXXRecordDecl &record, uint64_t offset, bool all,
                           const TypeUse &use) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  const std::string typeName = info.qualifiedName;
  for (const CXXBaseSpecifier &base : record.bases()) {
    const CXXRecordDecl *baseRecord = base.getType()->getAsCXXRecordDecl();
    if (base.isVirtual() || !baseRecord) {
      report(diag::Id::parameter_virtual, use, {typeName});
      return false;
    }
    const uint64_t at = offset + layout.getBaseClassOffset(baseRecord).getQuantity();
    if (!baseRecord->isEmpty() && !addMembers(info, *baseRecord->getDefinition(), at, all, use))
      return false;
  }
  for (const FieldDecl *field : record.fields()) {
    if (field->isBitField()) {
      report(diag::Id::parameter_bit_field, use, {typeName});
      return false;
    }
    const std::string name = memberName(record, *field);
    if (!all && (field->getAccess() != AS_public || name.empty()))
      continue;
    if (name.empty()) {
      report(diag::Id::parameter_unnamed_type, use);
      return false;
    }
    const std::optional<std::string> element =
        spell(context.getBaseElementType(field->getType()), use);
    if (!element)
      return false;
    StructInfo::Member member;
    member.name = name;
    member.typeSpelling = *element;
    member.arrayExtents = extentsOf(field->getType(), context);
    member.offset =
        offset +
        context.toCharUnitsFromBits(layout.getFieldOffset(field->getFieldIndex())).getQuantity();
    const TypeInfoChars size = context.getTypeInfoInChars(
        field->getType()->isReferenceType()
            ? context.getPointerType(field->getType().getNonReferenceType())
            : field->getType());
    addMember(info, std::move(member),
              {uint64_t(size.Width.getQuantity()), uint64_t(size.Align.getQuantity()),
               record.getNameAsString()});
  }
  return true;
}

/// A member that hides one of a base leaves it its class's name: both are the host's struct's own.
void HostTypes::addMember(StructInfo &info, StructInfo::Member member, Extent extent) {
  for (size_t i = 0; i < info.members.size(); ++i)
    if (info.members[i].name == member.name)
      info.members[i].name = extents[i].owner + "_" + member.name;
  info.members.push_back(std::move(member));
  extents.push_back(std::move(extent));
}

/// A plain struct of the members must have the same layout: gaps that a base's end or an aligned
/// member left become members.
bool HostTypes::addPadding(StructInfo &info, const CXXRecordDecl &record, const TypeUse &use) {
  uint64_t natural = 1;
  for (const Extent &extent : extents)
    natural = std::max(natural, extent.alignment);
  info.overAligned = info.alignment > natural;
  if (info.isUnion)
    return true;
  const auto refuse = [&] {
    report(diag::Id::parameter_layout, use, {info.qualifiedName});
    return false;
  };
  if (info.alignment < natural || record.hasAttr<PackedAttr>())
    return refuse();

  std::vector<StructInfo::Member> members;
  uint64_t end = 0;
  unsigned paddings = 0;
  const auto pad = [&](uint64_t until) {
    StructInfo::Member padding;
    padding.name = "khal_padding_" + std::to_string(paddings++);
    padding.typeSpelling = "std::uint8_t";
    padding.arrayExtents = "[" + std::to_string(until - end) + "]";
    padding.offset = end;
    members.push_back(std::move(padding));
    end = until;
  };
  for (size_t i = 0; i < info.members.size(); ++i) {
    const StructInfo::Member &member = info.members[i];
    if (member.offset < end || member.offset % extents[i].alignment)
      return refuse();
    if (llvm::alignTo(end, extents[i].alignment) < member.offset)
      pad(member.offset);
    end = member.offset + extents[i].size;
    members.push_back(member);
  }
  if (end > info.size)
    return refuse();
  const uint64_t naturalSize = std::max(llvm::alignTo(end, info.alignment), info.alignment);
  if (naturalSize < info.size)
    pad(info.size);
  info.members = std::move(members);
  return true;
}

} // namespace khalc

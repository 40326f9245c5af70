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

std::optional<std::string> HostTypes::spellRecord(const CXXRecordDecl &declaration,
                                                  const TypeUse &use) {
  if (declaration.isLambda()) {
    report(diag::Id::parameter_closure, use);
    return std::nullopt;
  }
  if (!complete(context.getCanonicalTagType(&declaration), use)) {
    report(diag::Id::parameter_incomplete, use, {declaration.getQualifiedNameAsString()});
    return std::nullopt;
  }
  const CXXRecordDecl &record = *declaration.getDefinition();
  std::string header;
  const bool isNested = isa<CXXRecordDecl>(record.getDeclContext());
  const bool isOwn = originOf(record, header) == StructInfo::Origin::KernelFile;
  if (!record.getIdentifier() || record.getParentFunctionOrMethod() || (isNested && isOwn)) {
    report(diag::Id::parameter_unnamed_type, use);
    return std::nullopt;
  }
  std::string name = record.getNameAsString();
  if (const auto *special = dyn_cast<ClassTemplateSpecializationDecl>(&record)) {
    const std::optional<std::string> arguments =
        spellArguments(special->getTemplateArgs().asArray(), use);
    if (!arguments)
      return std::nullopt;
    name += *arguments;
  }
  std::string qualified;
  for (const std::string &scope : scopesOf(record))
    qualified += "::" + scope;
  qualified += "::" + name;
  if (known.insert(record.getCanonicalDecl()).second && !learn(record, name, use))
    return std::nullopt;
  return qualified;
}

StructInfo::Origin HostTypes::originOf(const CXXRecordDecl &record, std::string &header) const {
  const SourceManager &sources = context.getSourceManager();
  const SourceLocation location = sources.getExpansionLoc(record.getLocation());
  if (sources.isInMainFile(location))
    return StructInfo::Origin::KernelFile;
  if (sources.getFilename(location).starts_with(khalHeaders))
    return StructInfo::Origin::Khal;
  header = includeThatBrought(location, sources, includes);
  return StructInfo::Origin::UserHeader;
}

bool HostTypes::learn(const CXXRecordDecl &record, const std::string &name, const TypeUse &use) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(&record);
  StructInfo info;
  info.name = name;
  info.namespaces = scopesOf(record);
  for (const std::string &scope : info.namespaces)
    info.qualifiedName += "::" + scope;
  info.qualifiedName += "::" + name;
  info.origin = originOf(record, info.header);
  info.size = layout.getSize().getQuantity();
  info.alignment = layout.getAlignment().getQuantity();
  info.isUnion = record.isUnion();

  // Members that another struct is being built from meanwhile are put aside.
  std::vector<Extent> outer;
  std::swap(outer, extents);
  const bool isSystem = context.getSourceManager().isInSystemHeader(record.getLocation());
  const bool showsMembers =
      info.origin == StructInfo::Origin::KernelFile || (record.isStandardLayout() && !isSystem);
  bool done = !showsMembers || addMembers(info, record, 0, use);
  if (done && info.origin == StructInfo::Origin::KernelFile)
    done = addPadding(info, record, use);
  std::swap(outer, extents);
  if (done)
    structs.push_back(std::move(info));
  return done;
}

/// Members of bases come first, as in memory; the host's struct has them as its own.
bool HostTypes::addMembers(StructInfo &info, const CXXRecordDecl &record, uint64_t offset,
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
    if (!baseRecord->isEmpty() && !addMembers(info, *baseRecord->getDefinition(), at, use))
      return false;
  }
  for (const FieldDecl *field : record.fields()) {
    if (field->isBitField()) {
      report(diag::Id::parameter_bit_field, use, {typeName});
      return false;
    }
    const bool isOwn = info.origin == StructInfo::Origin::KernelFile;
    if (!isOwn && (field->getAccess() != AS_public || !field->getIdentifier()))
      continue;
    if (!field->getIdentifier()) {
      report(diag::Id::parameter_unnamed_type, use);
      return false;
    }
    const std::optional<std::string> element =
        spell(context.getBaseElementType(field->getType()), use);
    if (!element)
      return false;
    StructInfo::Member member;
    member.name = field->getNameAsString();
    member.typeSpelling = *element;
    member.arrayExtents = extentsOf(field->getType(), context);
    member.offset =
        offset +
        context.toCharUnitsFromBits(layout.getFieldOffset(field->getFieldIndex())).getQuantity();
    info.members.push_back(std::move(member));
    const TypeInfoChars size = context.getTypeInfoInChars(
        field->getType()->isReferenceType()
            ? context.getPointerType(field->getType().getNonReferenceType())
            : field->getType());
    extents.push_back({uint64_t(size.Width.getQuantity()), uint64_t(size.Align.getQuantity())});
  }
  return true;
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

//===- HeaderTypes.cpp - structs and enumerations in the generated header ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "bindings/HeaderWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace khalc::bindings {

/// One macro name for each qualified name, and no two the same: ::a::b is N1a1bE as in the Itanium
/// C++ ABI.
static std::string guardFor(llvm::ArrayRef<std::string> namespaces, llvm::StringRef name) {
  std::string text = "KHAL_STRUCT_N";
  auto append = [&](llvm::StringRef part) {
    const std::string plain = identifier(part);
    text += std::to_string(plain.size()) + plain;
  };
  for (const std::string &space : namespaces)
    append(space);
  append(name);
  return text + "E";
}

/// Another generated header may have declared the same.
template <class Body>
void HeaderWriter::writeGuarded(llvm::ArrayRef<std::string> namespaces, llvm::StringRef name,
                                Body body) {
  const std::string guard = guardFor(namespaces, name);
  std::vector<std::string> spaces;
  for (const std::string &space : namespaces)
    if (!space.empty())
      spaces.push_back(space == hostNamespace ? space : identifier(space));
  const std::string space = llvm::join(spaces, "::");
  out << "#ifndef " << guard << "\n#define " << guard << "\n";
  if (!space.empty())
    out << "namespace " << space << " {\n";
  body();
  if (!space.empty())
    out << "} // namespace " << space << "\n";
  out << "#endif\n\n";
}

void HeaderWriter::writeEnum(const EnumInfo &info) {
  writeGuarded(info.namespaces, info.name, [&] {
    out << "enum " << (info.isScoped ? "class " : "") << info.name << " : " << info.underlying
        << " {";
    llvm::interleaveComma(info.enumerators, out, [&](const EnumInfo::Enumerator &enumerator) {
      out << "\n  " << enumerator.name << " = " << enumerator.value;
    });
    out << "\n};\n";
  });
  out << "static_assert(::std::is_same_v<::std::underlying_type_t<" << info.qualifiedName << ">, "
      << info.underlying << ">, \"khal: " << info.qualifiedName << " isn't the enumeration that "
      << source << " has\");\n\n";
}

/// Declares a struct in the kernel file's namespaces, or its host form in the host's. The instance
/// of a template becomes a specialisation of one that has nothing else.
void HeaderWriter::writeStruct(const StructInfo &info, bool hostForm) {
  std::vector<std::string> namespaces = info.namespaces;
  if (info.origin == StructInfo::Origin::Generated)
    namespaces.front() = hostNamespace;
  else if (hostForm)
    namespaces.insert(namespaces.begin(), hostNamespace);
  const std::string keyword = info.isUnion ? "union " : "struct ";
  const std::vector<TemplateArgument> arguments = templateArguments(info.name);
  if (!arguments.empty()) {
    const llvm::StringRef primary = llvm::StringRef(info.name).split('<').first;
    writeGuarded(namespaces, primary, [&] {
      out << "template <";
      llvm::interleaveComma(
          arguments, out, [&](const TemplateArgument &argument) { out << argument.parameterKind; });
      out << "> " << keyword << primary << ";\n";
    });
  }
  writeGuarded(namespaces, info.name, [&] {
    if (hostForm)
      out << "/// " << info.qualifiedName << " with buffers, or slices of them, for its spans.\n";
    out << (arguments.empty() ? "" : "template <> ") << keyword;
    if (info.overAligned && !hostForm)
      out << "alignas(" << info.alignment << ") ";
    out << info.name << " {\n";
    for (const StructInfo::Member &member : info.members)
      out << "  "
          << (hostForm ? forms.spelling(member.typeSpelling) : readable(member.typeSpelling)) << " "
          << member.name << member.arrayExtents
          << (member.bits ? ": " + std::to_string(*member.bits) : std::string())
          << (hostForm ? "{};\n" : ";\n");
    for (const KernelInfo &kernel : file.kernels)
      if (hostForm && isMemberOfHostForm(kernel) == &info) {
        writeStubHead(kernel, "static", "");
        out << ";\n";
      }
    out << "};\n";
  });
}

void HeaderWriter::writeLayoutAssertions() {
  auto isShared = [&](const StructInfo &info) {
    return info.origin != StructInfo::Origin::Khal && !forms.holdsBuffers(info);
  };
  if (llvm::none_of(file.structs, isShared))
    return;
  out << "// The host's layout must be the kernels'.\n"
         "#if defined(__GNUC__)\n"
         "#pragma GCC diagnostic push\n"
         "#pragma GCC diagnostic ignored \"-Winvalid-offsetof\"\n"
         "#endif\n";
  for (const StructInfo &info : file.structs)
    if (isShared(info))
      writeLayoutAssertion(info);
  out << "#if defined(__GNUC__)\n#pragma GCC diagnostic pop\n#endif\n\n";
}

/// A struct of the kernel file may have been declared by another generated header or the program,
/// so its members' types are looked at too; a struct of the user's own header may have members that
/// only it can see, which are left out.
void HeaderWriter::writeLayoutAssertion(const StructInfo &info) {
  const bool own = isOwn(info);
  const std::string message = "\"khal: " + info.qualifiedName +
                              (own ? " isn't the struct that " + source + " has"
                                   : " has another layout on the host than in kernels");
  out << "static_assert([]<class T>(const T *) {\n";
  writeWrapped("  static_assert(",
               {"sizeof(T) == " + std::to_string(info.size) +
                    " && alignof(T) == " + std::to_string(info.alignment),
                message + "\""},
               ");\n");
  for (const StructInfo::Member &member : info.members) {
    if (member.name.empty())
      continue;
    // Of a bit-field there is no offset; the platform's C++ ABI says where it is.
    std::string condition =
        member.bits ? "true"
                    : "offsetof(T, " + member.name + ") == " + std::to_string(member.offset);
    if (own)
      condition += " && ::std::is_same_v<decltype(T::" + member.name + "), " + member.typeSpelling +
                   member.arrayExtents + ">";
    else
      out << "  if constexpr (requires { &T::" << member.name << "; })\n  ";
    writeWrapped("  static_assert(", {condition, message + ": " + member.name + "\""}, ");\n");
  }
  out << "  return true;\n}(static_cast<const " << info.qualifiedName << " *>(nullptr)));\n";
}

} // namespace khalc::bindings

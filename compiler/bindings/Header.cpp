//===- Header.cpp - the generated header ------------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the text looks like, in order: includes, structs that the kernel file defines, layout
// assertions for all structs, host forms of structs that hold buffers, and a stub for each kernel.
//
//===---------------------------------------------------------------------------------------------===//

#include "bindings/Bindings.h"
#include "bindings/HeaderWriter.h"

#include "khal/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace khalc::bindings {

std::string descriptorSymbol(const KernelInfo &kernel) {
  return "khal_kernel_" + kernel.symbol;
}

std::string identifier(llvm::StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (text.empty() || llvm::isDigit(text[0]))
    text.insert(text.begin(), '_');
  return text;
}

std::string HeaderWriter::write() {
  const std::string guard =
      "KHAL_HPP_" + (file.kernels.empty() ? identifier(source) : file.kernels.front().symbol);
  out << "// Written by khalc from " << source << ". Don't edit: the next run replaces it.\n"
      << "#ifndef " << guard << "\n#define " << guard << "\n\n";
  writeIncludes();
  for (const EnumInfo &info : file.enums)
    if (info.origin == StructInfo::Origin::KernelFile)
      writeEnum(info);
  for (const StructInfo &info : file.structs)
    if (isOwn(info) && !forms.holdsBuffers(info))
      writeStruct(info, /*hostForm=*/false);
  writeLayoutAssertions();
  writeDescriptors();
  for (const StructInfo &info : file.structs)
    if (info.origin != StructInfo::Origin::Khal && forms.holdsBuffers(info) &&
        !HostForms::asStandardArray(info))
      writeStruct(info, /*hostForm=*/true);
  for (const KernelInfo &kernel : file.kernels) {
    const StructInfo *host = isMemberOfHostForm(kernel);
    enterNamespace(hostNamespaceFor(host ? host->namespaces : scopesOnHost(kernel)));
    writeStub(kernel, host ? host->name + "::" : "");
  }
  enterNamespace("");
  out << "#endif // " << guard << "\n";
  for (size_t at; (at = text.find(generatedNamespace)) != std::string::npos;)
    text.replace(at, llvm::StringRef(generatedNamespace).size(), hostNamespace);
  return text;
}

void HeaderWriter::enterNamespace(const std::string &name) {
  if (name == openNamespace)
    return;
  if (!openNamespace.empty())
    out << "} // namespace " << openNamespace << "\n\n";
  if (!name.empty())
    out << "namespace " << name << " {\n\n";
  openNamespace = name;
}

/// "a::b::" for the namespaces that have names.
static std::string qualifier(llvm::ArrayRef<std::string> namespaces) {
  std::string text;
  for (const std::string &name : namespaces)
    if (!name.empty())
      text += identifier(name) + "::";
  return text;
}

std::string HeaderWriter::hostNamespaceFor(llvm::ArrayRef<std::string> inner) const {
  const std::string name = hostNamespace + "::" + qualifier(inner);
  return name.substr(0, name.size() - 2);
}

void HeaderWriter::writeIncludes() {
  llvm::StringSet<> seen;
  for (const StructInfo &info : file.structs)
    if (info.origin == StructInfo::Origin::UserHeader && seen.insert(info.header).second)
      out << "#include " << info.header << "\n";
  for (const EnumInfo &info : file.enums)
    if (info.origin == StructInfo::Origin::UserHeader && seen.insert(info.header).second)
      out << "#include " << info.header << "\n";
  out << "#include <khal/khal.hpp>\n"
         "#include <khal/kernel/shared_span.hpp>\n"
         "#include <khal/kernel/vector.hpp>\n\n"
         "#include <array>\n"
         "#include <cstddef>\n"
         "#include <cstdint>\n"
         "#include <type_traits>\n\n"
         "static_assert(::khal::abi::version == "
      << khal::abi::version
      << ", \"khal: this header was written for another version of khal: run khalc again\");\n\n";
}

void HeaderWriter::writeDescriptors() {
  for (const KernelInfo &kernel : file.kernels)
    out << "extern \"C\" const ::khal::abi::Kernel " << descriptorSymbol(kernel) << ";\n";
  out << "\n";
}

const StructInfo *HeaderWriter::isMemberOfHostForm(const KernelInfo &kernel) const {
  if (kernel.namespaces.empty())
    return nullptr;
  std::string name;
  for (const std::string &space : kernel.namespaces)
    name += "::" + space;
  const StructInfo *info = forms.find(name);
  return info && forms.holdsBuffers(*info) ? info : nullptr;
}

/// A class has a namespace for its kernels. Where the class is a template with host forms of its
/// instances, which have that name, the namespace has "_kernels" behind.
std::vector<std::string> HeaderWriter::scopesOnHost(const KernelInfo &kernel) const {
  std::vector<std::string> scopes = kernel.namespaces;
  std::string name;
  for (std::string &scope : scopes) {
    name += "::" + scope;
    if (llvm::any_of(file.structs, [&](const StructInfo &info) {
          return forms.holdsBuffers(info) && info.qualifiedName.starts_with(name + "<");
        }))
      scope += "_kernels";
  }
  return scopes;
}

/// A list after a beginning, over as many lines as it takes.
void HeaderWriter::writeWrapped(llvm::StringRef begin, llvm::ArrayRef<std::string> list,
                                llvm::StringRef end) {
  constexpr size_t width = 100;
  const std::string all = llvm::join(list, ", ");
  out << begin;
  if (begin.size() + all.size() + end.size() + 2 <= width) {
    out << all << end;
    return;
  }
  size_t column = width;
  for (const auto &[i, item] : llvm::enumerate(list)) {
    const std::string text = item + (i + 1 < list.size() ? "," : end.str());
    if (column + 1 + text.size() > width) {
      out << "\n    ";
      column = 4;
    } else {
      out << " ";
      ++column;
    }
    out << text;
    column += text.size();
  }
}

std::string writeHeader(const KernelFile &file, const std::string &hostNamespace) {
  return HeaderWriter(file, hostNamespace).write();
}

} // namespace khalc::bindings

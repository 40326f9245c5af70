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
#include "bindings/HostForm.h"

#include "kernel/GeneratedNamespace.h"

#include "khal/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace khalc::bindings {

std::string descriptorSymbol(const KernelInfo &kernel) {
  return "khal_kernel_" + kernel.symbol;
}

namespace {

/// A name made fit for C++: that of a class template's instance has brackets, an unnamed
/// namespace has nothing.
std::string identifier(llvm::StringRef name) {
  std::string text;
  for (char c : name)
    text += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (text.empty() || llvm::isDigit(text[0]))
    text.insert(text.begin(), '_');
  return text;
}

/// "a::b::" for the namespaces that have names.
std::string qualifier(llvm::ArrayRef<std::string> namespaces) {
  std::string text;
  for (const std::string &name : namespaces)
    if (!name.empty())
      text += identifier(name) + "::";
  return text;
}

/// One macro name for each qualified name, and no two the same: ::a::b is N1a1bE as in the Itanium
/// C++ ABI.
std::string guardFor(llvm::ArrayRef<std::string> namespaces, llvm::StringRef name) {
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

class HeaderWriter {
public:
  HeaderWriter(const KernelFile &file, const std::string &hostNamespace)
      : file(file), hostNamespace(hostNamespace), forms(file.structs, hostNamespace),
        source(llvm::sys::path::filename(file.path)), out(text) {}

  std::string write() {
    const std::string guard =
        "KHAL_HPP_" + (file.kernels.empty() ? identifier(source) : file.kernels.front().symbol);
    out << "// Written by khalc from " << source << ". Don't edit: the next run replaces it.\n"
        << "#ifndef " << guard << "\n#define " << guard << "\n\n";
    writeIncludes();
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
      enterNamespace(hostNamespaceFor(host ? host->namespaces : kernel.namespaces));
      writeStub(kernel, host ? host->name + "::" : "");
    }
    enterNamespace("");
    out << "#endif // " << guard << "\n";
    for (size_t at; (at = text.find(generatedNamespace)) != std::string::npos;)
      text.replace(at, llvm::StringRef(generatedNamespace).size(), hostNamespace);
    return text;
  }

private:
  void writeIncludes();
  void writeStruct(const StructInfo &info, bool hostForm);
  template <class Body>
  void writeGuarded(llvm::ArrayRef<std::string> namespaces, llvm::StringRef name, Body body);
  void writeLayoutAssertions();
  void writeLayoutAssertion(const StructInfo &info);
  void writeDescriptors();
  void writeStub(const KernelInfo &kernel, const std::string &memberOf);
  void writeStubHead(const KernelInfo &kernel, const char *storage, const std::string &memberOf);
  void writeStubBody(const KernelInfo &kernel);
  void writeWrapped(llvm::StringRef begin, llvm::ArrayRef<std::string> list, llvm::StringRef end);

  /// Goes to a namespace inside the host's, or out of it when `name` is empty.
  void enterNamespace(const std::string &name) {
    if (name == openNamespace)
      return;
    if (!openNamespace.empty())
      out << "} // namespace " << openNamespace << "\n\n";
    if (!name.empty())
      out << "namespace " << name << " {\n\n";
    openNamespace = name;
  }
  std::string hostNamespaceFor(llvm::ArrayRef<std::string> inner) const {
    const std::string name = hostNamespace + "::" + qualifier(inner);
    return name.substr(0, name.size() - 2);
  }

  /// True for a struct that the host has from this header alone.
  static bool isOwn(const StructInfo &info) {
    return info.origin == StructInfo::Origin::KernelFile;
  }

  /// The struct with a host form that a static member function belongs to; null for other kernels.
  const StructInfo *isMemberOfHostForm(const KernelInfo &kernel) const;
  /// True if another kernel of the same full name but other parameters is in the file.
  bool isOverloaded(const KernelInfo &kernel) const;

  struct StubNames {
    std::string stream, grid, block, buffers;
    std::vector<std::string> parameters;
    std::vector<std::string> locals; ///< by buffer: the Arg or Ref that stands for it
  };
  StubNames namesFor(const KernelInfo &kernel) const;
  /// The type of a parameter in a stub.
  std::string stubType(const Parameter &parameter) const;
  static std::string argumentType(const BufferSlot &buffer, bool isReference) {
    return (isReference ? "::khal::Ref<" : "::khal::Arg<") +
           std::string(buffer.readOnly ? "const " : "") + readable(buffer.elementType) + ">";
  }

  const KernelFile &file;
  const std::string &hostNamespace;
  HostForms forms;
  std::string source;
  std::string openNamespace;
  std::string text;
  llvm::raw_string_ostream out;
};

void HeaderWriter::writeIncludes() {
  llvm::StringSet<> seen;
  for (const StructInfo &info : file.structs)
    if (info.origin == StructInfo::Origin::UserHeader && seen.insert(info.header).second)
      out << "#include " << info.header << "\n";
  out << "#include <khal/khal.hpp>\n"
         "#include <khal/kernel/span.hpp>\n"
         "#include <khal/kernel/vector.hpp>\n\n"
         "#include <array>\n"
         "#include <cstddef>\n"
         "#include <cstdint>\n"
         "#include <type_traits>\n\n"
         "static_assert(::khal::abi::version == "
      << khal::abi::version
      << ", \"khal: this header was written for another version of khal: run khalc again\");\n\n";
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

/// Declares a struct in the kernel file's namespaces, or its host form in the host's. The instance
/// of a template becomes a specialisation of one that has nothing else.
void HeaderWriter::writeStruct(const StructInfo &info, bool hostForm) {
  std::vector<std::string> namespaces = info.namespaces;
  if (isGenerated(info))
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
          << member.name << member.arrayExtents << (hostForm ? "{};\n" : ";\n");
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
    std::string condition = "offsetof(T, " + member.name + ") == " + std::to_string(member.offset);
    if (own)
      condition += " && ::std::is_same_v<decltype(T::" + member.name + "), " + member.typeSpelling +
                   member.arrayExtents + ">";
    else
      out << "  if constexpr (requires { &T::" << member.name << "; })\n  ";
    writeWrapped("  static_assert(", {condition, message + ": " + member.name + "\""}, ");\n");
  }
  out << "  return true;\n}(static_cast<const " << info.qualifiedName << " *>(nullptr)));\n";
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

bool HeaderWriter::isOverloaded(const KernelInfo &kernel) const {
  return llvm::any_of(file.kernels, [&](const KernelInfo &other) {
    return &other != &kernel && other.name == kernel.name &&
           other.namespaces == kernel.namespaces &&
           other.templateArguments == kernel.templateArguments;
  });
}

HeaderWriter::StubNames HeaderWriter::namesFor(const KernelInfo &kernel) const {
  llvm::StringSet<> taken;
  auto unique = [&](std::string name) {
    while (!taken.insert(name).second)
      name += "_";
    return name;
  };
  StubNames names;
  for (const Parameter &parameter : kernel.parameters)
    if (!parameter.name.empty())
      taken.insert(parameter.name);
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    names.parameters.push_back(kernel.parameters[i].name.empty()
                                   ? unique("argument" + std::to_string(i))
                                   : kernel.parameters[i].name);
  names.stream = unique("stream");
  names.grid = unique("grid");
  names.block = unique("block");
  names.buffers = unique("buffers");
  names.locals.resize(kernel.buffers.size());
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    for (const Leaf &leaf : kernel.parameters[i].leaves)
      if (leaf.kind == Leaf::Kind::BufferPointer) {
        const bool makesLocal =
            kernel.parameters[i].form == Parameter::Form::Aggregate || isOverloaded(kernel);
        names.locals[leaf.index] =
            makesLocal ? unique("buffer" + std::to_string(leaf.index)) : names.parameters[i];
      }
  return names;
}

std::string HeaderWriter::stubType(const Parameter &parameter) const {
  const std::string element = (parameter.readOnly ? "const " : "") + readable(parameter.hostType);
  switch (parameter.form) {
  case Parameter::Form::Span:
  case Parameter::Form::Pointer:
    return "::khal::Arg<" + element + ">";
  case Parameter::Form::Reference:
    return "::khal::Ref<" + element + ">";
  case Parameter::Form::Value:
    return element;
  case Parameter::Form::Aggregate:
    return "const " + forms.spelling(parameter.hostType) + " &";
  }
  return {};
}

/// Everything of a stub up to its body. Instances of a kernel template are templates that accept
/// just their own arguments, and deduce those that are structs. Among overloads, so that the buffers' types choose, each buffer
/// parameter is a template parameter that accepts just what fits.
void HeaderWriter::writeStubHead(const KernelInfo &kernel, const char *storage,
                                 const std::string &memberOf) {
  const StubNames names = namesFor(kernel);
  const bool overloaded = isOverloaded(kernel);
  std::vector<std::string> templateParameters, constraints, parameters;

  llvm::StringMap<std::string> structArguments; // by their spelling in the kernel
  for (const auto &[i, argument] : llvm::enumerate(templateArguments(kernel.templateArguments))) {
    const std::string name = "A" + std::to_string(i);
    const bool isType = argument.parameterKind == "class";
    templateParameters.push_back(argument.parameterKind + " " + name);
    constraints.push_back(isType ? "::std::is_same_v<" + name + ", " +
                                       forms.spelling(argument.spelling) + ">"
                                 : "(" + name + " == " + argument.spelling + ")");
    if (isType && forms.find(argument.spelling))
      structArguments.try_emplace(argument.spelling, name);
  }
  parameters.push_back("::khal::Stream &" + names.stream);
  parameters.push_back("::khal::Grid " + names.grid);
  for (const auto &[i, parameter] : llvm::enumerate(kernel.parameters)) {
    const bool isWhole =
        parameter.form == Parameter::Form::Value || parameter.form == Parameter::Form::Aggregate;
    const bool isBuffer = !isWhole;
    std::string type = stubType(parameter);
    // A function object's type needn't be written out by the caller.
    if (auto found = structArguments.find(parameter.hostType);
        isWhole && found != structArguments.end())
      type = "const " + found->second + " &";
    if (overloaded && isBuffer) {
      const std::string name = "B" + std::to_string(i);
      templateParameters.push_back("class " + name);
      constraints.push_back("::khal::detail::is_buffer_for<" + name + ", " +
                            (parameter.readOnly ? "const " : "") + readable(parameter.hostType) +
                            ">()");
      type = name + " &&";
    }
    const bool spaced = llvm::StringRef(type).ends_with("&");
    parameters.push_back(type + (spaced ? "" : " ") + names.parameters[i]);
  }

  if (!templateParameters.empty())
    out << "template <" << llvm::join(templateParameters, ", ") << ">\n  requires("
        << llvm::join(constraints, " && ") << ")\n";
  writeWrapped(std::string(storage) + " void " + memberOf + kernel.name + "(", parameters, ")");
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

void HeaderWriter::writeStubBody(const KernelInfo &kernel) {
  const StubNames names = namesFor(kernel);
  if (kernel.blockSize)
    out << "  ::khal::detail::Block<" << kernel.blockSize << "> " << names.block << ";\n";

  for (const auto &[i, parameter] : llvm::enumerate(kernel.parameters)) {
    const bool aggregate = parameter.form == Parameter::Form::Aggregate;
    const StructInfo *info = aggregate ? forms.find(parameter.hostType) : nullptr;
    for (const Leaf &leaf : parameter.leaves) {
      HostForms::Place place;
      if (info)
        place = forms.placeAt(*info, leaf.objectOffset[static_cast<unsigned>(DeviceAbi::Host)]);
      const std::string value = names.parameters[i] + place.path;
      switch (leaf.kind) {
      case Leaf::Kind::BufferPointer:
        if (names.locals[leaf.index] != names.parameters[i]) {
          const bool isReference =
              place.isReference || parameter.form == Parameter::Form::Reference;
          out << "  const " << argumentType(kernel.buffers[leaf.index], isReference) << " "
              << names.locals[leaf.index] << "(" << value << ");\n";
        }
        break;
      case Leaf::Kind::BufferLength:
        out << "  " << names.block << ".put(" << leaf.blockOffset << ", "
            << names.locals[leaf.index] << ".length());\n";
        break;
      case Leaf::Kind::Uniform:
        if (aggregate)
          out << "  static_assert(sizeof(" << value << ") == " << leaf.size << ");\n";
        out << "  " << names.block << ".put(" << leaf.blockOffset << ", " << value << ");\n";
        break;
      }
    }
  }

  if (!kernel.buffers.empty())
    out << "  const ::khal::detail::BufferArgument " << names.buffers << "[] = {"
        << llvm::join(names.locals, ", ") << "};\n";
  writeWrapped("  ::khal::detail::launch(",
               {names.stream, "::" + descriptorSymbol(kernel), names.grid,
                kernel.buffers.empty() ? "{}" : names.buffers,
                kernel.blockSize ? names.block + ".bytes()" : "{}"},
               ");\n");
}

void HeaderWriter::writeStub(const KernelInfo &kernel, const std::string &memberOf) {
  out << "/// " << kernel.displayName << ", " << source << ":" << kernel.position.line
      << ", work-groups of " << kernel.groupSize[0] << " x " << kernel.groupSize[1] << " x "
      << kernel.groupSize[2] << ".\n";
  writeStubHead(kernel, "inline", memberOf);
  out << " {\n";
  writeStubBody(kernel);
  out << "}\n\n";
}

} // namespace

std::string writeHeader(const KernelFile &file, const std::string &hostNamespace) {
  return HeaderWriter(file, hostNamespace).write();
}

} // namespace khalc::bindings

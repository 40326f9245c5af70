//===- HeaderStubs.cpp - kernels' stubs in the generated header -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "bindings/Bindings.h"
#include "bindings/HeaderWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace khalc::bindings {

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
  case Parameter::Form::SharedSpan:
    return "::khal::Shared";
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
    const bool isBuffer = !isWhole && parameter.form != Parameter::Form::SharedSpan;
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
      case Leaf::Kind::SharedPointer: // the kernel's own affair
        break;
      case Leaf::Kind::SharedLength:
        out << "  " << names.block << ".put(" << leaf.blockOffset << ", " << value
            << ".length());\n";
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

} // namespace khalc::bindings

//===- HeaderWriter.h - writes the generated header -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_BINDINGS_HEADERWRITER_H
#define KHALC_BINDINGS_HEADERWRITER_H

#include "bindings/HostForm.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace khalc::bindings {

/// A name made fit for C++: that of a class template's instance has brackets, an unnamed
/// namespace has nothing.
std::string identifier(llvm::StringRef name);

/// Writes one header. Types are in HeaderTypes.cpp, stubs in HeaderStubs.cpp.
class HeaderWriter {
public:
  HeaderWriter(const KernelFile &file, const std::string &hostNamespace)
      : file(file), hostNamespace(hostNamespace), forms(file.structs, hostNamespace),
        source(llvm::sys::path::filename(file.path)), out(text) {}

  std::string write();

private:
  void writeIncludes();
  void writeEnum(const EnumInfo &info);
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
  void enterNamespace(const std::string &name);
  std::string hostNamespaceFor(llvm::ArrayRef<std::string> inner) const;

  /// True for a struct that the host has from this header alone.
  static bool isOwn(const StructInfo &info) {
    return info.origin == StructInfo::Origin::KernelFile ||
           info.origin == StructInfo::Origin::Generated;
  }

  /// The struct with a host form that a static member function belongs to; null for other kernels.
  const StructInfo *isMemberOfHostForm(const KernelInfo &kernel) const;
  /// The namespaces that a kernel's stub is in, inside the host's.
  std::vector<std::string> scopesOnHost(const KernelInfo &kernel) const;
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

} // namespace khalc::bindings

#endif // KHALC_BINDINGS_HEADERWRITER_H

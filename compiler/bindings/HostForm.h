//===- HostForm.h - kernel types as the host sees them ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most types are the same on both sides. A struct that holds spans or pointers is not: its host
// form has the same members over khal::Slice, and lives in the generated namespace:
//
//   struct View { span<float> cells; u32 width; };            the kernel's
//   namespace kernels { struct View { khal::Slice<float> cells; u32 width; }; }   the host's
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_BINDINGS_HOSTFORM_H
#define KHALC_BINDINGS_HOSTFORM_H

#include "kernel/KernelInfo.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace khalc::bindings {

/// What a member's type says about buffers.
struct BufferMember {
  std::string elementType;  ///< with its const: "const float"
  uint64_t size = 0;        ///< bytes that it takes in the kernel's struct, host ABI
  bool isReference = false; ///< one element must be there
};

/// The buffer that a member of this spelling is: a khal::span, a pointer or a reference.
std::optional<BufferMember> asBuffer(llvm::StringRef typeSpelling);

/// True for the spelling of a khal::shared_span.
bool isSharedSpan(llvm::StringRef typeSpelling);

/// One argument of a template, as the frontend spells it.
struct TemplateArgument {
  std::string spelling;      ///< "float", "16u", "true", "static_cast<::Mode>(1)"
  std::string parameterKind; ///< what its parameter is declared with: "class", "bool", "long long"
};

/// The arguments of "<float, 16u>", or of "Pair<float, 16u>".
std::vector<TemplateArgument> templateArguments(llvm::StringRef text);

/// The same type with vectors by their short names: ::khal::float3.
std::string readable(std::string type);

/// The types of one file, as the host sees them.
class HostForms {
public:
  HostForms(llvm::ArrayRef<StructInfo> structs, std::string hostNamespace)
      : structs(structs), hostNamespace(std::move(hostNamespace)) {}

  /// The struct of this qualified name; null when the file has none.
  const StructInfo *find(llvm::StringRef qualifiedName) const;

  /// True for a struct with a buffer or shared span among its members, at any depth.
  bool holdsBuffers(const StructInfo &info) const;

  /// The element of a std::array, with its count; nothing for other structs.
  struct ArrayElement {
    std::string spelling;
    std::string count;
  };
  static std::optional<ArrayElement> asStandardArray(const StructInfo &info);

  /// How the host spells a type: itself, a Slice, a Shared, a std::array of these, or the host form of a
  /// struct.
  std::string spelling(llvm::StringRef type) const;

  /// A place in a host-form object.
  struct Place {
    std::string path; ///< ".rows[1].cells", or "[1].cells"
    bool isReference = false;
  };
  /// The member that lies at byte `offset` of the kernel's struct (host ABI).
  Place placeAt(const StructInfo &info, uint64_t offset) const;

private:
  llvm::ArrayRef<StructInfo> structs;
  std::string hostNamespace;
};

} // namespace khalc::bindings

#endif // KHALC_BINDINGS_HOSTFORM_H

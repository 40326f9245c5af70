//===- HostTypes.h - device types as the host's compiler must spell them ----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_HOSTTYPES_H
#define KHALC_FRONTEND_HOSTTYPES_H

#include "diag/Diagnostics.h"
#include "frontend/IncludeTracker.h"
#include "kernel/KernelInfo.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

#include <functional>
#include <optional>

namespace khalc {

/// The parameter, or the part of one, that a fault is about.
struct TypeUse {
  std::string name;   ///< "view.cells"
  std::string kernel; ///< display name
  clang::SourceLocation location;
};

/// khal::span<T>: T, with its const. Empty for other types.
std::optional<clang::QualType> spanElement(clang::QualType type);

/// khal::shared_span<T>: T. Empty for other types.
std::optional<clang::QualType> sharedSpanElement(clang::QualType type);

/// What a field is called: its own name, or that of what a lambda captures; empty if it has none.
std::string memberName(const clang::CXXRecordDecl &record, const clang::FieldDecl &field);

/// True for a type that is or contains a pointer, a reference or a khal::span.
bool holdsPointers(clang::QualType type, const clang::ASTContext &context);

/// Instantiates a class template where that makes the type complete. True if it is complete then.
using Completer = std::function<bool(clang::QualType, clang::SourceLocation)>;

class HostTypes {
public:
  HostTypes(clang::ASTContext &context, Completer completer, const MainIncludes &includes,
            llvm::StringRef khalIncludeDir, diag::Engine &diagnostics);

  /// The C++ spelling of a type, without top-level const: "float", "std::uint32_t",
  /// "::physics::Particle", "float[4]". Every struct in it becomes known, its members' first.
  /// Empty after an error.
  std::optional<std::string> spell(clang::QualType type, const TypeUse &use);
  /// A template argument: "float", "16u"; the arguments of a pack are separated by commas.
  std::optional<std::string> spellArgument(const clang::TemplateArgument &argument,
                                           const TypeUse &use);

  bool complete(clang::QualType type, const TypeUse &use) const {
    return completer(type, use.location);
  }

  std::vector<StructInfo> takeStructs() { return std::move(structs); }
  std::vector<EnumInfo> takeEnums() { return std::move(enums); }

  clang::ASTContext &context;
  diag::Engine &diagnostics;

private:
  /// Sizes, alignments and classes of members, parallel to the members of the struct being built.
  struct Extent {
    uint64_t size, alignment; ///< of a bit-field those of its type
    uint64_t bit;             ///< the first in the struct
    std::string owner;
  };

  std::optional<std::string> spellBuiltin(const clang::BuiltinType &type);
  std::optional<std::string> spellEnum(const clang::EnumDecl &enumeration, const TypeUse &use);
  /// "[4][2]", or empty.
  std::string extentsOf(clang::QualType type) const;
  bool isNameable(const clang::TagDecl &type) const;
  /// What the host calls a type that it can't name as C++ does, in the generated namespace.
  std::string generatedName(const clang::CXXRecordDecl &record);
  void nameClosures(const clang::DeclContext &scope);
  std::optional<std::string> spellRecord(const clang::CXXRecordDecl &record, const TypeUse &use);
  std::optional<std::string> spellArguments(llvm::ArrayRef<clang::TemplateArgument> arguments,
                                            const TypeUse &use);
  bool learn(const clang::CXXRecordDecl &record, StructInfo &info, const TypeUse &use);
  bool addMembers(StructInfo &info, const clang::CXXRecordDecl &record, uint64_t offset, bool all,
                  const TypeUse &use);
  void addMember(StructInfo &info, StructInfo::Member member, Extent extent);
  bool addPadding(StructInfo &info, const clang::CXXRecordDecl &record, const TypeUse &use);
  StructInfo::Origin originOf(const clang::TagDecl &type, std::string &header) const;
  void report(diag::Id id, const TypeUse &use, std::vector<std::string> more = {});

  Completer completer;
  const MainIncludes &includes;
  std::string khalHeaders; ///< the folder that khal/kernel.hpp is in, with a slash
  std::vector<StructInfo> structs;
  std::vector<EnumInfo> enums;
  llvm::DenseSet<const clang::EnumDecl *> knownEnums;
  /// By record, what is declared as, or gives, a closure of it; made when first needed.
  std::optional<llvm::DenseMap<const clang::CXXRecordDecl *, std::string>> closureNames;
  llvm::DenseMap<const clang::CXXRecordDecl *, std::string> generatedNames;
  llvm::StringSet<> takenNames;
  llvm::DenseSet<const clang::CXXRecordDecl *> known;
  std::vector<Extent> extents;
};

} // namespace khalc

#endif // KHALC_FRONTEND_HOSTTYPES_H

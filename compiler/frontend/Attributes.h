//===- Attributes.h - [[khal::kernel]], [[khal::shared]], [[khal::may_alias]] -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes are registered with Clang as real ones. In the AST they are
//   kernel      AnnotateAttr "khal::kernel" with the size expressions
//   may_alias   AnnotateAttr "khal::may_alias"
//   shared      SectionAttr "khal.shared" on a variable made static
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_ATTRIBUTES_H
#define KHALC_FRONTEND_ATTRIBUTES_H

#include <array>
#include <cstdint>
#include <optional>

namespace clang {
class AnnotateAttr;
class ASTContext;
class Decl;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace khalc {

namespace diag {
class Engine;
}

/// Clang loads the attributes from a static registry, which a static library's linker may drop;
/// calling this keeps them.
void registerAttributes();

/// The attribute of a kernel, or null.
const clang::AnnotateAttr *kernelAttribute(const clang::Decl &declaration);
/// The attribute of a kernel whose buffers may overlap, or null.
const clang::AnnotateAttr *mayAliasAttribute(const clang::Decl &declaration);

/// The group size of a kernel that isn't dependent; reports what is wrong with it.
std::optional<std::array<uint32_t, 3>> groupSizeOf(const clang::FunctionDecl &kernel,
                                                   clang::ASTContext &context,
                                                   diag::Engine &diagnostics);

} // namespace khalc

#endif // KHALC_FRONTEND_ATTRIBUTES_H

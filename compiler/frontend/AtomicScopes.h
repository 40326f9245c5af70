//===- AtomicScopes.h - one spelling of atomics' scopes ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_ATOMICSCOPES_H
#define KHALC_FRONTEND_ATOMICSCOPES_H

#include "check/Check.h"

#include "llvm/ADT/StringMap.h"

#include <map>
#include <utility>

namespace clang {
class ASTContext;
class CodeGenerator;
} // namespace clang
namespace llvm {
class Module;
}

namespace khalc {

/// Clang knows the scope that an atomic names but writes it into the IR on some targets only: for
/// x86-64 and NVPTX every atomic comes out as system-wide. This remembers the scopes by the places
/// of the atomics, and gives them back to the instructions made for these places.
class AtomicScopes {
public:
  AtomicScopes(const std::vector<check::Atomic> &atomics, clang::ASTContext &context,
               clang::CodeGenerator &generator);

  /// Every atomic of the module gets syncscope "workgroup", "device" or system.
  void apply(llvm::Module &module) const;

private:
  enum class Scope { Workgroup, Device, System };
  using Place = std::pair<unsigned, unsigned>; ///< line and column, as in the debug information

  static Scope scopeOf(const clang::AtomicExpr &atomic, const clang::ASTContext &context);

  /// By the function's name in IR.
  llvm::StringMap<std::map<Place, Scope>> functions;
};

} // namespace khalc

#endif // KHALC_FRONTEND_ATOMICSCOPES_H

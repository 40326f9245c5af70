//===- FunctionWalk.h - what one function can run ---------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_CHECK_FUNCTIONWALK_H
#define KHALC_CHECK_FUNCTIONWALK_H

#include "diag/Diagnostics.h"

#include "clang/Basic/SourceLocation.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class AtomicExpr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace khalc::check {

/// A broken rule.
struct Fault {
  diag::Id id;
  clang::SourceLocation location;
  std::vector<std::string> arguments;
  /// Inside a branch taken for one target only: what such code may do is more.
  bool oneTargetOnly = false;
};

/// A use of another function: nearly always a call.
struct Edge {
  const clang::FunctionDecl *callee = nullptr; ///< the definition, where there is one
  clang::SourceLocation location;
  bool oneTargetOnly = false;
};

struct FunctionFacts {
  std::vector<Fault> faults; ///< in source order
  std::vector<Edge> edges;
  std::vector<const clang::VarDecl *> constants;
  std::vector<const clang::AtomicExpr *> atomics;
};

/// Walks the body of a definition, and for constructors and destructors what runs around it.
FunctionFacts walkFunction(clang::ASTContext &context, const clang::FunctionDecl &definition);

} // namespace khalc::check

#endif // KHALC_CHECK_FUNCTIONWALK_H

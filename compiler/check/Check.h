//===- Check.h - what kernels reach, and whether they may -------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the call graph of the AST from the kernels and holds everything that can run against the
// rules of the kernel language. What can't run isn't looked at: unevaluated operands, constant
// expressions, branches whose condition Clang folds, functions that no kernel calls.
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_CHECK_CHECK_H
#define KHALC_CHECK_CHECK_H

#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace clang {
class ASTContext;
class AtomicExpr;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace khalc {

namespace diag {
class Engine;
}

namespace check {

/// An atomic operation and the function whose code it is part of.
struct Atomic {
  const clang::FunctionDecl *function;
  const clang::AtomicExpr *expression;
};

/// What code generation needs for a set of kernels, each once, nearest to a kernel first.
struct Reached {
  std::vector<const clang::FunctionDecl *> functions; ///< definitions, the kernels' too
  std::vector<const clang::VarDecl *> constants;      ///< variables outside of functions
  std::vector<Atomic> atomics;
};

/// Reports every broken rule once, with the chain of calls from a kernel. `std::__throw_…`
/// functions end the work-item: they are neither walked nor among the reached.
Reached walkKernels(clang::ASTContext &context, llvm::ArrayRef<const clang::FunctionDecl *> kernels,
                    diag::Engine &diagnostics);

} // namespace check
} // namespace khalc

#endif // KHALC_CHECK_CHECK_H

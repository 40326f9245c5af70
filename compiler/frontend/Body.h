//===- Body.h - the function that each kernel is entered through ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_FRONTEND_BODY_H
#define KHALC_FRONTEND_BODY_H

#include "llvm/ADT/StringRef.h"

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

namespace khalc {

/// Makes, in the AST, the function documented at KernelInfo::bodyFunction:
///
///   kernel(P0 a, T &b)   =>   extern "C" void name(P0 *a, T **b) { kernel(*a, **b); }
///
/// so that Clang's own rules turn parameters into the ABI's form.
clang::FunctionDecl *makeBody(clang::Sema &sema, const clang::FunctionDecl &kernel,
                              llvm::StringRef name);

} // namespace khalc

#endif // KHALC_FRONTEND_BODY_H

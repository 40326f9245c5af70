//===- StructureVariables.h - structuring for targets with values of any type -----------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_STRUCTUREVARIABLES_H
#define KHALC_SHADER_STRUCTUREVARIABLES_H

#include "shader/Structured.h"

namespace khalc::shader {

/// What phis may be made for: a value that leaves a loop is passed on in one, or computed anew
/// behind the loop from operands that are.
enum class Variables {
  OfNumbers, ///< integers and floating-point numbers; addresses are those of resources
  OfAnyType
};

/// As structure(function), which is for `OfNumbers`.
StructuredFunction structure(llvm::Function &function, Variables variables);

} // namespace khalc::shader

#endif // KHALC_SHADER_STRUCTUREVARIABLES_H

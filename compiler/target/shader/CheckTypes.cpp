//===- CheckTypes.cpp - only types that shaders have ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/shader/CheckTypes.h"

#include "diag/Diagnostics.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

namespace {

bool isForeign(const Type *type) {
  return type->isFloatingPointTy() && !type->isHalfTy() && !type->isFloatTy() &&
         !type->isDoubleTy();
}

} // namespace

bool checkTypes(const Function &function, diag::Engine &diagnostics) {
  bool good = true;
  for (const Instruction &instruction : instructions(function)) {
    const bool computes = isForeign(instruction.getType()) ||
                          any_of(instruction.operand_values(), [](const Value *operand) {
                            return isForeign(operand->getType());
                          });
    if (!computes)
      continue;
    good = false;
    diagnostics.report(diag::Id::shader_unsupported_instruction, instruction,
                       {"arithmetic on this floating-point type", "use float, double or f16"});
  }
  return good;
}

} // namespace khalc::shader

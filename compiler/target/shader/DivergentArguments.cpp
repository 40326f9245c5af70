//===- DivergentArguments.cpp - arguments that work-items index apart ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "target/shader/DivergentArguments.h"

#include "ir/Passes.h"
#include "ir/Uniformity.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {

bool isArgumentLoad(const Instruction &instruction, const LoweredKernel &kernel) {
  const auto *load = dyn_cast<LoadInst>(&instruction);
  if (!load)
    return false;
  const Value *variable = getUnderlyingObject(load->getPointerOperand());
  return any_of(kernel.resources, [variable](const Resource &resource) {
    return resource.kind == Resource::Kind::Block && resource.variable == variable;
  });
}

bool indexesArgumentsApart(Function &function, const LoweredKernel &kernel) {
  SmallVector<const LoadInst *> indexed;
  for (const Instruction &instruction : instructions(function))
    if (isArgumentLoad(instruction, kernel))
      if (const auto &load = cast<LoadInst>(instruction); !isa<Constant>(load.getPointerOperand()))
        indexed.push_back(&load);
  if (indexed.empty())
    return false;
  Passes passes;
  const Uniformity uniformity(function, passes.functions, Unknown::Divergent);
  return any_of(indexed, [&](const LoadInst *load) {
    return !uniformity.isUniformAt(load->getOperandUse(LoadInst::getPointerOperandIndex()));
  });
}

} // namespace khalc::shader

//===- Structure.cpp - a function of any shape as a structured tree ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureTree.h"
#include "shader/StructureVariables.h"
#include "shader/Structured.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/ErrorHandling.h"

namespace khalc::shader {

/// Instructions that may be added by copying blocks, however short the function is.
static constexpr unsigned copyAllowance = 64;
/// How often the tree is built anew after copying.
static constexpr unsigned mostRounds = 8;

StructuredFunction structure(llvm::Function &function, Variables variables) {
  unsigned budget = copyAllowance + function.getInstructionCount() / 8;
  prepare(function);
  for (unsigned round = 0;; ++round) {
    Tree tree = buildTree(function, variables);
    std::vector<DuplicationWish> wishes;
    StructuredFunction result = lowerTree(function, tree, wishes);
    if (round < mostRounds && duplicate(wishes, budget)) {
      prepare(function);
      continue;
    }
    if (std::string fault = verify(result); !fault.empty())
      llvm::report_fatal_error(llvm::Twine("structure: ") + fault + " in " + function.getName());
    return result;
  }
}

StructuredFunction structure(llvm::Function &function) {
  return structure(function, Variables::OfNumbers);
}

bool breaksOut(const Region &region) {
  return llvm::any_of(region, [](const std::unique_ptr<Node> &node) {
    switch (node->kind) {
    case NodeKind::Break:
      return true;
    case NodeKind::Loop:
    case NodeKind::Scope:
      return false;
    default:
      return breaksOut(node->body) || breaksOut(node->elseBody) ||
             llvm::any_of(node->cases,
                          [](const SwitchCase &branch) { return breaksOut(branch.body); });
    }
  });
}

} // namespace khalc::shader

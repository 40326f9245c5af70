//===- Structured.h - a kernel as a tree of structured control flow ------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
//
// What the shader writers print. The tree owns no instruction: Code nodes name basic blocks of the
// lowered function, whose straight-line instructions (not phis, not the terminator) are printed in
// order. Phis are variables: a PhiCopy stores all incoming values of `to`'s phis for the edge
// `from` -> `to`, and a Code node first loads its block's phis. Since loaded values are SSA values,
// the order of stores within a PhiCopy doesn't matter.
//
// Every use in the printed program is dominated by its definition.
//
//   Region   := Node*
//   Code     the instructions of one block
//   PhiCopy  an edge's phi stores
//   If       two regions; control goes on after it when a region's end is reached
//   Switch   one region a case, no fall-through, one default; goes on after it at a region's end
//   Loop     endless; the end of its region goes back to its start
//   Scope    a region left early by a Break; its end goes on after it
//   Break    leaves the innermost Loop or Scope
//   Continue goes to the start of the innermost Loop (through any Scopes inside that loop)
//   SetFlag  flag := value, for exits through several levels
//   IfFlag   region executed when flag == value
//   Return   ends the work-item
//   Unreachable
//
#ifndef KHALC_SHADER_STRUCTURED_H
#define KHALC_SHADER_STRUCTURED_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class ConstantInt;
class Function;
class Value;
} // namespace llvm

namespace khalc::shader {

struct Node;
using Region = std::vector<std::unique_ptr<Node>>;

enum class NodeKind {
  Code,
  PhiCopy,
  If,
  Switch,
  Loop,
  Scope,
  Break,
  Continue,
  SetFlag,
  IfFlag,
  Return,
  Unreachable
};

struct SwitchCase {
  llvm::SmallVector<llvm::ConstantInt *, 2> values; ///< empty for the default alone
  bool isDefault = false;
  Region body;
};

struct Node {
  NodeKind kind;
  const llvm::BasicBlock *block = nullptr; ///< Code; PhiCopy: from; Loop: its header
  const llvm::BasicBlock *to = nullptr;    ///< PhiCopy
  const llvm::Value *condition = nullptr;  ///< If: i1; Switch: the selector
  unsigned flag = 0;                       ///< SetFlag, IfFlag: 0 … StructuredFunction::flagCount-1
  uint32_t value = 0;                      ///< SetFlag, IfFlag
  Region body;                             ///< If: then; Loop, Scope, IfFlag
  Region elseBody;                         ///< If
  std::vector<SwitchCase> cases;           ///< Switch; exactly one isDefault
};

struct StructuredFunction {
  const llvm::Function *function = nullptr;
  Region body;
  unsigned flagCount = 0; ///< u32 variables, all 0 at the start
};

/// Builds the tree for a function whose control flow may have any shape. The function may be
/// changed (irreducible cycles made reducible, loops into simplified and LCSSA form, critical
/// edges split). Convergent calls keep their control dependence.
StructuredFunction structure(llvm::Function &function);

/// True if a Break in the region leaves a construct outside of it. One in a Switch does, which
/// languages whose own switch takes the word for itself print as ifs.
bool breaksOut(const Region &region);

/// The tree as indented text, for --dump-dir and tests.
std::string toString(const StructuredFunction &function);

} // namespace khalc::shader

#endif // KHALC_SHADER_STRUCTURED_H

//===- StructureTree.h - labelled tree between the CFG and Structured.h -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
//
// Internal to structure(). The steps, in order:
//
//   prepare    (StructurePrepare.cpp)   reducible control flow, no blocks without purpose
//   buildTree  (StructureBuild.cpp)     the dominator tree becomes chains of labelled pieces
//   lowerTree  (StructureLower.cpp)     jumps to labels become falls, breaks, continues or flags
//   duplicate  (StructureDuplicate.cpp) a few tiny blocks are copied where that saves a scope or
//                                       flag; then the tree is built anew
//   verify     (StructureVerify.cpp)    an independent check of the result
//
// The labelled tree follows N. Ramsey, "Beyond Relooper" (ICFP 2022): a block's piece holds what
// the block alone leads to, and the blocks in which its paths meet follow it. Other than there,
// code after a loop is not nested in the loop.
//
//===---------------------------------------------------------------------------------------------===//
#ifndef KHALC_SHADER_STRUCTURETREE_H
#define KHALC_SHADER_STRUCTURETREE_H

#include "shader/StructureVariables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>
#include <optional>

namespace khalc::shader {

/// Somewhere a jump can go: the end of the kernel, the start of a block's piece, or the next round
/// of the loop that a block heads.
class Label {
public:
  Label() = default; ///< the end of the kernel
  static Label start(const llvm::BasicBlock *block) { return Label(block, false); }
  static Label nextRound(const llvm::BasicBlock *header) { return Label(header, true); }

  bool isExit() const { return !target; }
  bool isNextRound() const { return again; }
  const llvm::BasicBlock *block() const { return target; }
  bool operator==(const Label &) const = default;

private:
  Label(const llvm::BasicBlock *block, bool again) : target(block), again(again) {}
  const llvm::BasicBlock *target = nullptr;
  bool again = false;
  friend struct llvm::DenseMapInfo<Label>;
};

} // namespace khalc::shader

template <> struct llvm::DenseMapInfo<khalc::shader::Label> {
  using Label = khalc::shader::Label;
  using Pointers = DenseMapInfo<const BasicBlock *>;
  static Label getEmptyKey() { return Label(Pointers::getEmptyKey(), false); }
  static Label getTombstoneKey() { return Label(Pointers::getTombstoneKey(), false); }
  static unsigned getHashValue(const Label &label) {
    return Pointers::getHashValue(label.target) * 2 + label.again;
  }
  static bool isEqual(const Label &a, const Label &b) { return a == b; }
};

namespace khalc::shader {

/// How a part of the tree jumps to a label that lies outside it.
struct LabelUse {
  unsigned jumps = 0;
  bool acrossLoop = false; ///< at least one leaves a loop within the part that has other exits too
};
/// In the order of first use, so that flags are numbered the same way on every run.
using LabelUses = llvm::SmallMapVector<Label, LabelUse, 4>;

struct Chain;

/// What an edge of the CFG leads to.
struct Arm {
  enum class Kind { Jump, Inline, Unreachable };
  Kind kind = Kind::Jump;
  const llvm::BasicBlock *from = nullptr;
  const llvm::BasicBlock *to = nullptr;
  Label target;           ///< Jump
  Chain *chain = nullptr; ///< Inline: `to` and what it leads to
};

/// One element of a chain.
struct Piece {
  enum class Kind {
    Block, ///< a block's code, then its terminator with one arm per successor
    Loop,  ///< an endless loop over a chain
    Nested ///< a chain whose labels are its own
  };
  Kind kind = Kind::Block;
  Label label;                             ///< start of the block it begins with
  const llvm::BasicBlock *block = nullptr; ///< Block; Loop: the header
  llvm::SmallVector<Arm, 2> arms;          ///< Block: one a successor, in its terminator's order
  Chain *chain = nullptr;                  ///< Loop, Nested
  LabelUses uses;                          ///< the labels that jumps in this piece leave it for
};

/// Pieces in order. Every jump in a piece goes to the label of a later piece or out of the chain.
struct Chain {
  std::vector<Piece> pieces;
  LabelUses uses; ///< the labels that jumps in this chain leave it for
};

struct Tree {
  std::deque<Chain> chains; ///< owns all
  Chain *root = nullptr;
  /// The chain that each label of a Nested piece stands for, by its block.
  llvm::DenseMap<const llvm::BasicBlock *, const Chain *> labelled;
};

/// A block that could be copied for the edges from some of its predecessors in order to need fewer
/// scopes or flags.
struct DuplicationWish {
  const llvm::BasicBlock *block = nullptr;
  llvm::SmallVector<const llvm::BasicBlock *, 4> predecessors;
};

/// Makes control flow reducible and drops blocks that do nothing.
void prepare(llvm::Function &function);

/// Gives each cycle that has several entries one block through which all ways into it pass.
void makeReducible(llvm::Function &function);

/// True for a block that only returns. No piece stands for it: it is the exit label.
bool isPlainReturn(const llvm::BasicBlock &block);

/// True when a block has phis or instructions to print before its terminator.
bool hasCode(const llvm::BasicBlock &block);

/// Builds the tree and lets values that leave a loop pass through phis.
Tree buildTree(llvm::Function &function, Variables variables);

/// Lowers the tree. Where it needs scopes or flags, `wishes` names blocks whose duplication could
/// spare them.
StructuredFunction lowerTree(const llvm::Function &function, const Tree &tree,
                             std::vector<DuplicationWish> &wishes);

/// What a copy of a block costs, or nothing where it can't be copied: it's too long, has effects
/// that must happen in one place, or its values are used far away.
std::optional<unsigned> duplicationCost(const llvm::BasicBlock &block);

/// Grants wishes as far as the function's budget goes; true if the function was changed.
bool duplicate(const std::vector<DuplicationWish> &wishes, unsigned &budget);

/// What is wrong with the tree, or "": a value used where its definition isn't in scope, a block
/// printed twice or not at all, a break or continue without its loop.
std::string verify(const StructuredFunction &function);

} // namespace khalc::shader

#endif // KHALC_SHADER_STRUCTURETREE_H

//===- StructureBuild.cpp - from the dominator tree to chains of labelled pieces --------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructurePlaces.h"
#include "shader/StructureTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {
namespace {

/// Branches nested deeper than this are written one after the other, with jumps over the rest.
/// SPIR-V allows a depth of 1023 in all.
constexpr unsigned mostDepth = 128;

void addUse(LabelUses &uses, Label label, LabelUse use) {
  LabelUse &total = uses[label];
  total.jumps += use.jumps;
  total.acrossLoop |= use.acrossLoop;
}

class TreeBuilder {
public:
  TreeBuilder(const Places &places, Tree &tree) : places(places), tree(tree) {}

  /// The chain that begins with a block: its piece and, in order, the blocks placed after it.
  Chain *chainFrom(const BasicBlock *block) {
    // The last follow of each chain goes on in the same way; a long program is a long chain of
    // these, so they are not left to recursion.
    SmallVector<Chain *, 8> nest;
    const BasicBlock *next = block;
    while (next) {
      Chain &chain = newChain();
      if (!nest.empty())
        nest.back()->pieces.push_back(nested(next, &chain));
      nest.push_back(&chain);
      next = addBlockAndFollows(chain, next);
    }
    finish(nest);
    return nest.front();
  }

private:
  /// Adds the block's piece and all that follows it but the last, which it returns.
  const BasicBlock *addBlockAndFollows(Chain &chain, const BasicBlock *block) {
    const Loop *loop = places.loopHeadedBy(block);
    if (!loop)
      return addPieceAndFollows(chain, block);
    Piece piece;
    piece.kind = Piece::Kind::Loop;
    piece.label = Label::start(block);
    piece.block = block;
    piece.chain = roundOf(block);
    chain.pieces.push_back(std::move(piece));
    return addFollows(chain, places.afterLoop(loop));
  }

  /// What a loop repeats.
  Chain *roundOf(const BasicBlock *header) {
    Chain &chain = newChain();
    SmallVector<Chain *, 2> nest = {&chain};
    if (const BasicBlock *last = addPieceAndFollows(chain, header))
      chain.pieces.push_back(nested(last, chainFrom(last)));
    finish(nest);
    return &chain;
  }

  const BasicBlock *addPieceAndFollows(Chain &chain, const BasicBlock *block) {
    Piece piece;
    piece.label = Label::start(block);
    piece.block = block;
    SmallVector<const BasicBlock *, 4> follows;
    if (const BasicBlock *rest = addArms(piece))
      follows.push_back(rest);
    chain.pieces.push_back(std::move(piece));
    append_range(follows, places.meetingAfter(block));
    return addFollows(chain, follows);
  }

  const BasicBlock *addFollows(Chain &chain, ArrayRef<const BasicBlock *> follows) {
    if (follows.empty())
      return nullptr;
    for (const BasicBlock *follow : follows.drop_back())
      chain.pieces.push_back(nested(follow, chainFrom(follow)));
    return follows.back();
  }

  /// Fills a piece's arms. The rest of `if (c) leave; rest` is not put into an arm but returned, to
  /// become the next piece: as flat as it was written.
  const BasicBlock *addArms(Piece &piece) {
    const Instruction *terminator = piece.block->getTerminator();
    if (isa<UnreachableInst>(terminator) || isa<ReturnInst>(terminator)) {
      Arm arm;
      arm.from = piece.block;
      arm.kind = isa<ReturnInst>(terminator) ? Arm::Kind::Jump : Arm::Kind::Unreachable;
      piece.arms.push_back(arm);
      return nullptr;
    }
    SmallVector<const BasicBlock *, 4> targets;
    for (const BasicBlock *successor : successors(piece.block))
      if (!is_contained(targets, successor))
        targets.push_back(successor);
    for (const BasicBlock *target : targets)
      piece.arms.push_back(emptyArm(piece.block, target));

    // The arms with the least below them first: what is left over for the next piece should be the
    // long way on, and isn't built by recursion then.
    SmallVector<Arm *, 4> order;
    for (Arm &arm : piece.arms)
      order.push_back(&arm);
    stable_sort(order, [&](const Arm *a, const Arm *b) { return sizeOf(*a) < sizeOf(*b); });

    bool isFlat = true; // nothing but the last arm comes back to what follows
    const BasicBlock *rest = nullptr;
    for (Arm *arm : order) {
      if (arm->kind == Arm::Kind::Inline) {
        if (arm == order.back() && (isFlat || depth >= mostDepth)) {
          rest = arm->to;
          arm->kind = Arm::Kind::Jump;
          arm->target = Label::start(rest);
        } else {
          ++depth;
          arm->chain = chainFrom(arm->to);
          --depth;
        }
      }
      isFlat = isFlat && leaves(*arm, piece.block);
    }
    return rest;
  }

  Arm emptyArm(const BasicBlock *from, const BasicBlock *to) const {
    Arm arm;
    arm.from = from;
    arm.to = to;
    if (isPlainReturn(*to))
      arm.target = Label();
    else if (!hasCode(*to) && isa<UnreachableInst>(to->getTerminator()))
      arm.kind = Arm::Kind::Unreachable;
    else if (places.isBackEdge(from, to))
      arm.target = Label::nextRound(to);
    else if (places.isInline(to))
      arm.kind = Arm::Kind::Inline;
    else
      arm.target = Label::start(to);
    return arm;
  }

  unsigned sizeOf(const Arm &arm) const {
    return arm.kind == Arm::Kind::Inline ? places.sizeBelow(arm.to) : 0;
  }

  /// True when control that takes the arm never comes back to what follows in this round of the
  /// innermost loop.
  bool leaves(const Arm &arm, const BasicBlock *from) const {
    const Loop *loop = places.loopAround(from);
    auto isOutside = [&](Label label) {
      if (label.isExit())
        return true;
      if (label.isNextRound())
        return places.loopHeadedBy(label.block()) != loop;
      return places.loopAroundStart(label.block()) != loop;
    };
    switch (arm.kind) {
    case Arm::Kind::Unreachable:
      return true;
    case Arm::Kind::Jump:
      return isOutside(arm.target);
    case Arm::Kind::Inline:
      return all_of(arm.chain->uses, [&](const auto &use) { return isOutside(use.first); });
    }
    return false;
  }

  Piece nested(const BasicBlock *block, Chain *chain) {
    Piece piece;
    piece.kind = Piece::Kind::Nested;
    piece.label = Label::start(block);
    piece.chain = chain;
    tree.labelled[block] = chain;
    return piece;
  }

  Chain &newChain() {
    tree.chains.emplace_back();
    return tree.chains.back();
  }

  /// Sums up the labels used by each of the chains, of which each but the first is the last piece
  /// of the one before.
  void finish(ArrayRef<Chain *> nest) {
    for (Chain *chain : reverse(nest)) {
      for (Piece &piece : chain->pieces) {
        collectUses(piece);
        for (const auto &[label, use] : piece.uses)
          addUse(chain->uses, label, use);
      }
      for (const Piece &piece : drop_begin(chain->pieces))
        chain->uses.erase(piece.label);
    }
  }

  /// Jumps out of a loop to its only goal are as good as one after the loop.
  static void leaveLoop(Piece &loop) {
    loop.uses.erase(Label::nextRound(loop.block));
    auto isGoal = [](const auto &use) { return !use.first.isExit(); };
    if (count_if(loop.uses, isGoal) > 1)
      for (auto &[label, use] : loop.uses)
        use.acrossLoop = true;
  }

  static void collectUses(Piece &piece) {
    if (piece.chain) {
      for (const auto &[label, use] : piece.chain->uses)
        addUse(piece.uses, label, use);
      if (piece.kind == Piece::Kind::Loop)
        leaveLoop(piece);
    }
    for (const Arm &arm : piece.arms) {
      if (arm.kind == Arm::Kind::Jump)
        addUse(piece.uses, arm.target, {1, false});
      else if (arm.kind == Arm::Kind::Inline)
        for (const auto &[label, use] : arm.chain->uses)
          addUse(piece.uses, label, use);
    }
  }

  const Places &places;
  Tree &tree;
  unsigned depth = 0; ///< of branches around the one that is built
};

} // namespace

Tree buildTree(Function &function, Variables variables) {
  Places places(function);
  places.passThroughPhis(variables);
  Tree tree;
  tree.root = TreeBuilder(places, tree).chainFrom(&function.getEntryBlock());
  return tree;
}

} // namespace khalc::shader

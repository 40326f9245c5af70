//===- StructurePlaces.cpp - where each block goes in the tree --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructurePlaces.h"

#include "shader/StructureTree.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace khalc::shader {
namespace {

/// From this many instructions on, what follows a loop's own end isn't left to the last round of
/// each work-item but done when all have left the loop.
constexpr unsigned manyInstructions = 32;

/// Blocks that only return or can't be reached are printed at each jump to them.
bool isPlaced(const BasicBlock &block) {
  return hasCode(block) || !isa<ReturnInst, UnreachableInst>(block.getTerminator());
}

bool isConvergentCall(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && call->isConvergent();
}

/// Values that a variable can hold. Others are addresses within a resource, which are computed anew
/// where they are used.
bool fitsVariable(const Instruction &value, Variables variables) {
  if (variables == Variables::OfAnyType)
    return true;
  Type *type = value.getType();
  return type->isIntegerTy() || type->isFloatingPointTy();
}

} // namespace

Places::Places(Function &function) : function(function), dominators(function), loops(dominators) {
  ReversePostOrderTraversal<Function *> traversal(&function);
  order.assign(traversal.begin(), traversal.end());
  measure();
  for (const auto &[loop, blocks] : leftFor())
    chooseWhatFollows(loop, blocks);
  place();
}

const Places::BlockInfo &Places::info(const BasicBlock *block) const {
  return infos.find(block)->second;
}
Places::BlockInfo &Places::info(const BasicBlock *block) {
  return infos.find(block)->second;
}

const Loop *Places::loopHeadedBy(const BasicBlock *block) const {
  const Loop *loop = loops.getLoopFor(block);
  return loop && loop->getHeader() == block ? loop : nullptr;
}

const Loop *Places::loopAroundStart(const BasicBlock *block) const {
  return info(block).around;
}

const Loop *Places::loopAround(const BasicBlock *block) const {
  const Loop *own = loopHeadedBy(block);
  return own ? own : loopAroundStart(block);
}

bool Places::isBackEdge(const BasicBlock *from, const BasicBlock *to) const {
  const Loop *loop = loopHeadedBy(to);
  return loop && loop->contains(from);
}

/// True when all ways into a block, but those around its own loop, come from the same block.
bool Places::hasOneWayIn(const BasicBlock *block) const {
  const BasicBlock *only = nullptr;
  for (const BasicBlock *from : predecessors(block)) {
    if (isBackEdge(from, block) || from == only)
      continue;
    if (only)
      return false;
    only = from;
  }
  return only;
}

ArrayRef<const BasicBlock *> Places::meetingAfter(const BasicBlock *block) const {
  return info(block).meeting;
}

ArrayRef<const BasicBlock *> Places::afterLoop(const Loop *loop) const {
  auto it = following.find(loop);
  if (it == following.end())
    return {};
  return it->second;
}

BasicBlock *Places::dominatorOf(const BasicBlock *block) const {
  const DomTreeNode *parent = dominators.getNode(block)->getIDom();
  return parent ? parent->getBlock() : nullptr;
}

void Places::measure() {
  for (auto [position, block] : enumerate(order)) {
    BlockInfo &own = infos[block];
    own.position = position;
    own.loops = loopHeadedBy(block);
    for (const Instruction &instruction : *block) {
      if (isa<DbgInfoIntrinsic>(instruction))
        continue;
      ++own.size;
      if (isConvergentCall(instruction)) {
        own.converges = true;
        own.synchronises |= instruction.getType()->isVoidTy();
      }
    }
  }
  for (BasicBlock *block : reverse(order))
    if (BasicBlock *parent = dominatorOf(block)) {
      const BlockInfo &own = info(block);
      BlockInfo &above = info(parent);
      above.size += own.size;
      above.loops |= own.loops;
      above.converges |= own.converges;
      above.synchronises |= own.synchronises;
    }
}

/// For each loop the blocks outside it whose immediate dominator is inside, in order; for nested
/// loops with that property, under the outermost.
DenseMap<const Loop *, Places::Blocks> Places::leftFor() const {
  DenseMap<const Loop *, Blocks> result;
  for (BasicBlock *block : order) {
    BasicBlock *dominator = dominatorOf(block);
    const Loop *left = nullptr;
    for (const Loop *loop = dominator ? loops.getLoopFor(dominator) : nullptr;
         loop && !loop->contains(block); loop = loop->getParentLoop())
      left = loop;
    if (left && isPlaced(*block))
      result[left].push_back(block);
  }
  return result;
}

bool Places::leadsToAnother(BasicBlock *block, ArrayRef<BasicBlock *> others) const {
  SmallPtrSet<BasicBlock *, 16> seen = {block};
  SmallVector<BasicBlock *, 16> work = {block};
  while (!work.empty()) {
    BasicBlock *from = work.pop_back_val();
    for (BasicBlock *to : successors(from)) {
      if (isBackEdge(from, to) || !seen.insert(to).second)
        continue;
      if (is_contained(others, to))
        return true;
      work.push_back(to);
    }
  }
  return false;
}

/// True when a block leaves a loop depending on what the loop counts.
static bool leavesByCount(const Loop *loop, const BasicBlock *from) {
  auto *branch = dyn_cast<BranchInst>(from->getTerminator());
  if (!branch || branch->isUnconditional() || !loop->isLoopExiting(from))
    return false;
  auto *comparison = dyn_cast<ICmpInst>(branch->getCondition());
  auto isCounter = [&](const Value *value) {
    if (auto *step = dyn_cast<BinaryOperator>(value); step && isa<Constant>(step->getOperand(1)))
      value = step->getOperand(0);
    auto *phi = dyn_cast<PHINode>(value);
    return phi && phi->getParent() == loop->getHeader();
  };
  auto countsTo = [&](unsigned counter, unsigned limit) {
    return isCounter(comparison->getOperand(counter)) &&
           loop->isLoopInvariant(comparison->getOperand(limit));
  };
  return comparison && (countsTo(0, 1) || countsTo(1, 0));
}

/// The exits at a loop's own condition rather than a break. That is in its first block or, where
/// loops have been rotated, in its last. Should both have exits, the one that counts is meant.
bool Places::isNaturalExit(const Loop *loop, const BasicBlock *from) const {
  SmallVector<BasicBlock *, 4> latches;
  loop->getLoopLatches(latches);
  auto leaves = [&](const BasicBlock *latch) { return loop->isLoopExiting(latch); };
  auto counts = [&](const BasicBlock *latch) { return leavesByCount(loop, latch); };
  bool isAtHeader =
      none_of(latches, leaves) || (counts(loop->getHeader()) && none_of(latches, counts));
  return isAtHeader ? from == loop->getHeader() : is_contained(latches, from);
}

bool Places::isNaturallyLeftFor(const Loop *loop, const BasicBlock *block) const {
  return any_of(predecessors(block),
                [&](const BasicBlock *from) { return isNaturalExit(loop, from); });
}

/// True when a loop's exits lead to something that comes after it anyway, because there's a way
/// around the loop.
bool Places::isFollowedByOther(const Loop *loop, ArrayRef<BasicBlock *> leftFor) const {
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> edges;
  loop->getExitEdges(edges);
  const Loop *parent = loop->getParentLoop();
  return any_of(edges, [&](const auto &edge) {
    auto [from, to] = edge;
    if (is_contained(leftFor, to))
      return false;
    if (isPlainReturn(*to) || isBackEdge(from, to))
      return isNaturalExit(loop, from);
    return isPlaced(*to) && (!parent || parent->contains(to));
  });
}

void Places::chooseWhatFollows(const Loop *loop, ArrayRef<BasicBlock *> leftFor) {
  auto weight = [&](const BasicBlock *block) {
    const BlockInfo &own = info(block);
    unsigned size = own.loops ? own.size + manyInstructions : own.size;
    return std::tuple(own.synchronises, isNaturallyLeftFor(loop, block) ? 4 * size : size,
                      own.position);
  };
  if (!isFollowedByOther(loop, leftFor)) {
    BasicBlock *main = nullptr;
    for (BasicBlock *block : leftFor)
      if ((leftFor.size() == 1 || !leadsToAnother(block, leftFor)) &&
          (!main || weight(block) > weight(main)))
        main = block;
    info(main).after = loop;
  }

  // A barrier that one way out of the loop leads to is met by all work-items or none, but perhaps
  // not in the same round. Other convergent calls after a break stay with those who break, as a
  // device does it by itself: in `if (x == first) { sum = subgroup_add(y); break; }`.
  for (BasicBlock *block : leftFor) {
    const BlockInfo &own = info(block);
    bool isMuch = own.loops || own.converges || own.size >= manyInstructions;
    if (own.synchronises || (isMuch && isNaturallyLeftFor(loop, block)))
      info(block).after = loop;
  }
}

/// The outermost loop around a block's dominator that blocks leading to this one are placed after:
/// from there, a place inside the loop can't be reached.
const Loop *Places::requiredPlace(BasicBlock *block) const {
  BasicBlock *dominator = dominatorOf(block);
  const Loop *required = nullptr;
  if (!loops.getLoopFor(dominator))
    return nullptr;
  for (BasicBlock *predecessor : predecessors(block)) {
    if (isBackEdge(predecessor, block))
      continue;
    BasicBlock *placed = info(predecessor).placed;
    while (placed && dominators.properlyDominates(dominator, placed)) {
      const Loop *after = info(placed).after;
      if (after->contains(dominator) && (!required || after->contains(required)))
        required = after;
      placed = info(dominatorOf(placed)).placed;
    }
  }
  return required;
}

void Places::place() {
  for (BasicBlock *block : order) {
    BasicBlock *dominator = dominatorOf(block);
    if (!dominator)
      continue; // the entry
    BlockInfo &own = info(block);
    const Loop *required = requiredPlace(block);
    if (required && (!own.after || required->contains(own.after)))
      own.after = required;
    own.placed = own.after ? block : info(dominator).placed;
    own.around = own.after ? loopAroundStart(own.after->getHeader()) : loopAround(dominator);
    if (!isPlaced(*block))
      continue;
    if (own.after)
      following[own.after].push_back(block);
    else if (hasOneWayIn(block))
      own.isInline = true;
    else
      info(dominator).meeting.push_back(block);
  }
}

/// The first block on the way from a definition to a use that is placed after a loop around the
/// definition.
BasicBlock *Places::wayOut(const BasicBlock *definition, const BasicBlock *use) const {
  BasicBlock *first = nullptr;
  BasicBlock *placed = info(use).placed;
  while (placed && dominators.properlyDominates(definition, placed)) {
    if (dominators.dominates(info(placed).after->getHeader(), definition))
      first = placed;
    placed = info(dominatorOf(placed)).placed;
  }
  return first;
}

void Places::passThroughPhis(Variables variables) {
  if (following.empty())
    return;
  SmallVector<Use *, 32> work;
  for (BasicBlock *block : order)
    if (loopAround(block))
      for (Instruction &instruction : *block)
        for (Use &use : instruction.uses())
          work.push_back(&use);

  DenseMap<std::pair<Instruction *, BasicBlock *>, Instruction *> passed;
  while (!work.empty()) {
    Use *use = work.pop_back_val();
    auto *value = cast<Instruction>(use->get());
    auto *user = cast<Instruction>(use->getUser());
    auto *phi = dyn_cast<PHINode>(user);
    BasicBlock *place = phi ? phi->getIncomingBlock(*use) : user->getParent();
    BasicBlock *out = wayOut(value->getParent(), place);
    if (!out)
      continue;
    Instruction *&outside = passed[{value, out}];
    if (!outside) {
      if (fitsVariable(*value, variables)) {
        PHINode *variable = PHINode::Create(value->getType(), pred_size(out),
                                            value->getName() + ".out", out->begin());
        for (BasicBlock *predecessor : predecessors(out))
          variable->addIncoming(value, predecessor);
        outside = variable;
      } else {
        outside = value->clone();
        outside->insertInto(out, out->getFirstInsertionPt());
      }
      for (Use &operand : outside->operands())
        if (isa<Instruction>(operand.get()))
          work.push_back(&operand);
    }
    use->set(outside);
    work.push_back(use);
  }
}

} // namespace khalc::shader

//===- StructureReducible.cpp - one way into every cycle -----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
//
// A cycle with several entries gets a block through which all edges to its entries pass; a number
// that comes along says which entry is meant. (LLVM 22's fix-irreducible does the same, but loses
// incoming values of phis where a branch's other target isn't an entry.)
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureTree.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace khalc::shader {
namespace {

using BlockSet = SmallSetVector<BasicBlock *, 8>;

/// The strongly connected components with a cycle in a part of the control flow graph (Tarjan).
class Components {
public:
  explicit Components(const BlockSet &part) : part(part) {
    for (BasicBlock *block : part)
      if (!numbers.contains(block))
        visit(block);
  }
  std::vector<BlockSet> found;

private:
  struct Visit {
    BasicBlock *block;
    succ_iterator next;
  };

  void enter(BasicBlock *block) {
    unsigned number = numbers.size() + 1;
    numbers[block] = lowest[block] = number;
    open.insert(block);
    path.push_back({block, succ_begin(block)});
  }

  void visit(BasicBlock *root) {
    enter(root);
    while (!path.empty()) {
      auto &[block, next] = path.back();
      if (next == succ_end(block)) {
        leave();
        continue;
      }
      BasicBlock *successor = *next++;
      if (!part.contains(successor))
        continue;
      if (!numbers.contains(successor))
        enter(successor);
      else if (open.contains(successor))
        lowest[block] = std::min(lowest[block], numbers[successor]);
    }
  }

  void leave() {
    BasicBlock *block = path.pop_back_val().block;
    if (!path.empty()) {
      unsigned &above = lowest[path.back().block];
      above = std::min(above, lowest[block]);
    }
    if (lowest[block] != numbers[block])
      return;
    BlockSet component;
    while (!component.contains(block))
      component.insert(open.pop_back_val());
    if (component.size() > 1 || is_contained(successors(block), block))
      found.push_back(std::move(component));
  }

  const BlockSet &part;
  DenseMap<BasicBlock *, unsigned> numbers, lowest;
  BlockSet open;
  SmallVector<Visit, 16> path;
};

/// The blocks of a cycle that are reached from outside it.
SmallVector<BasicBlock *, 4> entriesOf(const BlockSet &cycle) {
  SmallVector<BasicBlock *, 4> entries;
  for (BasicBlock *block : cycle)
    if (any_of(predecessors(block), [&](BasicBlock *from) { return !cycle.contains(from); }))
      entries.push_back(block);
  return entries;
}

/// Makes all edges from a block to any of the entries go through blocks with no other purpose, where
/// the block has several such edges.
void separateEdges(BasicBlock *from, ArrayRef<BasicBlock *> entries, BlockSet &cycle) {
  Instruction *terminator = from->getTerminator();
  if (count_if(successors(from), [&](BasicBlock *to) { return is_contained(entries, to); }) < 2)
    return;
  for (BasicBlock *entry : entries) {
    unsigned edges = count(successors(from), entry);
    if (edges == 0)
      continue;
    BasicBlock *between = BasicBlock::Create(
        from->getContext(), from->getName() + ".to." + entry->getName(), from->getParent(), entry);
    BranchInst::Create(entry, between)->setDebugLoc(terminator->getDebugLoc());
    for (PHINode &phi : entry->phis()) {
      Value *value = phi.getIncomingValueForBlock(from);
      for (unsigned edge = 0; edge < edges; ++edge)
        phi.removeIncomingValue(from, /*DeletePHIIfEmpty=*/false);
      phi.addIncoming(value, between);
    }
    terminator->replaceSuccessorWith(entry, between);
    if (cycle.contains(from))
      cycle.insert(between);
  }
}

/// Moves an entry's phis to the block that leads there from now on.
void movePhis(BasicBlock *entry, BasicBlock *dispatch, ArrayRef<BasicBlock *> sources) {
  for (PHINode &phi : make_early_inc_range(entry->phis())) {
    PHINode *moved =
        PHINode::Create(phi.getType(), sources.size(), phi.getName(), dispatch->begin());
    for (BasicBlock *from : sources) {
      int index = phi.getBasicBlockIndex(from);
      moved->addIncoming(index < 0 ? PoisonValue::get(phi.getType()) : phi.getIncomingValue(index),
                         from);
    }
    phi.replaceAllUsesWith(moved);
    phi.eraseFromParent();
  }
}

/// Gives a cycle with several entries a single one, which is returned.
BasicBlock *addDispatch(BlockSet &cycle, ArrayRef<BasicBlock *> entries) {
  Function *function = entries.front()->getParent();
  BlockSet sources;
  for (BasicBlock *entry : entries)
    sources.insert_range(predecessors(entry));
  for (BasicBlock *from : sources)
    separateEdges(from, entries, cycle);

  // Now each source has one edge to one entry.
  SmallVector<std::pair<BasicBlock *, unsigned>, 8> edges;
  for (auto [number, entry] : enumerate(entries))
    for (BasicBlock *from : predecessors(entry))
      edges.emplace_back(from, number);
  SmallVector<BasicBlock *, 8> from(make_first_range(edges));

  BasicBlock *dispatch =
      BasicBlock::Create(function->getContext(), "dispatch", function, entries.front());
  for (BasicBlock *entry : entries)
    movePhis(entry, dispatch, from);
  IRBuilder<> builder(dispatch, dispatch->begin());
  PHINode *meant = builder.CreatePHI(builder.getInt32Ty(), edges.size(), "entry");
  for (auto [source, number] : edges) {
    meant->addIncoming(builder.getInt32(number), source);
    source->getTerminator()->replaceSuccessorWith(entries[number], dispatch);
  }
  builder.SetInsertPoint(dispatch);
  if (entries.size() == 2) {
    Value *isFirst = builder.CreateICmpEQ(meant, builder.getInt32(0));
    builder.CreateCondBr(isFirst, entries[0], entries[1]);
  } else {
    SwitchInst *choice = builder.CreateSwitch(meant, entries[0], entries.size() - 1);
    for (auto [number, entry] : drop_begin(enumerate(entries)))
      choice->addCase(builder.getInt32(number), entry);
  }
  cycle.insert(dispatch);
  return dispatch;
}

} // namespace

void makeReducible(Function &function) {
  // Cycles, then those within them when their entry is taken out, and so on.
  SmallVector<BlockSet, 8> work;
  work.emplace_back();
  for (BasicBlock &block : function)
    work.back().insert(&block);
  while (!work.empty()) {
    BlockSet part = work.pop_back_val();
    Components cycles(part);
    for (BlockSet &cycle : cycles.found) {
      SmallVector<BasicBlock *, 4> entries = entriesOf(cycle);
      BasicBlock *entry = entries.size() == 1 ? entries.front() : addDispatch(cycle, entries);
      cycle.remove(entry);
      work.push_back(std::move(cycle));
    }
  }
}

} // namespace khalc::shader

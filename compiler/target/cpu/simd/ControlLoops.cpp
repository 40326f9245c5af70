//===- ControlLoops.cpp - loops that lanes leave together or one by one ---------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/ControlEmitter.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace khalc::cpu::simd {

using shader::Node;
using shader::NodeKind;
using shader::Region;

namespace {

/// Bodies of innermost loops of up to so many instructions are emitted without masks too.
constexpr unsigned mostForBothWaysInLoop = 64;

/// True for a loop with no other in it and few instructions.
bool isShortAndInnermost(const Region &body, unsigned &budget) {
  return all_of(body, [&](const std::unique_ptr<Node> &node) {
    if (node->kind == NodeKind::Loop)
      return false;
    unsigned size = node->kind == NodeKind::Code ? node->block->size() : 1;
    if (size > budget)
      return false;
    budget -= size;
    return isShortAndInnermost(node->body, budget) && isShortAndInnermost(node->elseBody, budget) &&
           all_of(node->cases, [&](const shader::SwitchCase &choice) {
             return isShortAndInnermost(choice.body, budget);
           });
  });
}

} // namespace

ControlEmitter::Reached ControlEmitter::emitUniformLoop(const Node &node, Mask mask) {
  BasicBlock *header = startBlock("loop");
  BasicBlock *next = block("loop.next");
  BasicBlock *exit = block("loop.exit");
  push(Frame::Kind::Loop, false, header, next, exit);
  if (emitRegion(node.body, 0, mask))
    arrive(*frames.back(), mask);
  bool repeats = !frames.back()->arrivals.empty();
  bool ends = !frames.back()->exits.empty();
  frames.pop_back();
  builder.SetInsertPoint(next);
  if (repeats)
    builder.CreateBr(header);
  else
    next->eraseFromParent();
  builder.SetInsertPoint(exit);
  if (ends)
    return mask;
  exit->eraseFromParent();
  return std::nullopt;
}

/// for as long as no lane has left: the body without masks, if it is short
/// while any lane is live:         the body under their mask
ControlEmitter::Reached ControlEmitter::emitDivergentLoop(const Node &node, Mask mask) {
  BasicBlock *partial = block("some.lanes");
  BasicBlock *exit = block("loop.exit");
  SmallVector<std::pair<BasicBlock *, Mask>> ways{{builder.GetInsertBlock(), mask}};
  unsigned budget = mostForBothWaysInLoop;
  if (!isShortAndInnermost(node.body, budget)) {
    builder.CreateBr(partial);
  } else {
    BasicBlock *full = block("all.lanes");
    if (mask) {
      builder.CreateCondBr(builder.CreateAndReduce(mask), full, partial);
    } else {
      builder.CreateBr(full);
      ways.clear();
    }
    emitFullRounds(node, full, partial, exit, ways);
  }
  emitMaskedRounds(node, partial, exit, ways);
  builder.SetInsertPoint(exit);
  if (!returned || !shapes.hasReturnInside(node))
    return mask;
  return without(mask, builder.CreateLoad(noLanes()->getType(), returned));
}

/// Rounds that all lanes take part in. `ways` to `partial`, where there are fewer, are added.
void ControlEmitter::emitFullRounds(const Node &node, BasicBlock *full, BasicBlock *partial,
                                    BasicBlock *exit,
                                    SmallVectorImpl<std::pair<BasicBlock *, Mask>> &ways) {
  BasicBlock *next = block("lanes.left");
  builder.SetInsertPoint(full);
  push(Frame::Kind::Loop, true, full, next, exit);
  frames.back()->fullRound = &node.body;
  if (Reached reached = emitRegion(node.body, 0, nullptr))
    arrive(*frames.back(), *reached);
  auto frame = std::move(frames.back());
  frames.pop_back();
  size_t before = frame->arrivals.size();
  if (!frame->waiting)
    erase_if(frame->arrivals, [&](const std::pair<BasicBlock *, Mask> &arrival) {
      if (!arrival.second)
        arrival.first->getTerminator()->replaceSuccessorWith(next, full);
      return !arrival.second;
    });
  builder.SetInsertPoint(next);
  Reached arrived = merge(frame->arrivals, next);
  if (!arrived) {
    next->eraseFromParent();
    return;
  }
  Mask again = lanes.mask(*arrived);
  if (frame->waiting)
    again = either(again, builder.CreateLoad(again->getType(), frame->waiting));
  // Unless a scalar has told already that some have left.
  if (frame->arrivals.size() == before) {
    BasicBlock *left = block("fewer");
    builder.CreateCondBr(builder.CreateAndReduce(again), full, left);
    builder.SetInsertPoint(left);
  }
  ways.push_back({builder.GetInsertBlock(), again});
  builder.CreateCondBr(anyLive(again), partial, exit);
}

void ControlEmitter::emitMaskedRounds(const Node &node, BasicBlock *partial, BasicBlock *exit,
                                      ArrayRef<std::pair<BasicBlock *, Mask>> ways) {
  if (ways.empty()) {
    partial->eraseFromParent();
    return;
  }
  BasicBlock *next = block("loop.next");
  builder.SetInsertPoint(partial);
  PHINode *live = builder.CreatePHI(noLanes()->getType(), 2, "live");
  for (auto [from, mask] : ways)
    live->addIncoming(lanes.mask(mask), from);
  push(Frame::Kind::Loop, true, partial, next, exit);
  if (Reached reached = emitRegion(node.body, 0, live))
    arrive(*frames.back(), *reached);
  auto frame = std::move(frames.back());
  frames.pop_back();
  builder.SetInsertPoint(next);
  Reached arrived = merge(frame->arrivals, next);
  Mask again = arrived ? lanes.mask(*arrived) : noLanes();
  if (frame->waiting)
    again = either(again, builder.CreateLoad(live->getType(), frame->waiting));
  live->addIncoming(again, next);
  builder.CreateCondBr(anyLive(again), partial, exit);
}

/// The arm that stays in the loop, of a choice between staying and leaving that ends a round without
/// masks; null for other nodes.
const Region *ControlEmitter::stayingArm(const Region &region, size_t number) const {
  const Node &node = *region[number];
  const Frame &frame = *frames.back();
  if (node.kind != NodeKind::If || frame.fullRound != &region || !shapes.isDivergent(node) ||
      (number + 1 < region.size() && !isCheapFrom(region, number + 1)))
    return nullptr;
  auto leaves = [](const Region &arm) {
    return !arm.empty() && arm.back()->kind == NodeKind::Break;
  };
  if (leaves(node.body) == leaves(node.elseBody))
    return nullptr;
  return leaves(node.body) ? &node.elseBody : &node.body;
}

/// Such a choice and the rest of its round: without looking at each lane when all stay.
ControlEmitter::Reached ControlEmitter::emitEndOfRound(const Region &region, size_t number,
                                                       const Region &staying, Value *allStay) {
  const Node &node = *region[number];
  BasicBlock *stay = block("all.stay");
  BasicBlock *part = block("some.leave");
  BasicBlock *end = block("round.end");
  SmallVector<std::pair<BasicBlock *, Mask>> arrivals;
  auto goOn = [&](Reached reached) {
    if (reached && number + 1 < region.size())
      reached = emitRegion(region, number + 1, *reached);
    if (!reached)
      return;
    arrivals.push_back({builder.GetInsertBlock(), *reached});
    builder.CreateBr(end);
  };
  builder.CreateCondBr(allStay, stay, part);
  builder.SetInsertPoint(stay);
  goOn(emitRegion(staying, 0, nullptr));
  builder.SetInsertPoint(part);
  goOn(emitIf(node.condition, node, nullptr));
  builder.SetInsertPoint(end);
  if (arrivals.empty())
    end->eraseFromParent();
  if (all_of(arrivals, [](const auto &arrival) { return arrival.second; }) || arrivals.empty())
    return merge(arrivals, end);
  // The next round is one for all lanes by one way, and not by the other.
  for (auto [from, mask] : arrivals) {
    from->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(from);
    arrive(*frames.back(), mask);
  }
  end->eraseFromParent();
  return std::nullopt;
}

} // namespace khalc::cpu::simd

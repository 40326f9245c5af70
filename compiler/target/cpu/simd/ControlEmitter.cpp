//===- ControlEmitter.cpp - structured control flow under masks -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/ControlEmitter.h"

#include "target/cpu/simd/AllLanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace khalc::cpu::simd {

using shader::Node;
using shader::NodeKind;
using shader::Region;

namespace {

/// So many cheap instructions are executed under an empty mask rather than jumped over.
constexpr unsigned cheapInstructions = 12;
/// Functions of up to so many instructions get code for full masks besides that for any mask.
constexpr unsigned mostForBothWays = 400;

bool isJump(const Node &node) {
  return node.kind == NodeKind::Break || node.kind == NodeKind::Continue ||
         node.kind == NodeKind::Return;
}

/// True if control that enters may leave for somewhere else than the end.
bool escapes(const Region &region, bool inLoop = false, bool inScope = false) {
  return any_of(region, [&](const std::unique_ptr<Node> &node) {
    switch (node->kind) {
    case NodeKind::Break:
      return !inLoop && !inScope;
    case NodeKind::Continue:
      return !inLoop;
    case NodeKind::Return:
    case NodeKind::Unreachable:
      return true;
    case NodeKind::Loop:
      return escapes(node->body, true, true);
    case NodeKind::Scope:
      return escapes(node->body, inLoop, true);
    default:
      return escapes(node->body, inLoop, inScope) || escapes(node->elseBody, inLoop, inScope) ||
             any_of(node->cases, [&](const shader::SwitchCase &choice) {
               return escapes(choice.body, inLoop, inScope);
             });
    }
  });
}

} // namespace

void ControlEmitter::emit(const shader::StructuredFunction &tree, Mask mask) {
  first = startBlock("lanes");
  worthBothWays = tree.function->getInstructionCount() <= mostForBothWays;
  push(Frame::Kind::Function, false, first, block("lanes.end"));
  if (Reached reached = emitRegion(tree.body, 0, mask))
    builder.CreateBr(frames.back()->end);
  builder.SetInsertPoint(frames.back()->end);
  frames.pop_back();
}

//===--------------------------------------------------------------------------------------------===//
// Regions and arms
//===--------------------------------------------------------------------------------------------===//

ControlEmitter::Reached ControlEmitter::emitRegion(const Region &region, size_t first, Mask mask) {
  for (size_t number = first; number < region.size(); ++number) {
    if (const Region *staying = mask ? nullptr : stayingArm(region, number))
      if (Value *allStay = allLanesAre(builder, lanes, region[number]->condition,
                                       staying == &region[number]->body))
        return emitEndOfRound(region, number, *staying, allStay);
    Reached reached = emitNode(*region[number], mask);
    if (!reached || number + 1 == region.size() || *reached == mask) {
      if (!reached)
        return reached;
      mask = *reached;
      continue;
    }
    // Lanes have left. The rest is for those that haven't, if there are any.
    if (isCheapFrom(region, number + 1)) {
      mask = *reached;
      continue;
    }
    auto rest = [&](Mask live) { return emitRegion(region, number + 1, live); };
    if (!mask && worthBothWays && frames.size() == 1) {
      worthBothWays = false; // once: the rest of the rest would be made again for each return
      return bothWays(*reached, fullness.first == *reached ? fullness.second : nullptr, rest);
    }
    BasicBlock *going = block("rest");
    BasicBlock *end = block("rest.end");
    SmallVector<std::pair<BasicBlock *, Mask>> arrivals{{builder.GetInsertBlock(), noLanes()}};
    builder.CreateCondBr(anyLive(*reached), going, end);
    builder.SetInsertPoint(going);
    if (Reached last = rest(*reached)) {
      arrivals.push_back({builder.GetInsertBlock(), *last});
      builder.CreateBr(end);
    }
    builder.SetInsertPoint(end);
    return merge(arrivals, end);
  }
  return mask;
}

/// Once for all lanes and once for some, since the most do all. `isFull`, if not null, is true only if
/// all are in the mask.
ControlEmitter::Reached ControlEmitter::bothWays(Mask mask, Value *isFull,
                                                 function_ref<Reached(Mask)> emit) {
  BasicBlock *full = block("all.lanes");
  BasicBlock *partial = block("some.lanes");
  BasicBlock *masked = block("masked");
  BasicBlock *end = block("both.end");
  SmallVector<std::pair<BasicBlock *, Mask>> arrivals;
  builder.CreateCondBr(isFull ? isFull : builder.CreateAndReduce(mask), full, partial);
  builder.SetInsertPoint(full);
  if (Reached reached = emit(nullptr)) {
    arrivals.push_back({builder.GetInsertBlock(), *reached});
    builder.CreateBr(end);
  }
  builder.SetInsertPoint(partial);
  builder.CreateCondBr(anyLive(mask), masked, end);
  arrivals.push_back({partial, mask});
  builder.SetInsertPoint(masked);
  if (Reached reached = emit(mask)) {
    arrivals.push_back({builder.GetInsertBlock(), *reached});
    builder.CreateBr(end);
  }
  builder.SetInsertPoint(end);
  return merge(arrivals, end);
}

/// The lanes that come to the end of a divergent choice's arm.
Mask ControlEmitter::emitArm(const Region &region, Mask mask) {
  if (region.empty())
    return mask;
  unsigned budget = cheapInstructions;
  ArrayRef<std::unique_ptr<Node>> straight(region);
  const Node *jump = isJump(*region.back()) ? region.back().get() : nullptr;
  if (jump)
    straight = straight.drop_back();
  if (isCheap(straight, budget)) {
    for (const std::unique_ptr<Node> &node : straight)
      emitNode(*node, mask);
    if (!jump)
      return mask;
    Frame &goal = goalOf(*jump);
    // Out of a loop there's nothing to wait for.
    if (jump->kind != NodeKind::Break || goal.kind != Frame::Kind::Loop)
      letWait(goal, mask);
    return noLanes();
  }
  BasicBlock *start = block("arm");
  BasicBlock *end = block("arm.end");
  push(Frame::Kind::Arm, true, start, end);
  frames.back()->arrivals.push_back({builder.GetInsertBlock(), mask});
  builder.CreateCondBr(anyLive(mask), start, end);
  builder.SetInsertPoint(start);
  if (Reached reached = emitRegion(region, 0, mask))
    arrive(*frames.back(), *reached);
  auto arrivals = std::move(frames.back()->arrivals);
  frames.pop_back();
  builder.SetInsertPoint(end);
  return *merge(arrivals, end);
}

/// The same of the rest of a region, which may also go to the next round.
bool ControlEmitter::isCheapFrom(const Region &region, size_t first) const {
  unsigned budget = cheapInstructions;
  ArrayRef<std::unique_ptr<Node>> rest = ArrayRef(region).drop_front(first);
  if (rest.back()->kind == NodeKind::Continue)
    rest = rest.drop_back();
  return isCheap(rest, budget);
}

bool ControlEmitter::isCheap(ArrayRef<std::unique_ptr<Node>> region, unsigned &budget) const {
  for (const std::unique_ptr<Node> &node : region) {
    if (node->kind == NodeKind::PhiCopy)
      continue;
    if (node->kind == NodeKind::If && shapes.isDivergent(*node)) {
      if (!isCheap(node->body, budget) || !isCheap(node->elseBody, budget))
        return false;
      continue;
    }
    if (node->kind != NodeKind::Code)
      return false;
    for (const Instruction &instruction : *node->block) {
      if (isa<PHINode>(instruction) || instruction.isTerminator())
        continue;
      if (budget == 0 || !InstructionEmitter::isCheap(instruction, shapes))
        return false;
      --budget;
    }
  }
  return true;
}

ControlEmitter::Reached ControlEmitter::merge(ArrayRef<std::pair<BasicBlock *, Mask>> arrivals,
                                              BasicBlock *at) {
  if (arrivals.empty())
    return std::nullopt;
  if (all_equal(map_range(arrivals, [](auto &arrival) { return arrival.second; })))
    return arrivals.front().second;
  PHINode *merged = PHINode::Create(noLanes()->getType(), arrivals.size(), "live", at->begin());
  for (auto [from, mask] : arrivals)
    merged->addIncoming(lanes.mask(mask), from);
  return merged;
}

//===--------------------------------------------------------------------------------------------===//
// Nodes
//===--------------------------------------------------------------------------------------------===//

ControlEmitter::Reached ControlEmitter::emitNode(const Node &node, Mask mask) {
  switch (node.kind) {
  case NodeKind::Code:
    emitCode(*node.block, mask);
    return mask;
  case NodeKind::PhiCopy:
    copyPhis(node, mask);
    return mask;
  case NodeKind::If:
    if (!shapes.isDivergent(node))
      return emitBranch(lanes.scalar(node.condition), node, mask);
    return emitIf(node.condition, node, mask);
  case NodeKind::IfFlag: {
    Value *condition = flagIs(node);
    if (!shapes.isDivergent(node))
      return emitBranch(condition, node, mask);
    return emitChoices({{&node.body, both(mask, condition)},
                        {&node.elseBody, both(mask, builder.CreateNot(condition))}},
                       mask);
  }
  case NodeKind::SetFlag:
    setFlag(node, mask);
    return mask;
  case NodeKind::Switch:
    return shapes.isDivergent(node) ? emitSwitch(node, mask) : emitUniformSwitch(node, mask);
  case NodeKind::Loop:
    return shapes.isDivergent(node) ? emitDivergentLoop(node, mask) : emitUniformLoop(node, mask);
  case NodeKind::Scope:
    return emitScope(node, mask);
  case NodeKind::Break:
  case NodeKind::Continue:
  case NodeKind::Return:
    return emitJump(node, mask);
  case NodeKind::Unreachable:
    builder.CreateUnreachable();
    return std::nullopt;
  }
  llvm_unreachable("all kinds are handled above");
}

void ControlEmitter::emitCode(const BasicBlock &code, Mask mask) {
  loadPhis(code);
  for (const Instruction &instruction : code)
    if (!isa<PHINode>(instruction) && !instruction.isTerminator())
      instructions.emit(instruction, mask);
}

ControlEmitter::Reached ControlEmitter::emitIf(const Value *condition, const Node &node,
                                               Mask mask) {
  Value *chosen = lanes.vector(condition);
  if (!mask && worthBothWays && frames.size() == 1 && node.elseBody.empty()) {
    unsigned budget = cheapInstructions;
    if (!isCheap(node.body, budget)) {
      // As an arm, so that lanes that return in it come to its end. No lanes are parted then, but
      // those that weren't chosen go on too.
      BasicBlock *end = block("chosen.end");
      push(Frame::Kind::Arm, true, nullptr, end);
      worthBothWays = false;
      if (Reached reached = bothWays(chosen, allLanesAre(builder, lanes, condition, true),
                                     [&](Mask live) { return emitRegion(node.body, 0, live); }))
        arrive(*frames.back(), *reached);
      worthBothWays = true;
      auto arrivals = std::move(frames.back()->arrivals);
      frames.pop_back();
      builder.SetInsertPoint(end);
      Reached reached = merge(arrivals, end);
      if (!escapes(node.body))
        return mask;
      return either(reached ? lanes.mask(*reached) : noLanes(), builder.CreateNot(chosen));
    }
  }
  Value *others = builder.CreateNot(chosen);
  Value *noneChosen =
      mask || !node.elseBody.empty() ? nullptr : allLanesAre(builder, lanes, condition, false);
  Reached reached =
      emitChoices({{&node.body, both(mask, chosen)}, {&node.elseBody, both(mask, others)}}, mask);
  fullness = {others, noneChosen};
  return reached;
}

/// One arm after another, each under its mask; the masks together are `mask`.
ControlEmitter::Reached
ControlEmitter::emitChoices(ArrayRef<std::pair<const Region *, Mask>> choices, Mask mask) {
  Mask after = noLanes();
  bool anyEscapes = false;
  for (auto [region, chosen] : choices) {
    after = either(after, emitArm(*region, chosen));
    anyEscapes |= escapes(*region);
  }
  return anyEscapes ? after : mask;
}

ControlEmitter::Reached ControlEmitter::emitBranch(Value *condition, const Node &node, Mask mask) {
  BasicBlock *then = block("then");
  BasicBlock *otherwise = block("else");
  BasicBlock *end = block("if.end");
  builder.CreateCondBr(condition, then, otherwise);
  SmallVector<std::pair<BasicBlock *, Mask>> arrivals;
  for (auto [start, region] : {std::pair(then, &node.body), std::pair(otherwise, &node.elseBody)}) {
    builder.SetInsertPoint(start);
    if (Reached reached = emitRegion(*region, 0, mask)) {
      arrivals.push_back({builder.GetInsertBlock(), *reached});
      builder.CreateBr(end);
    }
  }
  builder.SetInsertPoint(end);
  if (arrivals.empty())
    end->eraseFromParent();
  return merge(arrivals, end);
}

ControlEmitter::Reached ControlEmitter::emitUniformSwitch(const Node &node, Mask mask) {
  BasicBlock *end = block("switch.end");
  BasicBlock *fallback = block("default");
  SwitchInst *choice = builder.CreateSwitch(lanes.scalar(node.condition), fallback);
  SmallVector<std::pair<BasicBlock *, Mask>> arrivals;
  for (const shader::SwitchCase &one : node.cases) {
    BasicBlock *start = one.isDefault ? fallback : block("case");
    for (ConstantInt *value : one.values)
      if (!one.isDefault)
        choice->addCase(value, start);
    builder.SetInsertPoint(start);
    if (Reached reached = emitRegion(one.body, 0, mask)) {
      arrivals.push_back({builder.GetInsertBlock(), *reached});
      builder.CreateBr(end);
    }
  }
  builder.SetInsertPoint(end);
  if (arrivals.empty())
    end->eraseFromParent();
  return merge(arrivals, end);
}

ControlEmitter::Reached ControlEmitter::emitSwitch(const Node &node, Mask mask) {
  Value *selector = lanes.vector(node.condition);
  SmallVector<std::pair<const Region *, Value *>> chosen; // null: the default
  Value *any = noLanes();
  for (const shader::SwitchCase &one : node.cases) {
    Value *lanesOfCase = noLanes();
    for (ConstantInt *value : one.values)
      lanesOfCase = either(
          lanesOfCase,
          builder.CreateICmpEQ(selector, ConstantInt::get(selector->getType(), value->getValue())));
    if (!one.isDefault)
      any = either(any, lanesOfCase);
    chosen.push_back({&one.body, one.isDefault ? nullptr : lanesOfCase});
  }
  // In the tree's order, on which it depends which copy of a phi comes first.
  SmallVector<std::pair<const Region *, Mask>> choices;
  for (auto [region, condition] : chosen)
    choices.push_back({region, both(mask, condition ? condition : builder.CreateNot(any))});
  return emitChoices(choices, mask);
}

//===--------------------------------------------------------------------------------------------===//
// Scopes
//===--------------------------------------------------------------------------------------------===//

ControlEmitter::Reached ControlEmitter::emitScope(const Node &node, Mask mask) {
  BasicBlock *start = startBlock("scope");
  BasicBlock *end = block("scope.end");
  push(Frame::Kind::Scope, shapes.isDivergent(node), start, end);
  if (Reached reached = emitRegion(node.body, 0, mask))
    arrive(*frames.back(), *reached);
  auto frame = std::move(frames.back());
  frames.pop_back();
  builder.SetInsertPoint(end);
  Reached reached = merge(frame->arrivals, end);
  if (!reached) {
    end->eraseFromParent();
    return std::nullopt;
  }
  if (!escapes(node.body, /*inLoop=*/false, /*inScope=*/true))
    return mask;
  if (frame->waiting)
    return either(lanes.mask(*reached), builder.CreateLoad(noLanes()->getType(), frame->waiting));
  return reached;
}

} // namespace khalc::cpu::simd

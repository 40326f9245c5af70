//===- ControlJumps.cpp - where lanes go, and what they take along ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/ControlEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace khalc::cpu::simd {

using shader::NodeKind;

/// What a jump leads to the end of.
ControlEmitter::Frame &ControlEmitter::goalOf(const Node &jump) {
  auto isGoal = [&](const std::unique_ptr<Frame> &frame) {
    switch (jump.kind) {
    case NodeKind::Break:
      return frame->kind == Frame::Kind::Loop || frame->kind == Frame::Kind::Scope;
    case NodeKind::Continue:
      return frame->kind == Frame::Kind::Loop;
    default:
      return frame->kind == Frame::Kind::Function;
    }
  };
  return **find_if(reverse(frames), isGoal);
}

/// Lanes that leave while others are still in what they leave wait at the goal. Control goes on at
/// the end of the innermost such thing.
ControlEmitter::Reached ControlEmitter::emitJump(const Node &node, Mask mask) {
  Frame &goal = goalOf(node);
  bool leavesLoop = node.kind == NodeKind::Break && goal.kind == Frame::Kind::Loop;
  for (const std::unique_ptr<Frame> &frame : reverse(frames)) {
    if (frame.get() == &goal)
      break;
    if (!frame->parts)
      continue;
    if (!leavesLoop)
      letWait(goal, mask);
    arrive(*frame, noLanes());
    return std::nullopt;
  }
  if (leavesLoop && !goal.parts) {
    goal.exits.push_back(builder.GetInsertBlock());
    builder.CreateBr(goal.exit);
  } else {
    // Lanes that leave a loop others go on with are none of its next round's.
    arrive(goal, leavesLoop ? noLanes() : mask);
  }
  return std::nullopt;
}

void ControlEmitter::push(Frame::Kind kind, bool parts, BasicBlock *start, BasicBlock *end,
                          BasicBlock *exit) {
  frames.push_back(std::make_unique<Frame>());
  Frame &frame = *frames.back();
  frame.kind = kind;
  frame.parts = parts;
  frame.start = start;
  frame.end = end;
  frame.exit = exit;
}

void ControlEmitter::arrive(Frame &frame, Mask mask) {
  frame.arrivals.push_back({builder.GetInsertBlock(), mask});
  builder.CreateBr(frame.end);
}

void ControlEmitter::letWait(Frame &goal, Mask mask) {
  AllocaInst *&waiting = goal.kind == Frame::Kind::Function ? returned : goal.waiting;
  if (!waiting)
    waiting = clearedMask(goal.start, "waiting");
  Value *before = builder.CreateLoad(noLanes()->getType(), waiting);
  builder.CreateStore(either(before, lanes.mask(mask)), waiting);
}

//===--------------------------------------------------------------------------------------------===//
// Variables
//===--------------------------------------------------------------------------------------------===//

AllocaInst *ControlEmitter::clearedMask(BasicBlock *at, const char *name) {
  AllocaInst *variable = variables.CreateAlloca(noLanes()->getType(), nullptr, name);
  IRBuilder<>(at, at->getFirstInsertionPt()).CreateStore(noLanes(), variable);
  return variable;
}

AllocaInst *ControlEmitter::variableFor(const PHINode &phi, unsigned lane) {
  AllocaInst *&variable = phis[{&phi, lane}];
  if (!variable) {
    bool isVector = shapes.of(&phi).isVarying() && Lanes::fitsVector(phi.getType());
    variable = variables.CreateAlloca(isVector ? lanes.vectorType(phi.getType()) : phi.getType(),
                                      nullptr, phi.getName());
    // What it held for the work-items before is nothing to keep.
    IRBuilder<>(first, first->getFirstInsertionPt())
        .CreateStore(PoisonValue::get(variable->getAllocatedType()), variable);
  }
  return variable;
}

void ControlEmitter::copyPhis(const Node &node, Mask mask) {
  bool keepsOthers = mask && !shapes.mayOverwrite(node);
  for (const PHINode &phi : node.to->phis()) {
    const Value *incoming = phi.getIncomingValueForBlock(node.block);
    if (!shapes.of(&phi).isVarying()) {
      builder.CreateStore(lanes.scalar(incoming), variableFor(phi, 0));
      continue;
    }
    bool isVector = Lanes::fitsVector(phi.getType());
    for (unsigned lane = 0; lane < (isVector ? 1 : lanes.width()); ++lane) {
      AllocaInst *variable = variableFor(phi, lane);
      Value *value = isVector ? lanes.vector(incoming) : lanes.lane(incoming, lane);
      if (keepsOthers) {
        Value *live = isVector ? mask : builder.CreateExtractElement(mask, lane);
        value = builder.CreateSelect(live, value,
                                     builder.CreateLoad(variable->getAllocatedType(), variable));
      }
      builder.CreateStore(value, variable);
    }
  }
}

void ControlEmitter::loadPhis(const BasicBlock &code) {
  for (const PHINode &phi : code.phis()) {
    auto load = [&](unsigned lane) {
      AllocaInst *variable = variableFor(phi, lane);
      return builder.CreateLoad(variable->getAllocatedType(), variable, phi.getName());
    };
    if (!shapes.of(&phi).isVarying()) {
      lanes.setScalar(&phi, load(0));
    } else if (Lanes::fitsVector(phi.getType())) {
      lanes.setVector(&phi, load(0));
    } else {
      SmallVector<Value *> loaded;
      for (unsigned lane = 0; lane < lanes.width(); ++lane)
        loaded.push_back(load(lane));
      lanes.setLanes(&phi, std::move(loaded));
    }
  }
}

/// A scalar if lanes never disagree.
AllocaInst *ControlEmitter::flagVariable(unsigned flag) {
  AllocaInst *&variable = flags[flag];
  if (!variable) {
    Type *type = builder.getInt32Ty();
    if (shapes.isDivergentFlag(flag))
      type = lanes.vectorType(type);
    variable = variables.CreateAlloca(type, nullptr, "flag");
    IRBuilder<>(first, first->getFirstInsertionPt())
        .CreateStore(Constant::getNullValue(type), variable);
  }
  return variable;
}

void ControlEmitter::setFlag(const Node &node, Mask mask) {
  AllocaInst *variable = flagVariable(node.flag);
  Type *type = variable->getAllocatedType();
  Value *value = ConstantInt::get(type, node.value);
  if (mask && type->isVectorTy())
    value = builder.CreateSelect(mask, value, builder.CreateLoad(type, variable));
  builder.CreateStore(value, variable);
}

Value *ControlEmitter::flagIs(const Node &node) {
  AllocaInst *variable = flagVariable(node.flag);
  Type *type = variable->getAllocatedType();
  return builder.CreateICmpEQ(builder.CreateLoad(type, variable),
                              ConstantInt::get(type, node.value));
}

//===--------------------------------------------------------------------------------------------===//
// Masks and blocks
//===--------------------------------------------------------------------------------------------===//

BasicBlock *ControlEmitter::block(const Twine &name) {
  return BasicBlock::Create(builder.getContext(), name, builder.GetInsertBlock()->getParent());
}

BasicBlock *ControlEmitter::startBlock(const Twine &name) {
  BasicBlock *start = block(name);
  builder.CreateBr(start);
  builder.SetInsertPoint(start);
  return start;
}

/// Conditions of lanes that aren't live may have no value at all.
Mask ControlEmitter::both(Mask mask, Value *condition) {
  return mask ? builder.CreateLogicalAnd(mask, condition) : condition;
}

Mask ControlEmitter::either(Mask a, Mask b) {
  if (!a || !b)
    return nullptr;
  if (PatternMatch::match(a, PatternMatch::m_Zero()))
    return b;
  if (PatternMatch::match(b, PatternMatch::m_Zero()))
    return a;
  return builder.CreateOr(a, b);
}

Mask ControlEmitter::without(Mask mask, Value *gone) {
  Value *rest = builder.CreateNot(gone);
  return mask ? builder.CreateAnd(mask, rest) : rest;
}

Value *ControlEmitter::noLanes() const {
  return Constant::getNullValue(lanes.vectorType(builder.getInt1Ty()));
}

Value *ControlEmitter::anyLive(Mask mask) {
  return builder.CreateOrReduce(lanes.mask(mask));
}

} // namespace khalc::cpu::simd

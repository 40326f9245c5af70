//===- ControlEmitter.h - structured control flow under masks ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_CPU_SIMD_CONTROLEMITTER_H
#define KHALC_TARGET_CPU_SIMD_CONTROLEMITTER_H

#include "target/cpu/simd/InstructionEmitter.h"

#include <optional>

namespace khalc::cpu::simd {

/// Emits a structured function for all lanes at once:
///
///   if uniform        a branch
///   if divergent      both arms, each under its mask and jumped over when no lane is live in it
///   loop uniform      a loop
///   loop divergent    a loop until no lane is live; lanes that leave drop out of the mask
///   phi               a variable, in which a copy replaces what the live lanes hold
///
/// Where control comes with a mask, some lane is live, so that what is uniform can be done once,
/// and as it stands.
class ControlEmitter {
public:
  ControlEmitter(llvm::IRBuilder<> &builder, llvm::IRBuilder<> &variables, Lanes &lanes,
                 const Shapes &shapes, unsigned mathsBits)
      : builder(builder), variables(variables), lanes(lanes), shapes(shapes),
        instructions(builder, variables, lanes, mathsBits) {}

  /// At the builder's position, which is behind all of it then.
  void emit(const shader::StructuredFunction &tree, Mask mask);

private:
  using Node = shader::Node;
  using Region = shader::Region;
  using BasicBlock = llvm::BasicBlock;
  /// The lanes that control comes with, or nothing if it doesn't come.
  using Reached = std::optional<Mask>;

  /// Something that jumps leave, or must not leave since other lanes are still in it.
  struct Frame {
    enum class Kind { Function, Arm, Loop, Scope };
    Kind kind = Kind::Function;
    bool parts =
        false; ///< lanes may have been parted in it: control goes on to its end for the others
    BasicBlock *start = nullptr;
    BasicBlock *end = nullptr; ///< a loop's is where its next round is decided
    llvm::SmallVector<std::pair<BasicBlock *, Mask>> arrivals; ///< at `end`
    BasicBlock *exit = nullptr;                                ///< of a loop
    const Region *fullRound = nullptr;     ///< of a loop: its body, if all lanes are in it
    llvm::SmallVector<BasicBlock *> exits; ///< of a loop: ways to `exit`
    llvm::AllocaInst *waiting = nullptr;   ///< lanes that go on at `end`, if any wait there
  };

  Reached emitRegion(const Region &region, size_t first, Mask mask);
  Reached emitNode(const Node &node, Mask mask);
  Reached emitIf(const llvm::Value *condition, const Node &node, Mask mask);
  Reached emitBranch(llvm::Value *condition, const Node &node, Mask mask);
  Reached emitSwitch(const Node &node, Mask mask);
  Reached emitUniformSwitch(const Node &node, Mask mask);
  Reached emitChoices(llvm::ArrayRef<std::pair<const Region *, Mask>> choices, Mask mask);
  Reached emitUniformLoop(const Node &node, Mask mask);
  Reached emitDivergentLoop(const Node &node, Mask mask);
  void emitFullRounds(const Node &node, BasicBlock *full, BasicBlock *partial, BasicBlock *exit,
                      llvm::SmallVectorImpl<std::pair<BasicBlock *, Mask>> &ways);
  void emitMaskedRounds(const Node &node, BasicBlock *partial, BasicBlock *exit,
                        llvm::ArrayRef<std::pair<BasicBlock *, Mask>> ways);
  const Region *stayingArm(const Region &region, size_t number) const;
  Reached emitEndOfRound(const Region &region, size_t number, const Region &staying,
                         llvm::Value *allStay);
  Reached emitScope(const Node &node, Mask mask);
  Reached emitJump(const Node &node, Mask mask);
  void emitCode(const BasicBlock &block, Mask mask);
  void copyPhis(const Node &node, Mask mask);
  void loadPhis(const BasicBlock &block);
  void setFlag(const Node &node, Mask mask);
  llvm::Value *flagIs(const Node &node);

  Mask emitArm(const Region &region, Mask mask);
  Reached bothWays(Mask mask, llvm::Value *isFull, llvm::function_ref<Reached(Mask)> emit);
  bool isCheap(llvm::ArrayRef<std::unique_ptr<Node>> region, unsigned &budget) const;
  bool isCheapFrom(const Region &region, size_t first) const;

  void push(Frame::Kind kind, bool parts, BasicBlock *start, BasicBlock *end,
            BasicBlock *exit = nullptr);
  void arrive(Frame &frame, Mask mask);
  Frame &goalOf(const Node &jump);
  void letWait(Frame &goal, Mask mask);
  Reached merge(llvm::ArrayRef<std::pair<BasicBlock *, Mask>> arrivals, BasicBlock *at);
  llvm::AllocaInst *clearedMask(BasicBlock *at, const char *name);
  llvm::AllocaInst *variableFor(const llvm::PHINode &phi, unsigned lane);
  llvm::AllocaInst *flagVariable(unsigned flag);

  BasicBlock *block(const llvm::Twine &name);
  BasicBlock *startBlock(const llvm::Twine &name);
  Mask both(Mask mask, llvm::Value *condition);
  Mask either(Mask a, Mask b);
  Mask without(Mask mask, llvm::Value *gone);
  llvm::Value *noLanes() const;
  llvm::Value *anyLive(Mask mask);

  llvm::IRBuilder<> &builder;
  llvm::IRBuilder<> &variables;
  Lanes &lanes;
  const Shapes &shapes;
  InstructionEmitter instructions;
  std::vector<std::unique_ptr<Frame>> frames;
  BasicBlock *first = nullptr;          ///< where variables get their first values
  llvm::AllocaInst *returned = nullptr; ///< lanes that have ended while others went on
  bool worthBothWays = false;
  /// Of the mask of lanes that the last choice left, a scalar that is true only if it is full.
  std::pair<Mask, llvm::Value *> fullness{};
  llvm::DenseMap<std::pair<const llvm::PHINode *, unsigned>, llvm::AllocaInst *> phis;
  llvm::DenseMap<unsigned, llvm::AllocaInst *> flags;
};

} // namespace khalc::cpu::simd

#endif // KHALC_TARGET_CPU_SIMD_CONTROLEMITTER_H

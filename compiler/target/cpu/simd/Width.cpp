//===- Width.cpp - how many work-items are run at once --------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/Width.h"

#include "target/cpu/simd/Lanes.h"
#include "target/cpu/simd/Shapes.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace khalc::cpu::simd {

namespace {

using shader::Node;
using shader::NodeKind;

/// Code is made for each vector and for the rest, with and without masks.
constexpr unsigned mostInstructions = 200;
/// For temporaries, constants and what LLVM keeps in front of loops.
constexpr unsigned sparedRegisters = 6;

/// Values that are live together, in registers of a vector of one register's lanes.
class Pressure {
public:
  explicit Pressure(const Shapes &shapes) : shapes(shapes) {}

  unsigned most(const Function &function) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (const BasicBlock &block : reverse(function)) {
        Live live = atEnd(block);
        for (const Instruction &instruction : reverse(block))
          step(instruction, live);
        changed |= live.size() != liveIn[&block].size();
        liveIn[&block] = std::move(live);
      }
    }
    return highest;
  }

private:
  using Live = DenseSet<const Value *>;

  Live atEnd(const BasicBlock &block) {
    Live live;
    for (const BasicBlock *next : successors(&block)) {
      for (const Value *value : liveIn[next])
        live.insert(value);
      for (const PHINode &phi : next->phis())
        add(phi.getIncomingValueForBlock(&block), live);
    }
    return live;
  }

  void step(const Instruction &instruction, Live &live) {
    live.erase(&instruction);
    if (!isa<PHINode>(instruction))
      for (const Value *operand : instruction.operands())
        add(operand, live);
    unsigned sum = 0;
    for (const Value *value : live)
      sum += weight(*value->getType());
    highest = std::max(highest, sum);
  }

  void add(const Value *value, Live &live) const {
    if (isa<Instruction>(value) && shapes.of(value).isVarying())
      live.insert(value);
  }

  static unsigned weight(const Type &type) {
    if (type.isIntegerTy(1))
      return 0;
    constexpr unsigned elementBits = 32;
    unsigned bits = type.isPointerTy() ? 64 : type.getScalarSizeInBits();
    return std::max(1u, bits / elementBits);
  }

  const Shapes &shapes;
  DenseMap<const BasicBlock *, Live> liveIn;
  unsigned highest = 0;
};

/// Lanes that go different ways for long make wide vectors of little use.
bool isComparisonOfIndices(const Value *condition, const Shapes &shapes) {
  auto *comparison = dyn_cast<ICmpInst>(condition);
  return comparison && all_of(comparison->operands(),
                              [&](const Use &operand) { return !shapes.of(operand).isVarying(); });
}

class Judge {
public:
  explicit Judge(const Shapes &shapes) : shapes(shapes) {}

  bool hasLoop = false;

  bool suits(const shader::Region &region, bool inLoop) {
    return all_of(region, [&](const std::unique_ptr<Node> &node) { return suits(*node, inLoop); });
  }

private:
  bool suits(const Node &node, bool inLoop) {
    hasLoop |= node.kind == NodeKind::Loop;
    inLoop |= node.kind == NodeKind::Loop;
    if (node.kind == NodeKind::Switch || node.kind == NodeKind::IfFlag)
      return false;
    if (node.kind == NodeKind::If && shapes.isDivergent(node) &&
        !isComparisonOfIndices(node.condition, shapes))
      return false;
    if (node.kind == NodeKind::Code &&
        !all_of(*node.block, [&](const Instruction &one) { return suits(one); }))
      return false;
    return suits(node.body, inLoop) && suits(node.elseBody, inLoop);
  }

  /// What has a vector form of any width.
  bool suits(const Instruction &instruction) const {
    if (isa<AllocaInst>(instruction) || instruction.isIntDivRem())
      return false;
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      auto *intrinsic = dyn_cast<IntrinsicInst>(call);
      return intrinsic && (intrinsic->isAssumeLikeIntrinsic() ||
                           isTriviallyVectorizable(intrinsic->getIntrinsicID()));
    }
    if (!instruction.mayReadOrWriteMemory())
      return instruction.getType()->isVoidTy() || Lanes::fitsVector(instruction.getType());
    const Value *address = getLoadStorePointerOperand(&instruction);
    return address && !instruction.isAtomic() && !instruction.isVolatile() &&
           Lanes::fitsVector(getLoadStoreType(&instruction)) && !shapes.of(address).isVarying();
  }

  const Shapes &shapes;
};

} // namespace

unsigned registersPerVector(const shader::StructuredFunction &tree, const Shapes &shapes,
                            const VectorUnit &unit, uint32_t items) {
  Judge judge(shapes);
  if (tree.function->getInstructionCount() > mostInstructions || !judge.suits(tree.body, false) ||
      !judge.hasLoop)
    return 1;
  const unsigned pressure = std::max(1u, Pressure(shapes).most(*tree.function));
  for (unsigned count : {4u, 2u})
    if (items % (unit.lanes * count) == 0 && pressure * count + sparedRegisters <= unit.registers)
      return count;
  return 1;
}

} // namespace khalc::cpu::simd

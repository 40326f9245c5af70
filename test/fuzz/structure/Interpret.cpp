//===- Interpret.cpp - runs functions and structured trees ------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "Interpret.h"

#include "Generate.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace khalc::shader;

namespace khal::fuzz {
namespace {

/// Values and straight-line code, the same for both forms.
class Machine {
public:
  Machine(const Function &function, uint64_t inputs, Limits limits)
      : limits(limits), input(inputs) {
    for (const Argument &argument : function.args())
      values[&argument] = input.below(100);
  }

  uint64_t valueOf(const Value *value) {
    if (auto *number = dyn_cast<ConstantInt>(value))
      return number->getZExtValue();
    if (isa<UndefValue>(value)) // poison too
      return 0;
    auto it = values.find(value);
    if (it == values.end()) {
      fail("a value is used that was never computed");
      return 0;
    }
    return it->second;
  }

  void set(const Value *value, uint64_t number) { values[value] = number; }

  /// All instructions of a block but phis and its terminator.
  void runCode(const BasicBlock &block) {
    for (const Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !instruction.isTerminator() && !stopped())
        runInstruction(instruction);
  }

  bool step() { return ++steps <= limits.steps && !stopped(); }
  bool stopped() const { return full || !seen.fault.empty(); }
  void fail(const std::string &message) {
    if (seen.fault.empty())
      seen.fault = message;
  }

  Limits limits;
  unsigned steps = 0;
  Observation seen;

private:
  void runInstruction(const Instruction &instruction) {
    unsigned bits =
        instruction.getType()->isIntegerTy() ? instruction.getType()->getIntegerBitWidth() : 64;
    uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    if (auto *call = dyn_cast<CallInst>(&instruction)) {
      runCall(*call);
    } else if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
      set(&instruction, mask & runBinary(*operation));
    } else if (auto *comparison = dyn_cast<ICmpInst>(&instruction)) {
      APInt left(64, valueOf(comparison->getOperand(0)));
      APInt right(64, valueOf(comparison->getOperand(1)));
      unsigned width = comparison->getOperand(0)->getType()->getIntegerBitWidth();
      set(&instruction,
          ICmpInst::compare(left.trunc(width), right.trunc(width), comparison->getPredicate()));
    } else if (auto *choice = dyn_cast<SelectInst>(&instruction)) {
      bool first = valueOf(choice->getCondition());
      set(&instruction, valueOf(first ? choice->getTrueValue() : choice->getFalseValue()));
    } else if (isa<ZExtInst, TruncInst, FreezeInst>(instruction)) {
      set(&instruction, mask & valueOf(instruction.getOperand(0)));
    } else {
      fail(std::string("no interpreter for ") + instruction.getOpcodeName());
    }
  }

  void runCall(const CallInst &call) {
    StringRef name = call.getCalledFunction()->getName();
    if (name == "trace")
      return observe(valueOf(call.getArgOperand(0)));
    if (name != "input")
      return fail("no interpreter for a call of " + name.str());
    uint64_t number = input.next() & 0xffffffff;
    set(&call, number);
    observe(number);
  }

  uint64_t runBinary(const BinaryOperator &operation) {
    uint64_t left = valueOf(operation.getOperand(0)), right = valueOf(operation.getOperand(1));
    switch (operation.getOpcode()) {
    case Instruction::Add:
      return left + right;
    case Instruction::Sub:
      return left - right;
    case Instruction::Mul:
      return left * right;
    case Instruction::And:
      return left & right;
    case Instruction::Or:
      return left | right;
    case Instruction::Xor:
      return left ^ right;
    case Instruction::Shl:
      return right < 64 ? left << right : 0;
    default:
      fail(std::string("no interpreter for ") + operation.getOpcodeName());
      return 0;
    }
  }

  void observe(uint64_t number) {
    seen.events.push_back(number);
    full = seen.events.size() >= limits.events;
  }

  DenseMap<const Value *, uint64_t> values;
  Random input;
  bool full = false;
};

/// Follows a tree as Structured.h describes it.
class TreeRunner {
public:
  TreeRunner(const StructuredFunction &tree, uint64_t inputs, Limits limits)
      : machine(*tree.function, inputs, limits), flags(tree.flagCount, 0) {}

  Observation run(const StructuredFunction &tree) {
    Way way = runRegion(tree.body);
    if (way == Way::On)
      machine.fail("the kernel's end was reached without a return");
    machine.seen.finished = way == Way::Return;
    return machine.seen;
  }

private:
  enum class Way { On, Break, Continue, Return, Stop };

  Way runRegion(const Region &region) {
    for (const std::unique_ptr<Node> &node : region)
      if (Way way = runNode(*node); way != Way::On)
        return way;
    return Way::On;
  }

  Way runNode(const Node &node) {
    if (!machine.step())
      return Way::Stop;
    switch (node.kind) {
    case NodeKind::Code:
      return runBlock(*node.block);
    case NodeKind::PhiCopy:
      for (const PHINode &phi : node.to->phis())
        variables[&phi] = machine.valueOf(phi.getIncomingValueForBlock(node.block));
      return Way::On;
    case NodeKind::If:
      return runRegion(machine.valueOf(node.condition) ? node.body : node.elseBody);
    case NodeKind::Switch:
      return runRegion(chosen(node).body);
    case NodeKind::Loop:
      return runLoop(node);
    case NodeKind::Scope: {
      Way way = runRegion(node.body);
      return way == Way::Break ? Way::On : way;
    }
    case NodeKind::Break:
      return Way::Break;
    case NodeKind::Continue:
      return Way::Continue;
    case NodeKind::SetFlag:
      flags[node.flag] = node.value;
      return Way::On;
    case NodeKind::IfFlag:
      return flags[node.flag] == node.value ? runRegion(node.body) : Way::On;
    case NodeKind::Return:
      return Way::Return;
    case NodeKind::Unreachable:
      machine.fail("what is unreachable was reached");
      return Way::Stop;
    }
    return Way::Stop;
  }

  Way runLoop(const Node &loop) {
    while (machine.step()) {
      switch (Way way = runRegion(loop.body)) {
      case Way::On:
      case Way::Continue:
        break;
      case Way::Break:
        return Way::On;
      default:
        return way;
      }
    }
    return Way::Stop;
  }

  Way runBlock(const BasicBlock &block) {
    for (const PHINode &phi : block.phis()) {
      auto it = variables.find(&phi);
      if (it == variables.end()) {
        machine.fail("a phi is read that wasn't written on the way");
        return Way::Stop;
      }
      machine.set(&phi, it->second);
      variables.erase(it); // each edge writes it anew
    }
    machine.runCode(block);
    return machine.stopped() ? Way::Stop : Way::On;
  }

  const SwitchCase &chosen(const Node &node) {
    uint64_t number = machine.valueOf(node.condition);
    const SwitchCase *fallback = nullptr;
    for (const SwitchCase &choice : node.cases) {
      for (const ConstantInt *value : choice.values)
        if (value->getZExtValue() == number)
          return choice;
      if (choice.isDefault)
        fallback = &choice;
    }
    return *fallback;
  }

  Machine machine;
  std::vector<uint32_t> flags;
  DenseMap<const PHINode *, uint64_t> variables;
};

} // namespace

Observation run(const Function &function, uint64_t inputs, Limits limits) {
  Machine machine(function, inputs, limits);
  const BasicBlock *block = &function.getEntryBlock();
  while (machine.step()) {
    machine.runCode(*block);
    const Instruction *terminator = block->getTerminator();
    if (machine.stopped())
      break;
    if (isa<ReturnInst>(terminator)) {
      machine.seen.finished = true;
      break;
    }
    const BasicBlock *next = nullptr;
    if (auto *branch = dyn_cast<BranchInst>(terminator)) {
      bool first = branch->isUnconditional() || machine.valueOf(branch->getCondition());
      next = branch->getSuccessor(first ? 0 : 1);
    } else if (auto *choice = dyn_cast<SwitchInst>(terminator)) {
      next = choice->getDefaultDest();
      for (const auto &handle : choice->cases())
        if (handle.getCaseValue()->getZExtValue() == machine.valueOf(choice->getCondition()))
          next = handle.getCaseSuccessor();
    } else {
      machine.fail("the original function reached an unreachable end");
      break;
    }
    std::vector<std::pair<const PHINode *, uint64_t>> phis;
    for (const PHINode &phi : next->phis())
      phis.emplace_back(&phi, machine.valueOf(phi.getIncomingValueForBlock(block)));
    for (auto [phi, value] : phis)
      machine.set(phi, value);
    block = next;
  }
  return machine.seen;
}

Observation run(const StructuredFunction &function, uint64_t inputs, Limits limits) {
  return TreeRunner(function, inputs, limits).run(function);
}

} // namespace khal::fuzz

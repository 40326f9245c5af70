//===- StructureVerify.cpp - an independent check of the tree ---------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
//
// The check is a little stronger than dominance: a definition must come earlier in the same region
// as its use or in a region around it, which is what block scopes of textual languages ask for.
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/StructureTree.h"

#include "llvm/ADT/ScopedHashTable.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace khalc::shader {
namespace {

class Verifier {
public:
  explicit Verifier(const StructuredFunction &structured) : structured(structured) {}

  std::string run() {
    checkRegion(structured.body, {});
    for (const BasicBlock &block : *structured.function)
      if (hasCode(block) && !printed.contains(&block))
        fail("a block is not printed: " + nameOf(&block));
    return fault;
  }

private:
  struct Around {
    bool loop = false;
    bool breakable = false;
  };
  using Visible = ScopedHashTable<const BasicBlock *, bool>;

  void checkRegion(const Region &region, Around around) {
    Visible::ScopeTy scope(visible);
    for (const std::unique_ptr<Node> &node : region) {
      checkNode(*node, around);
      bool leaves = node->kind == NodeKind::Break || node->kind == NodeKind::Continue ||
                    node->kind == NodeKind::Return || node->kind == NodeKind::Unreachable;
      if (leaves && node != region.back())
        fail("nodes after one that leaves");
    }
  }

  void checkNode(const Node &node, Around around) {
    switch (node.kind) {
    case NodeKind::Code:
      return checkCode(*node.block);
    case NodeKind::PhiCopy:
      return checkPhis(node);
    case NodeKind::If:
      checkUse(node.condition, node.block);
      checkRegion(node.body, around);
      return checkRegion(node.elseBody, around);
    case NodeKind::Switch:
      return checkSwitch(node, around);
    case NodeKind::Loop:
      return checkRegion(node.body, {true, true});
    case NodeKind::Scope:
      return checkRegion(node.body, {around.loop, true});
    case NodeKind::Break:
      return around.breakable ? void() : fail("a break from nothing");
    case NodeKind::Continue:
      return around.loop ? void() : fail("a continue outside loops");
    case NodeKind::IfFlag:
      checkFlag(node);
      return checkRegion(node.body, around);
    case NodeKind::SetFlag:
      return checkFlag(node);
    case NodeKind::Return:
    case NodeKind::Unreachable:
      return;
    }
  }

  void checkCode(const BasicBlock &block) {
    if (!printed.insert(&block).second)
      fail("a block is printed twice: " + nameOf(&block));
    visible.insert(&block, true);
    for (const Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        for (const Use &operand : instruction.operands())
          checkUse(operand, &block);
  }

  void checkPhis(const Node &node) {
    if (!is_contained(successors(node.block), node.to))
      return fail("phis copied where there's no edge");
    for (const PHINode &phi : node.to->phis())
      checkUse(phi.getIncomingValueForBlock(node.block), node.block);
  }

  void checkSwitch(const Node &node, Around around) {
    checkUse(node.condition, nullptr);
    unsigned defaults = 0;
    for (const SwitchCase &choice : node.cases) {
      defaults += choice.isDefault;
      checkRegion(choice.body, around);
    }
    if (defaults != 1)
      fail("a switch without exactly one default");
  }

  void checkFlag(const Node &node) {
    if (node.flag >= structured.flagCount)
      fail("an unknown flag");
  }

  void checkUse(const Value *value, const BasicBlock *user) {
    auto *definition = dyn_cast<Instruction>(value);
    // Variables belong to the whole function.
    if (!definition || isa<AllocaInst>(definition) || visible.lookup(definition->getParent()))
      return;
    fail(nameOf(definition) + " is used out of its scope" + (user ? " in " + nameOf(user) : ""));
  }

  static std::string nameOf(const Value *value) {
    std::string text;
    raw_string_ostream stream(text);
    value->printAsOperand(stream, /*PrintType=*/false);
    return text;
  }

  void fail(const std::string &message) {
    if (fault.empty())
      fault = message;
  }

  const StructuredFunction &structured;
  Visible visible;
  SmallPtrSet<const BasicBlock *, 32> printed;
  std::string fault;
};

} // namespace

std::string verify(const StructuredFunction &function) {
  return Verifier(function).run();
}

} // namespace khalc::shader

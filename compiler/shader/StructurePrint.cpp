//===- StructurePrint.cpp - the tree as text --------------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/Structured.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace khalc::shader {
namespace {

class Printer {
public:
  Printer(const Function &function, raw_ostream &out)
      : out(out), names(function.getParent(), /*ShouldInitializeAllMetadata=*/false) {
    names.incorporateFunction(function);
  }

  void print(const Region &region, unsigned depth) {
    for (const std::unique_ptr<Node> &node : region)
      print(*node, depth);
  }

private:
  void print(const Node &node, unsigned depth) {
    out.indent(2 * depth);
    switch (node.kind) {
    case NodeKind::Code:
      out << "code " << name(node.block) << '\n';
      break;
    case NodeKind::PhiCopy:
      out << "phis " << name(node.block) << " -> " << name(node.to) << '\n';
      break;
    case NodeKind::If:
      out << "if " << name(node.condition);
      printBlock(node.body, depth);
      if (!node.elseBody.empty()) {
        out.indent(2 * depth) << "else";
        printBlock(node.elseBody, depth);
      }
      break;
    case NodeKind::Switch:
      out << "switch " << name(node.condition) << " {\n";
      for (const SwitchCase &choice : node.cases)
        printCase(choice, depth + 1);
      out.indent(2 * depth) << "}\n";
      break;
    case NodeKind::Loop:
      out << "loop " << name(node.block);
      printBlock(node.body, depth);
      break;
    case NodeKind::Scope:
      out << "scope";
      printBlock(node.body, depth);
      break;
    case NodeKind::Break:
      out << "break\n";
      break;
    case NodeKind::Continue:
      out << "continue\n";
      break;
    case NodeKind::SetFlag:
      out << "flag" << node.flag << " := " << node.value << '\n';
      break;
    case NodeKind::IfFlag:
      out << "if flag" << node.flag << " == " << node.value;
      printBlock(node.body, depth);
      break;
    case NodeKind::Return:
      out << "return\n";
      break;
    case NodeKind::Unreachable:
      out << "unreachable\n";
      break;
    }
  }

  void printCase(const SwitchCase &choice, unsigned depth) {
    out.indent(2 * depth);
    ListSeparator comma;
    if (!choice.values.empty())
      out << "case ";
    for (const ConstantInt *value : choice.values)
      out << comma << value->getValue();
    if (choice.isDefault)
      out << (choice.values.empty() ? "default" : ", default");
    printBlock(choice.body, depth);
  }

  void printBlock(const Region &region, unsigned depth) {
    out << " {\n";
    print(region, depth + 1);
    out.indent(2 * depth) << "}\n";
  }

  std::string name(const Value *value) {
    std::string text;
    raw_string_ostream stream(text);
    value->printAsOperand(stream, /*PrintType=*/false, names);
    return text;
  }

  raw_ostream &out;
  ModuleSlotTracker names;
};

} // namespace

std::string toString(const StructuredFunction &function) {
  std::string text;
  raw_string_ostream out(text);
  out << function.function->getName() << " {\n";
  Printer(*function.function, out).print(function.body, 1);
  out << "}\n";
  return text;
}

} // namespace khalc::shader

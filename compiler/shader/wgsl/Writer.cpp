//===- Writer.cpp - WGSL from a structured kernel -------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/wgsl/Writer.h"

#include "shader/wgsl/Expressions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace khalc::shader;

namespace khalc::wgsl {

namespace {

constexpr unsigned indentStep = 2;

/// True if a Return is anywhere in the region.
bool returns(const Region &region) {
  return any_of(region, [](const std::unique_ptr<Node> &node) {
    return node->kind == NodeKind::Return || returns(node->body) || returns(node->elseBody) ||
           any_of(node->cases, [](const SwitchCase &branch) { return returns(branch.body); });
  });
}

class FunctionWriter {
public:
  FunctionWriter(const StructuredFunction &program, Expressions &expressions, Names &names,
                 raw_ostream &out)
      : program(program), expressions(expressions), names(names), out(out) {}

  void write() {
    declareVariables();
    region(program.body, indentStep);
  }

private:
  void declareVariables() {
    for (const BasicBlock &block : *program.function)
      for (const PHINode &phi : block.phis()) {
        const StringRef wanted = phi.getName().split('.').first;
        const std::string name = names.fresh(wanted.starts_with("_") ? "" : wanted, "v");
        expressions.name(&phi, name);
        expressions.noteType(phi.getType());
        out.indent(indentStep) << "var " << name << ": " << typeName(phi.getType()) << ";\n";
      }
    for (unsigned i = 0; i < program.flagCount; ++i) {
      flags.push_back(names.fresh("leaving", ""));
      out.indent(indentStep) << "var " << flags.back() << ": u32;\n";
    }
  }

  void region(const Region &region, unsigned indent) {
    for (const std::unique_ptr<Node> &each : region)
      node(*each, indent);
  }

  void node(const Node &node, unsigned indent) {
    switch (node.kind) {
    case NodeKind::Code:
      for (const Instruction &instruction : *node.block)
        if (!isa<PHINode>(instruction) && !instruction.isTerminator())
          expressions.print(out, indent, const_cast<Instruction &>(instruction));
      return;
    case NodeKind::PhiCopy:
      return copyPhis(*node.block, *node.to, indent);
    case NodeKind::If:
      return selection(node, indent);
    case NodeKind::IfFlag:
      return block("if " + flags[node.flag] + " == " + utostr(node.value) + "u", node.body, indent);
    case NodeKind::Switch:
      return any_of(node.cases, [](const SwitchCase &branch) { return breaksOut(branch.body); })
                 ? switchAsIfs(node, indent)
                 : switchNode(node, indent);
    case NodeKind::Loop:
      return loop(node, indent);
    case NodeKind::Scope:
      // A switch with nothing but a default: the one construct besides a loop that can be left from
      // any depth of ifs.
      out.indent(indent) << "switch 0u {\n";
      block("default", node.body, indent + indentStep);
      out.indent(indent) << "}\n";
      return;
    case NodeKind::Break:
      out.indent(indent) << "break;\n";
      return;
    case NodeKind::Continue:
      out.indent(indent) << "continue;\n";
      return;
    case NodeKind::SetFlag:
      out.indent(indent) << flags[node.flag] << " = " << node.value << "u;\n";
      return;
    case NodeKind::Return:
    case NodeKind::Unreachable: // never run; a statement that every construct takes
      out.indent(indent) << "return;\n";
      return;
    }
  }

  void block(const std::string &head, const Region &body, unsigned indent) {
    out.indent(indent) << head << " {\n";
    region(body, indent + indentStep);
    out.indent(indent) << "}\n";
  }

  /// All at once: what another copy of the same edge reads is kept before it changes.
  void copyPhis(const BasicBlock &from, const BasicBlock &to, unsigned indent) {
    struct Copy {
      const PHINode *phi;
      std::string value;
    };
    SmallVector<Copy> copies;
    SmallPtrSet<const Value *, 4> changing;
    for (const PHINode &phi : to.phis()) {
      const Value *incoming = phi.getIncomingValueForBlock(&from);
      if (isa<UndefValue>(incoming) || incoming == &phi)
        continue;
      copies.push_back({&phi, expressions.whole(incoming)});
      changing.insert(&phi);
    }
    for (Copy &copy : copies) {
      const auto &read = expressions.phisIn(copy.phi->getIncomingValueForBlock(&from));
      if (none_of(read,
                  [&](const Value *phi) { return phi != copy.phi && changing.contains(phi); }))
        continue;
      const std::string kept = names.fresh("next_" + expressions.nameOf(copy.phi), "");
      out.indent(indent) << "let " << kept << " = " << copy.value << ";\n";
      copy.value = kept;
    }
    for (const Copy &copy : copies)
      out.indent(indent) << expressions.nameOf(copy.phi) << " = " << copy.value << ";\n";
  }

  void selection(const Node &node, unsigned indent) {
    if (node.body.empty() && node.elseBody.empty())
      return;
    if (node.body.empty())
      return block("if !(" + expressions.whole(node.condition) + ")", node.elseBody, indent);
    out.indent(indent) << "if " << expressions.whole(node.condition) << " {\n";
    region(node.body, indent + indentStep);
    if (!node.elseBody.empty()) {
      out.indent(indent) << "} else {\n";
      region(node.elseBody, indent + indentStep);
    }
    out.indent(indent) << "}\n";
  }

  void switchNode(const Node &node, unsigned indent) {
    out.indent(indent) << "switch " << expressions.whole(node.condition) << " {\n";
    for (const SwitchCase &branch : node.cases) {
      std::string head;
      for (const ConstantInt *value : branch.values)
        head += (head.empty() ? "case " : ", ") + literal(value);
      if (branch.isDefault)
        head = head.empty() ? "default" : head + ", default";
      block(head, branch.body, indent + indentStep);
    }
    out.indent(indent) << "}\n";
  }

  /// A switch out of which a Break leads: in WGSL a break in a case would only leave the switch.
  void switchAsIfs(const Node &node, unsigned indent) {
    const SwitchCase *otherwise = nullptr;
    bool first = true;
    for (const SwitchCase &branch : node.cases) {
      if (branch.isDefault) { // whatever other values it has are no other case's
        otherwise = &branch;
        continue;
      }
      std::string condition;
      for (const ConstantInt *value : branch.values)
        condition += (condition.empty() ? "" : " || ") +
                     ("(" + expressions.operand(node.condition) + " == " + literal(value) + ")");
      if (first)
        out.indent(indent);
      out << "if " << condition << " {\n";
      region(branch.body, indent + indentStep);
      out.indent(indent) << "} else ";
      first = false;
    }
    if (first)
      out.indent(indent);
    out << "{\n";
    region(otherwise->body, indent + indentStep);
    out.indent(indent) << "}\n";
  }

  void loop(const Node &node, unsigned indent) {
    out.indent(indent) << "loop {\n";
    region(node.body, indent + indentStep);
    // WGSL refuses a loop without a way out; one in C++ without effects may end.
    if (!breaksOut(node.body) && !returns(node.body))
      out.indent(indent + indentStep) << "if " << zeroVariable << " != 0u { break; }\n";
    out.indent(indent) << "}\n";
  }

  const StructuredFunction &program;
  Expressions &expressions;
  Names &names;
  raw_ostream &out;
  std::vector<std::string> flags;
};

} // namespace

std::optional<Text> write(const LoweredKernel &kernel, const StructuredFunction &program,
                          bool divergentSubgroups, diag::Engine &diagnostics) {
  Names names;
  Text text;
  names.fresh(zeroVariable, "");
  text.entry = names.fresh(kernel.info->name, "kernel");
  Resources resources(kernel, names);
  Expressions expressions(*kernel.info, resources, names, diagnostics);
  std::string body;
  raw_string_ostream bodyOut(body);
  FunctionWriter(program, expressions, names, bodyOut).write();
  if (expressions.failed())
    return std::nullopt;

  raw_string_ostream out(text.code);
  if (expressions.usesHalf())
    out << "enable f16;\n";
  if (expressions.usesSubgroups()) {
    out << "enable subgroups;\n";
    // Those lanes take part that come by together, which compilers else want to be all of them.
    if (divergentSubgroups)
      out << "diagnostic(off, subgroup_uniformity);\n";
  }
  if (!text.code.empty())
    out << "\n";
  resources.declareGlobals(out);
  if (StringRef(body).contains(zeroVariable))
    out << "var<private> " << zeroVariable
        << ": u32 = 0u; // keeps constants out of compilers' sight\n";
  const auto &size = kernel.info->groupSize;
  out << "\n@compute @workgroup_size(" << size[0] << ", " << size[1] << ", " << size[2] << ")\n"
      << "fn " << text.entry << "(";
  resources.declareInputs(out);
  out << ") {\n";
  resources.declarePrivates(out);
  out << body << "}\n";
  text.usesSubgroups = expressions.usesSubgroups();
  return text;
}

} // namespace khalc::wgsl

//===- Writer.cpp - SPIR-V from a structured kernel ----------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/spirv/Writer.h"

#include "khal/abi.h"

#include "diag/Diagnostics.h"
#include "ir/PrivateArrays.h"
#include "shader/spirv/InstructionWriter.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace khalc::shader;

namespace khalc::spirv {

namespace {

constexpr uint32_t spirv13 = 0x00010300;

/// Where Break and Continue go, from the innermost construct outwards.
struct Targets {
  Id breakTo = 0;
  Id continueTo = 0;
  bool *breakUsed = nullptr; ///< set when a Break is printed
};

/// What the source, or a pass before, asks of a loop's unrolling.
uint32_t loopControl(const BasicBlock &header) {
  for (const BasicBlock *latch : predecessors(&header)) {
    MDNode *properties = latch->getTerminator()->getMetadata(LLVMContext::MD_loop);
    if (!properties)
      continue;
    if (GetUnrollMetadata(properties, "llvm.loop.unroll.disable") &&
        !GetUnrollMetadata(properties, leftToDriver))
      return spv::LoopControlDontUnrollMask;
    for (const char *asked : {"llvm.loop.unroll.enable", "llvm.loop.unroll.full"})
      if (GetUnrollMetadata(properties, asked))
        return spv::LoopControlUnrollMask;
  }
  return spv::LoopControlMaskNone;
}

class FunctionWriter {
public:
  FunctionWriter(const StructuredFunction &program, const Form &form, Builder &builder,
                 Types &types, Resources &resources, InstructionWriter &instructions)
      : program(program), form(form), builder(builder), types(types), resources(resources),
        instructions(instructions) {}

  Id write() {
    Id result = builder.voidType();
    Id function = builder.emit(spv::OpFunction, result,
                               {spv::FunctionControlMaskNone, builder.functionType(result)});
    label(builder.newId());
    declareVariables();
    instructions.beginFunction(function);
    if (region(program.body, {}))
      builder.emit(spv::OpReturn, {});
    builder.emit(spv::OpFunctionEnd, {});
    return function;
  }

private:
  void label(Id id) {
    builder.emit(spv::OpLabel, {id});
    instructions.forgetLine();
  }
  void branch(Id target) { builder.emit(spv::OpBranch, {target}); }

  Id variable(Id type, Id initialiser = 0) {
    Id pointer = builder.pointerType(spv::StorageClassFunction, type);
    if (initialiser != 0)
      return builder.emit(spv::OpVariable, pointer, {spv::StorageClassFunction, initialiser});
    return builder.emit(spv::OpVariable, pointer, {spv::StorageClassFunction});
  }

  void declareVariables() {
    resources.declarePrivates();
    for (const BasicBlock &block : *program.function)
      for (const PHINode &phi : block.phis()) {
        phiVariables[&phi] = variable(types.type(phi.getType()));
        if (form.names)
          builder.name(phiVariables[&phi], sourceName(phi));
      }
    for (unsigned i = 0; i < program.flagCount; ++i)
      flags.push_back(variable(builder.intType(32), builder.u32(0)));
  }

  /// Prints a region; false when its end can't be reached.
  bool region(const Region &region, Targets targets) {
    for (const std::unique_ptr<Node> &each : region)
      if (!node(*each, targets))
        return false;
    return true;
  }

  bool node(const Node &node, Targets targets) {
    switch (node.kind) {
    case NodeKind::Code:
      code(*node.block);
      return true;
    case NodeKind::PhiCopy:
      copyPhis(*node.block, *node.to);
      return true;
    case NodeKind::If:
      return selection(instructions.value(node.condition), node.body, node.elseBody, targets);
    case NodeKind::IfFlag: {
      Id flag = builder.emit(spv::OpLoad, builder.intType(32), {flags[node.flag]});
      Id isSet = builder.emit(spv::OpIEqual, builder.boolType(), {flag, builder.u32(node.value)});
      return selection(isSet, node.body, {}, targets);
    }
    case NodeKind::Switch:
      return any_of(node.cases, [](const SwitchCase &branch) { return breaksOut(branch.body); }) ||
                     (form.plainOperations && node.condition->getType()->isIntegerTy(64))
                 ? switchAsIfs(node, 0, targets)
                 : switchNode(node, targets);
    case NodeKind::Loop:
      return loop(node);
    case NodeKind::Scope:
      return scope(node, targets);
    case NodeKind::Break:
      *targets.breakUsed = true;
      branch(targets.breakTo);
      return false;
    case NodeKind::Continue:
      branch(targets.continueTo);
      return false;
    case NodeKind::SetFlag:
      builder.emit(spv::OpStore, {flags[node.flag], builder.u32(node.value)});
      return true;
    case NodeKind::Return:
      builder.emit(spv::OpReturn, {});
      return false;
    case NodeKind::Unreachable:
      builder.emit(spv::OpUnreachable, {});
      return false;
    }
    llvm_unreachable("every kind of node is printed");
  }

  void code(const BasicBlock &block) {
    for (const PHINode &phi : block.phis())
      instructions.define(
          &phi, builder.emit(spv::OpLoad, types.type(phi.getType()), {phiVariables[&phi]}));
    for (const Instruction &instruction : block)
      if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        instructions.write(const_cast<Instruction &>(instruction));
  }

  void copyPhis(const BasicBlock &from, const BasicBlock &to) {
    for (const PHINode &phi : to.phis()) {
      const Value *incoming = phi.getIncomingValueForBlock(&from);
      if (isa<UndefValue>(incoming) || incoming == &phi)
        continue;
      builder.emit(spv::OpStore, {phiVariables[&phi], instructions.value(incoming)});
    }
  }

  bool finish(Id merge, bool reachable) {
    label(merge);
    if (!reachable)
      builder.emit(spv::OpUnreachable, {});
    return reachable;
  }

  bool selection(Id condition, const Region &yes, const Region &no, Targets targets) {
    Id merge = builder.newId();
    Id yesLabel = yes.empty() ? merge : builder.newId();
    Id noLabel = no.empty() ? merge : builder.newId();
    if (yes.empty() && no.empty())
      return true;
    builder.emit(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
    builder.emit(spv::OpBranchConditional, {condition, yesLabel, noLabel});
    bool reachable = yes.empty() || no.empty();
    for (auto [body, start] : {std::pair(&yes, yesLabel), std::pair(&no, noLabel)}) {
      if (body->empty())
        continue;
      label(start);
      if (region(*body, targets)) {
        branch(merge);
        reachable = true;
      }
    }
    return finish(merge, reachable);
  }

  bool switchNode(const Node &node, Targets targets) {
    Id merge = builder.newId();
    std::vector<Id> starts;
    Words operands{selector(*node.condition), merge};
    bool reachable = false;
    for (const SwitchCase &branch : node.cases) {
      starts.push_back(branch.body.empty() ? merge : builder.newId());
      reachable |= branch.body.empty();
      if (branch.isDefault)
        operands[1] = starts.back();
    }
    for (size_t i = 0; i < node.cases.size(); ++i)
      for (const ConstantInt *value : node.cases[i].values)
        appendCase(operands, *value, starts[i]);
    builder.emit(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
    builder.emit(spv::OpSwitch, operands);
    for (size_t i = 0; i < node.cases.size(); ++i) {
      if (node.cases[i].body.empty())
        continue;
      label(starts[i]);
      if (region(node.cases[i].body, targets)) {
        branch(merge);
        reachable = true;
      }
    }
    return finish(merge, reachable);
  }

  /// Shading languages choose by 32 bits alone; narrower literals are written zero-extended anyway.
  Id selector(const Value &condition) {
    const Id narrow = instructions.value(&condition);
    if (!form.plainOperations || condition.getType()->getIntegerBitWidth() >= 32)
      return narrow;
    return builder.emit(spv::OpUConvert, builder.intType(32), {narrow});
  }

  static void appendCase(Words &operands, const ConstantInt &value, Id target) {
    // Literals narrower than a word are sign- or zero-extended like their type: ours are unsigned.
    operands.push_back(static_cast<uint32_t>(value.getZExtValue()));
    if (value.getBitWidth() == 64)
      operands.push_back(static_cast<uint32_t>(value.getZExtValue() >> 32));
    operands.push_back(target);
  }

  /// A switch out of which a Break leads: SPIR-V has no branch from a case to a construct further
  /// out than the switch, so that it becomes a chain of ifs.
  bool switchAsIfs(const Node &node, size_t at, Targets targets) {
    while (at < node.cases.size() && node.cases[at].isDefault)
      ++at;
    if (at == node.cases.size()) {
      for (const SwitchCase &branch : node.cases)
        if (branch.isDefault)
          return region(branch.body, targets);
      return true;
    }
    Id isCase = 0;
    for (const ConstantInt *value : node.cases[at].values) {
      Id equal = builder.emit(spv::OpIEqual, builder.boolType(),
                              {instructions.value(node.condition), instructions.value(value)});
      isCase =
          isCase == 0 ? equal : builder.emit(spv::OpLogicalOr, builder.boolType(), {isCase, equal});
    }
    Id merge = builder.newId(), yes = builder.newId(), no = builder.newId();
    builder.emit(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
    builder.emit(spv::OpBranchConditional, {isCase, yes, no});
    bool reachable = false;
    label(yes);
    if (region(node.cases[at].body, targets)) {
      branch(merge);
      reachable = true;
    }
    label(no);
    if (switchAsIfs(node, at + 1, targets)) {
      branch(merge);
      reachable = true;
    }
    return finish(merge, reachable);
  }

  bool loop(const Node &node) {
    Id header = builder.newId(), body = builder.newId();
    Id next = builder.newId(), merge = builder.newId();
    branch(header);
    label(header);
    builder.emit(spv::OpLoopMerge, {merge, next, loopControl(*node.block)});
    branch(body);
    label(body);
    bool left = false;
    if (region(node.body, {merge, next, &left}))
      branch(next);
    label(next);
    branch(header);
    return finish(merge, left);
  }

  /// A switch with nothing but a default: the one construct besides a loop that can be left from
  /// any depth of ifs.
  bool scope(const Node &node, Targets targets) {
    Id merge = builder.newId(), body = builder.newId();
    builder.emit(spv::OpSelectionMerge, {merge, spv::SelectionControlMaskNone});
    builder.emit(spv::OpSwitch, {builder.u32(0), body});
    label(body);
    bool left = false;
    if (region(node.body, {merge, targets.continueTo, &left})) {
      branch(merge);
      left = true;
    }
    return finish(merge, left);
  }

  const StructuredFunction &program;
  const Form &form;
  Builder &builder;
  Types &types;
  Resources &resources;
  InstructionWriter &instructions;
  DenseMap<const PHINode *, Id> phiVariables;
  std::vector<Id> flags;
};

} // namespace

std::optional<Module> write(const LoweredKernel &kernel, const StructuredFunction &program,
                            FloatControls controls, StringRef entryName, const Form &form,
                            diag::Engine &diagnostics) {
  Builder builder;
  builder.capability(spv::CapabilityShader);
  builder.source(builder.string(kernel.info->position.file));
  Types types(builder, *program.function);
  Resources resources(kernel, form, builder, types);
  InstructionWriter instructions(builder, types, resources, *kernel.info, form, diagnostics);
  if (form.debugInfo)
    instructions.addDebugInfo(*program.function);
  Id function = FunctionWriter(program, form, builder, types, resources, instructions).write();
  if (instructions.failed())
    return std::nullopt;
  builder.name(function, entryName);
  builder.entryPoint(function, entryName, resources.interface());
  const auto &size = kernel.info->groupSize;
  builder.executionMode(function, spv::ExecutionModeLocalSize, {size[0], size[1], size[2]});
  types.require(controls, function);

  Module module;
  module.words = builder.finish(spirv13);
  module.features = types.features();
  if (form.debugInfo)
    module.features |= khal::abi::feature_debug_info;
  return module;
}

} // namespace khalc::spirv

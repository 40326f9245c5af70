//===- ItemFunction.cpp - a kernel as a function of one work-item ----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/ItemFunction.h"

#include "diag/Diagnostics.h"
#include "ir/Builtins.h"
#include "ir/DotProduct.h"
#include "ir/ParameterObjects.h"
#include "ir/Passes.h"
#include "ir/Prepare.h"
#include "ir/PrivateMemory.h"
#include "target/cpu/GroupSignature.h"
#include "target/cpu/SubgroupBuiltins.h"

#include "khal/abi.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace khalc::cpu {

namespace {

/// What the caller of a group promises of its arguments.
void describeArguments(Function &item, const KernelInfo &kernel, const GroupSignature &signature) {
  LLVMContext &context = item.getContext();
  for (auto [index, slot] : enumerate(kernel.buffers)) {
    Argument &argument = *item.getArg(signature.buffer(index));
    argument.setName(slot.name);
    argument.addAttr(Attribute::NoUndef);
    argument.addAttr(
        Attribute::getWithAlignment(context, Align(std::max<uint64_t>(1, slot.elementAlignment))));
    if (!kernel.mayAlias)
      argument.addAttr(Attribute::NoAlias);
    if (slot.readOnly)
      argument.addAttr(Attribute::ReadOnly);
  }
  for (auto [index, span] : enumerate(kernel.sharedSpans)) {
    Argument &argument = *item.getArg(signature.sharedSpan(index));
    argument.setName(span.name);
    argument.addAttr(Attribute::NoUndef);
    argument.addAttr(Attribute::NoAlias);
    argument.addAttr(Attribute::getWithAlignment(context, Align(khal::abi::shared_span_alignment)));
  }
  Argument &block = *item.getArg(signature.block());
  block.setName("block");
  block.addAttr(Attribute::NoAlias);
  block.addAttr(Attribute::ReadOnly);
  if (kernel.blockSize) {
    block.addAttr(Attribute::getWithDereferenceableBytes(context, kernel.blockSize));
    block.addAttr(Attribute::getWithAlignment(context, Align(khal::abi::block_alignment)));
  }
  for (unsigned index : {signature.shared(), signature.context()}) {
    item.getArg(index)->addAttr(Attribute::NoAlias);
    item.getArg(index)->addAttr(Attribute::getWithAlignment(context, Align(64)));
  }
  item.getArg(signature.shared())->setName("shared");
  item.getArg(signature.context())->setName("context");
  constexpr const char *letters[] = {"x", "y", "z"};
  for (unsigned d : {0u, 1u, 2u}) {
    item.getArg(signature.groupId(d))->setName(Twine("group.") + letters[d]);
    item.getArg(signature.numGroups(d))->setName(Twine("groups.") + letters[d]);
    item.getArg(signature.localId(d))->setName(Twine("local.") + letters[d]);
    // Whoever calls it says how far the numbers go: a group's loops are proved not to overflow.
    item.getArg(signature.localId(d))
        ->addAttr(Attribute::get(context, Attribute::Range,
                                 ConstantRange(APInt(32, 0), APInt(32, kernel.groupSize[d]))));
    for (unsigned index : {signature.groupId(d), signature.numGroups(d), signature.localId(d)})
      item.getArg(index)->addAttr(Attribute::NoUndef);
  }
}

class ItemBuilder {
public:
  ItemBuilder(Module &module, const KernelInfo &kernel, diag::Engine &diagnostics)
      : module(module), context(module.getContext()), kernel(kernel), signature(kernel),
        diagnostics(diagnostics) {}

  ItemFunction build(bool keepVariables) {
    if (!callBody())
      return {};
    if (!inlineEverything(*item, diagnostics,
                          keepVariables ? InlineMode::KeepCode : InlineMode::Simplify))
      return {};
    specialiseForGroupSize(*item, kernel.groupSize);
    replaceBuiltins();
    const std::optional<uint32_t> sharedBytes = placeSharedVariables();
    if (!sharedBytes || !checkVariables())
      return {};
    if (!keepVariables) {
      Passes passes;
      Passes::simplification().run(*item, passes.functions);
    }
    if (!checkPrivateMemory(*item, diagnostics))
      return {};
    return {item, *sharedBytes};
  }

private:
  bool callBody() {
    Function *body = module.getFunction(kernel.bodyFunction);
    if (!body || body->isDeclaration()) {
      diagnostics.report(diag::Id::kernel_without_body, kernel.position, {kernel.displayName});
      return false;
    }
    item = Function::Create(signature.itemType(context), GlobalValue::InternalLinkage,
                            kernel.symbol + ".item", module);
    item->addFnAttr(Attribute::NoUnwind);
    item->addFnAttr(Attribute::Convergent);
    describeArguments(*item, kernel, signature);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", item));
    builder.SetCurrentDebugLocation(giveDebugScope(*item, *body));
    SmallVector<Value *> buffers, sharedSpans;
    for (unsigned index = 0; index < kernel.buffers.size(); ++index)
      buffers.push_back(item->getArg(signature.buffer(index)));
    for (unsigned index = 0; index < kernel.sharedSpans.size(); ++index)
      sharedSpans.push_back(item->getArg(signature.sharedSpan(index)));
    builder
        .CreateCall(body, buildParameterObjects(builder, kernel, DeviceAbi::Host, buffers,
                                                item->getArg(signature.block()), sharedSpans))
        ->setCallingConv(body->getCallingConv());
    builder.CreateRetVoid();
    return true;
  }

  /// All but barriers.
  void replaceBuiltins() {
    for (Instruction &instruction : make_early_inc_range(instructions(*item))) {
      auto *call = dyn_cast<CallBase>(&instruction);
      std::optional<Builtin> builtin = call ? builtinCalled(*call) : std::nullopt;
      if (!builtin || *builtin == Builtin::Barrier)
        continue;
      IRBuilder<> builder(call);
      if (Value *value = valueOf(builder, *call, *builtin))
        call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }

  Value *valueOf(IRBuilder<> &builder, CallBase &call, Builtin builtin) {
    if (isSubgroupBuiltin(builtin))
      return lowerSubgroupBuiltin(builder, call, builtin, localIndex(builder), groupItems());
    if (isDotProduct(builtin))
      return expandDotProduct(builder, call, builtin);
    switch (builtin) {
    case Builtin::GroupId:
      return choose(builder, call, [&](unsigned d) { return signature.groupId(d); });
    case Builtin::LocalId:
      return choose(builder, call, [&](unsigned d) { return signature.localId(d); });
    case Builtin::NumGroups:
      return choose(builder, call, [&](unsigned d) { return signature.numGroups(d); });
    case Builtin::Fence:
      builder.CreateFence(AtomicOrdering::SequentiallyConsistent,
                          isGroupScope(call) ? SyncScope::SingleThread : SyncScope::System);
      return nullptr;
    default: // specialiseForGroupSize() has replaced GroupSize, and Barrier stays for regions
      break;
    }
    llvm_unreachable("every other builtin is replaced above");
  }

  unsigned groupItems() const {
    return kernel.groupSize[0] * kernel.groupSize[1] * kernel.groupSize[2];
  }

  /// The work-item's number in its group, counted along x first.
  Value *localIndex(IRBuilder<> &builder) {
    Value *index = item->getArg(signature.localId(2));
    for (unsigned d : {1u, 0u})
      index = builder.CreateAdd(builder.CreateMul(index, builder.getInt32(kernel.groupSize[d])),
                                item->getArg(signature.localId(d)));
    return index;
  }

  static bool isGroupScope(const CallBase &call) {
    auto *scope = dyn_cast<ConstantInt>(call.getArgOperand(0));
    return scope && scope->isZero();
  }

  template <typename IndexOf> Value *choose(IRBuilder<> &builder, CallBase &call, IndexOf indexOf) {
    Value *dimension = call.getArgOperand(0);
    if (auto *constant = dyn_cast<ConstantInt>(dimension))
      return item->getArg(indexOf(static_cast<unsigned>(constant->getLimitedValue(2))));
    Value *chosen = item->getArg(indexOf(2));
    for (unsigned d : {1u, 0u})
      chosen = builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(d)),
                                    item->getArg(indexOf(d)), chosen);
    return chosen;
  }

  /// Gives every shared variable that the kernel uses a piece of the shared argument. Nothing after
  /// a report.
  std::optional<uint32_t> placeSharedVariables() {
    const DataLayout &layout = module.getDataLayout();
    uint64_t offset = 0;
    for (GlobalVariable &variable : module.globals()) {
      if (!isSharedVariable(variable))
        continue;
      convertUsersOfConstantsToInstructions({&variable}, item, /*RemoveDeadConstants=*/false);
      if (none_of(variable.users(), [&](User *user) { return isInItem(user); }))
        continue;
      offset = alignTo(offset, layout.getPreferredAlign(&variable));
      IRBuilder<> builder(&*item->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
      Value *piece = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), item->getArg(signature.shared()), offset, variable.getName());
      variable.replaceUsesWithIf(piece, [&](Use &use) { return isInItem(use.getUser()); });
      offset = SaturatingAdd<uint64_t>(offset, layout.getTypeAllocSize(variable.getValueType()));
      if (!isUInt<32>(offset)) {
        diagnostics.report(diag::Id::cpu_too_much_memory, kernel.position,
                           {kernel.displayName, std::to_string(offset)});
        return std::nullopt;
      }
    }
    return static_cast<uint32_t>(offset);
  }

  bool isInItem(const User *user) const {
    auto *instruction = dyn_cast<Instruction>(user);
    return instruction && instruction->getFunction() == item;
  }

  /// A variable whose size isn't known can't be kept across barriers.
  bool checkVariables() {
    bool good = true;
    for (Instruction &instruction : instructions(*item))
      if (auto *variable = dyn_cast<AllocaInst>(&instruction))
        if (!variable->isStaticAlloca()) {
          diagnostics.report(diag::Id::variable_of_unknown_size, *variable);
          good = false;
        }
    return good;
  }

  Module &module;
  LLVMContext &context;
  const KernelInfo &kernel;
  GroupSignature signature;
  diag::Engine &diagnostics;
  Function *item = nullptr;
};

} // namespace

ItemFunction buildItemFunction(Module &module, const KernelInfo &kernel, bool keepVariables,
                               diag::Engine &diagnostics) {
  return ItemBuilder(module, kernel, diagnostics).build(keepVariables);
}

} // namespace khalc::cpu

//===- LaunchFunction.cpp - the CPU target's entry into a kernel -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/LaunchFunction.h"

#include "ir/ParameterObjects.h"
#include "target/cpu/GroupSignature.h"

#include "khal/abi.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <cstddef>

using namespace llvm;

namespace khalc::cpu {

namespace {

/// Emits
///   x, y, z = first_group as a position in the grid
///   for (group = first_group; group < end_group; ++group) { call group(…); step(x, y, z); }
class LaunchBuilder {
public:
  LaunchBuilder(Function &group, const KernelInfo &kernel, uint64_t contextOffset,
                uint32_t scratchBytes)
      : group(group), kernel(kernel), signature(kernel), contextOffset(contextOffset),
        scratchBytes(scratchBytes), builder(group.getContext()) {}

  Function *build(const std::string &name) {
    LLVMContext &context = builder.getContext();
    Type *pointer = builder.getPtrTy();
    Type *index = builder.getInt64Ty();
    launch = Function::Create(
        FunctionType::get(builder.getVoidTy(), {pointer, index, index, pointer}, false),
        GlobalValue::ExternalLinkage, name, *group.getParent());
    launch->setVisibility(GlobalValue::HiddenVisibility);
    launch->addFnAttr(Attribute::NoUnwind);
    describeArguments();

    BasicBlock *entry = BasicBlock::Create(context, "entry", launch);
    BasicBlock *loop = BasicBlock::Create(context, "group", launch);
    BasicBlock *done = BasicBlock::Create(context, "done", launch);
    builder.SetInsertPoint(entry);
    loadArguments();
    builder.CreateCondBr(builder.CreateICmpULT(firstGroup(), endGroup()), loop, done);

    builder.SetInsertPoint(loop);
    PHINode *current = builder.CreatePHI(index, 2, "current");
    std::array<PHINode *, 3> position;
    for (unsigned d : {0u, 1u, 2u}) {
      position[d] = builder.CreatePHI(builder.getInt32Ty(), 2);
      arguments[signature.groupId(d)] = position[d];
    }
    builder.CreateCall(&group, arguments);
    std::array<Value *, 3> next = step(position);
    Value *following = builder.CreateNUWAdd(current, builder.getInt64(1));
    builder.CreateCondBr(builder.CreateICmpULT(following, endGroup()), loop, done);

    current->addIncoming(firstGroup(), entry);
    current->addIncoming(following, loop);
    for (unsigned d : {0u, 1u, 2u}) {
      position[d]->addIncoming(start[d], entry);
      position[d]->addIncoming(next[d], loop);
    }
    ReturnInst::Create(context, done);
    return launch;
  }

private:
  Argument *firstGroup() const { return launch->getArg(1); }
  Argument *endGroup() const { return launch->getArg(2); }

  void describeArguments() {
    constexpr const char *names[] = {"launch", "first_group", "end_group", "scratch"};
    for (Argument &argument : launch->args())
      argument.setName(names[argument.getArgNo()]);
    launch->addParamAttr(0, Attribute::ReadOnly);
    launch->addParamAttr(0, Attribute::NoAlias);
    launch->addParamAttr(3, Attribute::NoAlias);
  }

  Value *loadMember(Type *type, size_t offset) {
    return builder.CreateLoad(
        type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), launch->getArg(0), offset));
  }

  void loadArguments() {
    using khal::abi::CpuLaunch;
    Type *pointer = builder.getPtrTy();
    arguments.resize(signature.groupArguments());
    Value *buffers = loadMember(pointer, offsetof(CpuLaunch, buffers));
    for (unsigned index = 0; index < kernel.buffers.size(); ++index)
      arguments[signature.buffer(index)] =
          builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, buffers, index));
    arguments[signature.block()] = loadMember(pointer, offsetof(CpuLaunch, block));
    Value *firstSpan = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), launch->getArg(3), khal::abi::shared_spans_offset(scratchBytes));
    for (auto [index, span] :
         enumerate(placeSharedSpans(builder, kernel, firstSpan, arguments[signature.block()])))
      arguments[signature.sharedSpan(index)] = span;
    Value *numGroups[3];
    for (unsigned d : {0u, 1u, 2u}) {
      numGroups[d] =
          loadMember(builder.getInt32Ty(), offsetof(CpuLaunch, num_groups) + d * sizeof(uint32_t));
      arguments[signature.numGroups(d)] = numGroups[d];
    }
    arguments[signature.shared()] = launch->getArg(3);
    arguments[signature.context()] =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), launch->getArg(3), contextOffset);
    findStart(numGroups);
  }

  /// The position of the first group: x runs fastest.
  void findStart(Value *const (&numGroups)[3]) {
    Value *rest = firstGroup();
    for (unsigned d : {0u, 1u}) {
      // An empty grid has no groups to run, but its size may still be divided by.
      Value *size = builder.CreateZExt(numGroups[d], builder.getInt64Ty());
      size = builder.CreateBinaryIntrinsic(Intrinsic::umax, size, builder.getInt64(1));
      start[d] = builder.CreateTrunc(builder.CreateURem(rest, size), builder.getInt32Ty());
      rest = builder.CreateUDiv(rest, size);
    }
    start[2] = builder.CreateTrunc(rest, builder.getInt32Ty());
  }

  std::array<Value *, 3> step(const std::array<PHINode *, 3> &position) {
    std::array<Value *, 3> next;
    Value *carry = builder.getTrue();
    for (unsigned d : {0u, 1u}) {
      Value *advanced =
          builder.CreateAdd(position[d], builder.CreateZExt(carry, builder.getInt32Ty()));
      Value *wraps = builder.CreateICmpEQ(advanced, arguments[signature.numGroups(d)]);
      next[d] = builder.CreateSelect(wraps, builder.getInt32(0), advanced);
      carry = wraps;
    }
    next[2] = builder.CreateAdd(position[2], builder.CreateZExt(carry, builder.getInt32Ty()));
    return next;
  }

  Function &group;
  const KernelInfo &kernel;
  GroupSignature signature;
  uint64_t contextOffset;
  uint32_t scratchBytes;
  IRBuilder<> builder;
  Function *launch = nullptr;
  SmallVector<Value *> arguments;
  std::array<Value *, 3> start{};
};

} // namespace

Function *buildLaunchFunction(Function &group, const KernelInfo &kernel, uint64_t contextOffset,
                              uint32_t scratchBytes, const std::string &name) {
  return LaunchBuilder(group, kernel, contextOffset, scratchBytes).build(name);
}

} // namespace khalc::cpu

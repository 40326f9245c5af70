//===- ItemLoop.cpp - the loop nest over the work-items of a group ---------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/cpu/ItemLoop.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace khalc::cpu {

ItemLoop::ItemLoop(IRBuilder<> &builder, const std::array<uint32_t, 3> &groupSize)
    : ItemLoop(
          builder, groupSize,
          {ItemRange{0, groupSize[0]}, ItemRange{0, groupSize[1]}, ItemRange{0, groupSize[2]}}) {}

ItemLoop::ItemLoop(IRBuilder<> &builder, const std::array<uint32_t, 3> &size,
                   const std::array<ItemRange, 3> &ranges)
    : ranges(ranges) {
  constexpr const char *letters[] = {"x", "y", "z"};
  Function *function = builder.GetInsertBlock()->getParent();
  for (unsigned d : {2u, 1u, 0u}) {
    if (ranges[d].isOne()) {
      ids[d] = builder.getInt32(ranges[d].first);
      continue;
    }
    BasicBlock *before = builder.GetInsertBlock();
    headers[d] = BasicBlock::Create(builder.getContext(), Twine("items.") + letters[d], function);
    builder.CreateBr(headers[d]);
    builder.SetInsertPoint(headers[d]);
    PHINode *id = builder.CreatePHI(builder.getInt32Ty(), 2, Twine("local.") + letters[d]);
    id->addIncoming(builder.getInt32(ranges[d].first), before);
    ids[d] = id;
  }
  // 64 bits wide, so that addresses are plain functions of the counters.
  auto wide = [&](unsigned d) { return builder.CreateZExt(ids[d], builder.getInt64Ty()); };
  auto scaled = [&](Value *value, uint64_t factor) {
    return builder.CreateMul(value, builder.getInt64(factor), "", /*NUW=*/true, /*NSW=*/true);
  };
  linear = builder.CreateAdd(scaled(wide(2), size[1]), wide(1), "", true, true);
  linear = builder.CreateAdd(scaled(linear, size[0]), wide(0), "item", true, true);
}

PHINode *ItemLoop::beginLatch(IRBuilder<> &builder) {
  latch = BasicBlock::Create(builder.getContext(), "items.latch",
                             builder.GetInsertBlock()->getParent());
  builder.SetInsertPoint(latch);
  return builder.CreatePHI(builder.getInt32Ty(), 2, "next.region");
}

void ItemLoop::declareIndependent(ArrayRef<Instruction *> accesses) {
  if (accesses.empty())
    return;
  accessGroup = MDNode::getDistinct(latch->getContext(), {});
  for (Instruction *access : accesses) {
    MDNode *groups = access->getMetadata(LLVMContext::MD_access_group);
    access->setMetadata(LLVMContext::MD_access_group, uniteAccessGroups(groups, accessGroup));
  }
}

void ItemLoop::finish(IRBuilder<> &builder) {
  builder.SetInsertPoint(latch);
  bool innermost = true;
  for (unsigned d : {0u, 1u, 2u}) {
    if (!headers[d])
      continue;
    BasicBlock *current = builder.GetInsertBlock();
    BasicBlock *behind =
        BasicBlock::Create(builder.getContext(), "items.done", current->getParent());
    Value *next = builder.CreateAdd(ids[d], builder.getInt32(ranges[d].step), "", /*NUW=*/true,
                                    /*NSW=*/true);
    Value *more = builder.CreateICmpULT(next, builder.getInt32(ranges[d].end));
    BranchInst *branch = builder.CreateCondBr(more, headers[d], behind);
    branch->setMetadata(LLVMContext::MD_loop, loopId(builder.getContext(), innermost));
    cast<PHINode>(ids[d])->addIncoming(next, current);
    builder.SetInsertPoint(behind);
    innermost = false;
  }
}

MDNode *ItemLoop::loopId(LLVMContext &context, bool innermost) const {
  // A loop's id is a node that names itself first, so that no two are the same.
  SmallVector<Metadata *> parts{nullptr};
  if (accessGroup && innermost)
    parts.push_back(
        MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), accessGroup}));
  MDNode *id = MDNode::getDistinct(context, parts);
  id->replaceOperandWith(0, id);
  return id;
}

} // namespace khalc::cpu

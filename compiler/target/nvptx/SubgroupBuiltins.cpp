//===- SubgroupBuiltins.cpp - subgroups as warps ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "target/nvptx/SubgroupBuiltins.h"

#include "khal/kernel/combine.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;
using khal::detail::Shuffle;

namespace khalc::nvptx {

namespace {

constexpr unsigned warpSize = 32;
// shfl's third operand: the last lane to read from, or for "up" the first (PTX ISA, shfl.sync).
constexpr uint32_t wholeWarp = 31;
constexpr uint32_t wholeWarpUp = 0;

class WarpBuilder {
public:
  explicit WarpBuilder(IRBuilderBase &builder) : builder(builder) {}

  /// The lanes that execute this together. The .sync instructions wait for those that their mask
  /// names, which must all come.
  Value *activeLanes() { return builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {}); }

  Value *lane() {
    CallInst *read = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
    read->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, warpSize)));
    return read;
  }

  Value *isSet(Value *predicate) { return builder.CreateICmpNE(predicate, builder.getInt32(0)); }

  Value *vote(Intrinsic::ID intrinsic, Value *predicate) {
    Value *result = builder.CreateIntrinsic(intrinsic, {activeLanes(), isSet(predicate)});
    return builder.CreateZExt(result, builder.getInt32Ty());
  }

  Value *ballot(Value *predicate, Value *word) {
    Value *bits = builder.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync,
                                          {activeLanes(), isSet(predicate)});
    return builder.CreateSelect(builder.CreateICmpEQ(word, builder.getInt32(0)), bits,
                                builder.getInt32(0));
  }

  /// True in the lowest active lane.
  Value *elect() {
    Value *first = builder.CreateBinaryIntrinsic(Intrinsic::cttz, activeLanes(), builder.getTrue());
    return builder.CreateZExt(builder.CreateICmpEQ(first, lane()), builder.getInt32Ty());
  }

  Value *shuffle(Shuffle mode, Value *value, Value *operand) {
    switch (mode) {
    case Shuffle::from_lane:
      return shuffle(Intrinsic::nvvm_shfl_sync_idx_i32, value, operand, wholeWarp);
    case Shuffle::from_xor:
      return shuffle(Intrinsic::nvvm_shfl_sync_bfly_i32, value, operand, wholeWarp);
    case Shuffle::from_below:
      return shuffle(Intrinsic::nvvm_shfl_sync_up_i32, value, operand, wholeWarpUp);
    case Shuffle::from_above:
      return shuffle(Intrinsic::nvvm_shfl_sync_down_i32, value, operand, wholeWarp);
    }
    llvm_unreachable("every mode is above");
  }

private:
  Value *shuffle(Intrinsic::ID intrinsic, Value *value, Value *operand, uint32_t limit) {
    return builder.CreateIntrinsic(intrinsic,
                                   {activeLanes(), value, operand, builder.getInt32(limit)});
  }

  IRBuilderBase &builder;
};

} // namespace

Value *lowerSubgroupBuiltin(IRBuilderBase &builder, CallBase &call, Builtin builtin,
                            const KernelInfo &kernel, function_ref<Value *()> localIndex) {
  WarpBuilder warp(builder);
  switch (builtin) {
  case Builtin::SubgroupSize:
    return builder.getInt32(warpSize);
  case Builtin::SubgroupLane:
    return warp.lane();
  case Builtin::SubgroupId:
    return builder.CreateUDiv(localIndex(), builder.getInt32(warpSize));
  case Builtin::NumSubgroups: {
    const uint32_t items = kernel.groupSize[0] * kernel.groupSize[1] * kernel.groupSize[2];
    return builder.getInt32((items + warpSize - 1) / warpSize);
  }
  case Builtin::SubgroupElect:
    return warp.elect();
  case Builtin::SubgroupAny:
    return warp.vote(Intrinsic::nvvm_vote_any_sync, call.getArgOperand(0));
  case Builtin::SubgroupAll:
    return warp.vote(Intrinsic::nvvm_vote_all_sync, call.getArgOperand(0));
  case Builtin::SubgroupBallot:
    return warp.ballot(call.getArgOperand(0), call.getArgOperand(1));
  case Builtin::SubgroupShuffle: {
    const uint64_t mode = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
    return warp.shuffle(static_cast<Shuffle>(mode), call.getArgOperand(1), call.getArgOperand(2));
  }
  case Builtin::SubgroupBarrier:
    builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {warp.activeLanes()});
    return nullptr;
  default:
    llvm_unreachable("no subgroup builtin, or one that no header calls for this target");
  }
}

} // namespace khalc::nvptx

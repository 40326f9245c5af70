//===- Uniformity.cpp - which values the work-items of a group agree on -----------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "ir/Uniformity.h"

#include "ir/Builtins.h"

#include "khal/kernel/combine.hpp"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;
using khal::detail::CombineOver;

namespace khalc {

namespace {

using Conditions = SmallPtrSet<const Value *, 8>;

/// Whether anything is stored to the object, here by its address or one made of it.
bool isWritten(const Value &object) {
  SmallVector<const Value *, 16> open{&object};
  while (!open.empty())
    for (const User *user : open.pop_back_val()->users()) {
      if (isa<StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(user))
        return true;
      if (isa<GEPOperator>(user))
        open.push_back(user);
    }
  return false;
}

/// What LLVM's analysis asks of a target, answered for khal's abstract machine.
class Rules : public TargetTransformInfoImplBase {
public:
  Rules(const DataLayout &layout, Unknown unknown, Among among, Conditions sameRound,
        ArrayRef<const Argument *> divergent)
      : TargetTransformInfoImplBase(layout), unknown(unknown), among(among),
        sameRound(std::move(sameRound)), divergent(divergent.begin(), divergent.end()) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value *value) const override {
    if (sameRound.contains(value))
      return InstructionUniformity::AlwaysUniform;
    if (const auto *argument = dyn_cast<Argument>(value))
      return is_contained(divergent, argument) ? InstructionUniformity::NeverUniform
                                               : InstructionUniformity::Default;
    // Each work-item gets another old value.
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(value))
      return InstructionUniformity::NeverUniform;
    if (isa<AllocaInst>(value))
      return ofUnknown();
    if (const auto *load = dyn_cast<LoadInst>(value))
      return ofLoad(*load);
    if (const auto *call = dyn_cast<CallBase>(value))
      return ofCall(*call);
    return InstructionUniformity::Default;
  }

private:
  InstructionUniformity ofUnknown() const {
    return unknown == Unknown::Uniform ? InstructionUniformity::Default
                                       : InstructionUniformity::NeverUniform;
  }

  InstructionUniformity ofLoad(const LoadInst &load) const {
    const Value *object = getUnderlyingObject(load.getPointerOperand(), 0);
    if (!load.isSimple() || isa<AllocaInst>(object))
      return ofUnknown();
    if (unknown == Unknown::AsInWgsl && isWritten(*object))
      return ofUnknown();
    return InstructionUniformity::Default;
  }

  InstructionUniformity ofCall(const CallBase &call) const {
    if (const std::optional<Builtin> builtin = builtinCalled(call))
      return among == Among::Group ? ofBuiltin(*builtin) : amongLanes(call, *builtin);
    const bool isFunctionOfOperands = !call.isInlineAsm() && call.doesNotAccessMemory();
    return isFunctionOfOperands ? InstructionUniformity::Default : ofUnknown();
  }

  InstructionUniformity ofBuiltin(Builtin builtin) const {
    switch (builtin) {
    case Builtin::LocalId:
    case Builtin::SubgroupLane:
    case Builtin::SubgroupId:
    case Builtin::SubgroupElect:
      return InstructionUniformity::NeverUniform;
    case Builtin::GroupId:
    case Builtin::NumGroups:
    case Builtin::GroupSize:
    case Builtin::SubgroupSize:
    case Builtin::NumSubgroups:
    case Builtin::Dot4Signed:
    case Builtin::Dot4Unsigned:
    case Builtin::Dot4Mixed:
      return InstructionUniformity::Default;
    case Builtin::SubgroupAny:
    case Builtin::SubgroupAll:
    case Builtin::SubgroupBallot:
    case Builtin::SubgroupShuffle:
    case Builtin::SubgroupCombineU32:
    case Builtin::SubgroupCombineI32:
    case Builtin::SubgroupCombineU64:
    case Builtin::SubgroupCombineI64:
    case Builtin::SubgroupCombineF32:
    case Builtin::SubgroupCombineF64:
      return ofUnknown(); // one value a subgroup, perhaps, but of a group there may be several
    case Builtin::Barrier:
    case Builtin::Fence:
    case Builtin::SubgroupBarrier:
      return InstructionUniformity::AlwaysUniform; // they give nothing
    }
    llvm_unreachable("every builtin is in Builtins.def");
  }

  InstructionUniformity amongLanes(const CallBase &call, Builtin builtin) const {
    switch (builtin) {
    case Builtin::SubgroupId:
      return InstructionUniformity::Default;
    case Builtin::SubgroupAny:
    case Builtin::SubgroupAll:
    case Builtin::SubgroupBallot:
      return InstructionUniformity::AlwaysUniform;
    case Builtin::SubgroupCombineU32:
    case Builtin::SubgroupCombineI32:
    case Builtin::SubgroupCombineU64:
    case Builtin::SubgroupCombineI64:
    case Builtin::SubgroupCombineF32:
    case Builtin::SubgroupCombineF64:
      return isConstant(call.getArgOperand(1), CombineOver::all)
                 ? InstructionUniformity::AlwaysUniform
                 : ofBuiltin(builtin);
    default:
      return ofBuiltin(builtin);
    }
  }

  template <class Enum> static bool isConstant(const Value *value, Enum expected) {
    const auto *number = dyn_cast<ConstantInt>(value);
    return number && number->equalsInt(static_cast<uint64_t>(expected));
  }

  const Unknown unknown;
  const Among among;
  const Conditions sameRound;
  const SmallVector<const Argument *, 3> divergent;
};

/// Conditions of the exits that all work-items take in the same round of their loop, whatever they
/// start from: `for (i = local_id().x; i < 256; i += 64)` with 64 work-items goes 4 rounds in each.
Conditions exitsInSameRound(Function &function, FunctionAnalysisManager &analyses) {
  Conditions conditions;
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty())
    return conditions;
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (BasicBlock *block : exiting) {
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch)
        continue;
      const SCEV *rounds = evolution.getExitCount(loop, block);
      if (!isa<SCEVCouldNotCompute>(rounds) && evolution.getUnsignedRange(rounds).isSingleElement())
        conditions.insert(branch->getCondition());
    }
  }
  return conditions;
}

} // namespace

Uniformity::Uniformity(Function &function, FunctionAnalysisManager &analyses, Unknown unknown,
                       Among among, ArrayRef<const Argument *> divergent) {
  const Conditions sameRound =
      unknown == Unknown::AsInWgsl ? Conditions() : exitsInSameRound(function, analyses);
  own.registerPass([] { return PassInstrumentationAnalysis(); });
  own.registerPass([] { return DominatorTreeAnalysis(); });
  own.registerPass([] { return CycleAnalysis(); });
  own.registerPass([&] {
    return TargetIRAnalysis(
        [unknown, among, sameRound,
         divergent = SmallVector<const Argument *, 3>(divergent)](const Function &of) {
          return TargetTransformInfo(
              std::make_unique<Rules>(of.getDataLayout(), unknown, among, sameRound, divergent));
        });
  });
  own.registerPass([] { return UniformityInfoAnalysis(); });
  info = &own.getResult<UniformityInfoAnalysis>(function);
}

} // namespace khalc

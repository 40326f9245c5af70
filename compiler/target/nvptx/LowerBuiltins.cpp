//===- LowerBuiltins.cpp - device builtins and atomics in PTX's terms -------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "target/nvptx/LowerBuiltins.h"

#include "ir/Builtins.h"
#include "target/nvptx/SubgroupBuiltins.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace khalc::nvptx {

namespace {

/// A special register with three dimensions.
struct Registers {
  std::array<Intrinsic::ID, 3> read;
  std::array<uint32_t, 3> first; ///< least value
  std::array<uint32_t, 3> end;   ///< one past the greatest
};

// CUDA's limits on a grid; a launch that breaks them fails.
constexpr uint32_t maxGroupsX = 0x7fffffff;
constexpr uint32_t maxGroupsYZ = 65535;

Registers localId(const KernelInfo &kernel) {
  return {{Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
           Intrinsic::nvvm_read_ptx_sreg_tid_z},
          {0, 0, 0},
          kernel.groupSize};
}

Registers groupId() {
  return {{Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
           Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
          {0, 0, 0},
          {maxGroupsX, maxGroupsYZ, maxGroupsYZ}};
}

Registers numGroups() {
  return {{Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
           Intrinsic::nvvm_read_ptx_sreg_nctaid_z},
          {1, 1, 1},
          {maxGroupsX + 1, maxGroupsYZ + 1, maxGroupsYZ + 1}};
}

class Lowering {
public:
  Lowering(Function &entry, const KernelInfo &kernel)
      : entry(entry), kernel(kernel), context(entry.getContext()),
        workgroup(context.getOrInsertSyncScopeID("workgroup")),
        block(context.getOrInsertSyncScopeID("block")) {}

  void run() {
    for (Instruction &instruction : make_early_inc_range(instructions(entry))) {
      if (std::optional<SyncScope::ID> scope = getAtomicSyncScopeID(&instruction))
        if (*scope == workgroup)
          setAtomicSyncScopeID(&instruction, block);
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (std::optional<Builtin> builtin = builtinCalled(*call))
          lower(*call, *builtin);
    }
  }

private:
  void lower(CallBase &call, Builtin builtin) {
    IRBuilder<> builder(&call);
    if (Value *replacement = emit(builder, call, builtin))
      call.replaceAllUsesWith(replacement);
    call.eraseFromParent();
  }

  Value *emit(IRBuilder<> &builder, CallBase &call, Builtin builtin) {
    switch (builtin) {
    case Builtin::LocalId:
      return readAny(builder, localId(kernel), call.getArgOperand(0));
    case Builtin::GroupId:
      return readAny(builder, groupId(), call.getArgOperand(0));
    case Builtin::NumGroups:
      return readAny(builder, numGroups(), call.getArgOperand(0));
    case Builtin::GroupSize:
      return chooseDimension(builder, call.getArgOperand(0), [&](unsigned dimension) {
        return builder.getInt32(kernel.groupSize[dimension]);
      });
    case Builtin::Barrier:
      builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {},
                              {builder.getInt32(0)});
      return nullptr;
    case Builtin::Fence:
      builder.CreateIntrinsic(isGroupScope(call.getArgOperand(0)) ? Intrinsic::nvvm_membar_cta
                                                                  : Intrinsic::nvvm_membar_gl,
                              {});
      return nullptr;
    case Builtin::Dot4Signed:
      return dotProduct(builder, call, Intrinsic::nvvm_idp4a_s_s);
    case Builtin::Dot4Unsigned:
      return dotProduct(builder, call, Intrinsic::nvvm_idp4a_u_u);
    case Builtin::Dot4Mixed:
      return dotProduct(builder, call, Intrinsic::nvvm_idp4a_u_s);
    default:
      return lowerSubgroupBuiltin(builder, call, builtin, kernel,
                                  [&] { return localIndex(builder); });
    }
  }

  /// dp4a, which every architecture that PTX is made for has.
  static Value *dotProduct(IRBuilder<> &builder, CallBase &call, Intrinsic::ID intrinsic) {
    return builder.CreateIntrinsic(
        intrinsic, {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
  }

  /// The work-item's number in its group, counted along x first.
  Value *localIndex(IRBuilder<> &builder) {
    Value *index = readAny(builder, localId(kernel), builder.getInt32(2));
    for (unsigned d : {1u, 0u})
      index = builder.CreateAdd(builder.CreateMul(index, builder.getInt32(kernel.groupSize[d])),
                                readAny(builder, localId(kernel), builder.getInt32(d)));
    return index;
  }

  /// A scope known only at run time gets the stronger fence.
  static bool isGroupScope(Value *scope) {
    auto *constant = dyn_cast<ConstantInt>(scope);
    return constant && constant->isZero();
  }

  static Value *readAny(IRBuilder<> &builder, const Registers &registers, Value *dimension) {
    return chooseDimension(builder, dimension, [&](unsigned d) -> Value * {
      if (registers.end[d] - registers.first[d] == 1)
        return builder.getInt32(registers.first[d]);
      CallInst *read = builder.CreateIntrinsic(registers.read[d], {});
      read->addRangeRetAttr(
          ConstantRange(APInt(32, registers.first[d]), APInt(32, registers.end[d])));
      read->addRetAttr(Attribute::NoUndef);
      return read;
    });
  }

  /// `value(d)` of the dimension asked for; one out of range counts as the last.
  template <typename ValueOf>
  static Value *chooseDimension(IRBuilder<> &builder, Value *dimension, ValueOf value) {
    if (auto *constant = dyn_cast<ConstantInt>(dimension))
      return value(static_cast<unsigned>(constant->getLimitedValue(2)));
    Value *chosen = value(2);
    for (unsigned d : {1u, 0u})
      chosen = builder.CreateSelect(builder.CreateICmpEQ(dimension, builder.getInt32(d)), value(d),
                                    chosen);
    return chosen;
  }

  Function &entry;
  const KernelInfo &kernel;
  LLVMContext &context;
  SyncScope::ID workgroup;
  SyncScope::ID block;
};

} // namespace

void lowerBuiltins(Function &entry, const KernelInfo &kernel) {
  Lowering(entry, kernel).run();
}

} // namespace khalc::nvptx

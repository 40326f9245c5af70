//===- SubgroupWriter.cpp - subgroup builtins in SPIR-V ---------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#include "shader/spirv/InstructionWriter.h"

#include "ir/Builtins.h"

#include "khal/abi.h"
#include "khal/kernel/combine.hpp"

#include "llvm/IR/Constants.h"

using namespace llvm;
using khal::detail::Combine;
using khal::detail::CombineOver;
using khal::detail::Shuffle;

namespace khalc::spirv {

namespace {

struct Operations {
  spv::Op onSigned, onUnsigned, onFloat;
};

Operations operationsFor(Combine operation) {
  switch (operation) {
  case Combine::add:
    return {spv::OpGroupNonUniformIAdd, spv::OpGroupNonUniformIAdd, spv::OpGroupNonUniformFAdd};
  case Combine::multiply:
    return {spv::OpGroupNonUniformIMul, spv::OpGroupNonUniformIMul, spv::OpGroupNonUniformFMul};
  case Combine::minimum:
    return {spv::OpGroupNonUniformSMin, spv::OpGroupNonUniformUMin, spv::OpGroupNonUniformFMin};
  case Combine::maximum:
    return {spv::OpGroupNonUniformSMax, spv::OpGroupNonUniformUMax, spv::OpGroupNonUniformFMax};
  case Combine::bit_and:
    return {spv::OpGroupNonUniformBitwiseAnd, spv::OpGroupNonUniformBitwiseAnd, spv::OpNop};
  case Combine::bit_or:
    return {spv::OpGroupNonUniformBitwiseOr, spv::OpGroupNonUniformBitwiseOr, spv::OpNop};
  case Combine::bit_xor:
    return {spv::OpGroupNonUniformBitwiseXor, spv::OpGroupNonUniformBitwiseXor, spv::OpNop};
  }
  return {spv::OpNop, spv::OpNop, spv::OpNop};
}

spv::GroupOperation rangeFor(CombineOver range) {
  switch (range) {
  case CombineOver::inclusive:
    return spv::GroupOperationInclusiveScan;
  case CombineOver::exclusive:
    return spv::GroupOperationExclusiveScan;
  default:
    return spv::GroupOperationReduce;
  }
}

/// An argument that is a constant in all code that khal's headers make.
std::optional<uint64_t> constantArgument(const CallInst &call, unsigned index) {
  auto *constant = dyn_cast<ConstantInt>(call.getArgOperand(index));
  return constant ? std::optional(constant->getZExtValue()) : std::nullopt;
}

constexpr const char *notConstant = "use the functions of khal/kernel/subgroup.hpp";

} // namespace

Id InstructionWriter::isSet(const Value *predicate) {
  return builder.emit(spv::OpINotEqual, builder.boolType(), {value(predicate), builder.u32(0)});
}

Id InstructionWriter::yesOrNo(Id condition) {
  return builder.emit(spv::OpSelect, builder.intType(32),
                      {condition, builder.u32(1), builder.u32(0)});
}

Id InstructionWriter::vote(spv::Op op, CallInst &call) {
  types.require(spv::CapabilityGroupNonUniformVote, khal::abi::feature_subgroups);
  return yesOrNo(builder.emit(op, builder.boolType(),
                              {builder.u32(spv::ScopeSubgroup), isSet(call.getArgOperand(0))}));
}

Id InstructionWriter::ballot(CallInst &call) {
  std::optional<uint64_t> word = constantArgument(call, 1);
  if (!word)
    return unsupported(call, "a word of a ballot chosen at run time", notConstant);
  types.require(spv::CapabilityGroupNonUniformBallot, khal::abi::feature_subgroups);
  Id words = builder.emit(spv::OpGroupNonUniformBallot, builder.vectorType(builder.intType(32), 4),
                          {builder.u32(spv::ScopeSubgroup), isSet(call.getArgOperand(0))});
  return builder.emit(spv::OpCompositeExtract, builder.intType(32),
                      {words, static_cast<uint32_t>(*word)});
}

Id InstructionWriter::shuffle(CallInst &call) {
  std::optional<uint64_t> mode = constantArgument(call, 0);
  if (!mode)
    return unsupported(call, "a kind of shuffle chosen at run time", notConstant);
  auto emit = [&](spv::Op op, spv::Capability capability) {
    types.require(capability, khal::abi::feature_subgroups);
    return builder.emit(op, builder.intType(32),
                        {builder.u32(spv::ScopeSubgroup), value(call.getArgOperand(1)),
                         value(call.getArgOperand(2))});
  };
  switch (static_cast<Shuffle>(*mode)) {
  case Shuffle::from_lane:
    return emit(spv::OpGroupNonUniformShuffle, spv::CapabilityGroupNonUniformShuffle);
  case Shuffle::from_xor:
    return emit(spv::OpGroupNonUniformShuffleXor, spv::CapabilityGroupNonUniformShuffle);
  case Shuffle::from_below:
    return emit(spv::OpGroupNonUniformShuffleUp, spv::CapabilityGroupNonUniformShuffleRelative);
  case Shuffle::from_above:
    return emit(spv::OpGroupNonUniformShuffleDown, spv::CapabilityGroupNonUniformShuffleRelative);
  }
  return visitInstruction(call);
}

Id InstructionWriter::combine(CallInst &call, bool isSigned) {
  std::optional<uint64_t> operation = constantArgument(call, 0);
  std::optional<uint64_t> range = constantArgument(call, 1);
  if (!operation || !range)
    return unsupported(call, "a subgroup operation chosen at run time", notConstant);
  Type *type = call.getType();
  Operations operations = operationsFor(static_cast<Combine>(*operation));
  spv::Op op = type->isFloatingPointTy() ? operations.onFloat
               : isSigned                ? operations.onSigned
                                         : operations.onUnsigned;
  if (op == spv::OpNop)
    return visitInstruction(call);
  types.require(spv::CapabilityGroupNonUniformArithmetic, khal::abi::feature_subgroups);
  if (type->isIntegerTy(64)) // VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures
    types.require(spv::CapabilityGroupNonUniformArithmetic, khal::abi::feature_subgroup_int64);
  return builder.emit(op, types.type(type),
                      {builder.u32(spv::ScopeSubgroup),
                       static_cast<uint32_t>(rangeFor(static_cast<CombineOver>(*range))),
                       value(call.getArgOperand(2))});
}

Id InstructionWriter::subgroup(CallInst &call) {
  types.require(spv::CapabilityGroupNonUniform, khal::abi::feature_subgroups);
  switch (*builtinCalled(call)) {
  case Builtin::SubgroupSize:
    return resources.loadScalarInput(spv::BuiltInSubgroupSize);
  case Builtin::SubgroupLane:
    return resources.loadScalarInput(spv::BuiltInSubgroupLocalInvocationId);
  case Builtin::SubgroupId:
    return resources.loadScalarInput(spv::BuiltInSubgroupId);
  case Builtin::NumSubgroups:
    return resources.loadScalarInput(spv::BuiltInNumSubgroups);
  case Builtin::SubgroupElect:
    return yesOrNo(builder.emit(spv::OpGroupNonUniformElect, builder.boolType(),
                                {builder.u32(spv::ScopeSubgroup)}));
  case Builtin::SubgroupAny:
    return vote(spv::OpGroupNonUniformAny, call);
  case Builtin::SubgroupAll:
    return vote(spv::OpGroupNonUniformAll, call);
  case Builtin::SubgroupBallot:
    return ballot(call);
  case Builtin::SubgroupShuffle:
    return shuffle(call);
  case Builtin::SubgroupCombineI32:
  case Builtin::SubgroupCombineI64:
    return combine(call, /*isSigned=*/true);
  case Builtin::SubgroupCombineU32:
  case Builtin::SubgroupCombineU64:
  case Builtin::SubgroupCombineF32:
  case Builtin::SubgroupCombineF64:
    return combine(call, /*isSigned=*/false);
  case Builtin::SubgroupBarrier:
    builder.emit(spv::OpControlBarrier,
                 {builder.u32(spv::ScopeSubgroup), builder.u32(spv::ScopeSubgroup),
                  builder.u32(uint32_t(spv::MemorySemanticsAcquireReleaseMask) |
                              uint32_t(spv::MemorySemanticsUniformMemoryMask) |
                              uint32_t(spv::MemorySemanticsWorkgroupMemoryMask))});
    return 0;
  default:
    return visitInstruction(call);
  }
}

} // namespace khalc::spirv

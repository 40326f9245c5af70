//===- Subgroups.cpp - subgroup builtins in WGSL ----------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What WGSL has none of is put together before; see target/shader/ExpandSubgroups.h.
//
//===------------------------------------------------------------------------------------------===//
#include "shader/wgsl/Expressions.h"

#include "ir/Builtins.h"

#include "khal/kernel/combine.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using khal::detail::Combine;
using khal::detail::CombineOver;
using khal::detail::Shuffle;

namespace khalc::wgsl {

namespace {

constexpr const char *notConstant = "use the functions of khal/kernel/subgroup.hpp";

std::string yesOrNo(const std::string &condition) {
  return "select(0u, 1u, " + condition + ")";
}

const char *wordFor(Shuffle mode) {
  switch (mode) {
  case Shuffle::from_lane:
    return "subgroupShuffle";
  case Shuffle::from_xor:
    return "subgroupShuffleXor";
  case Shuffle::from_below:
    return "subgroupShuffleUp";
  case Shuffle::from_above:
    return "subgroupShuffleDown";
  }
  return nullptr;
}

const char *wordFor(Combine operation) {
  switch (operation) {
  case Combine::add:
    return "Add";
  case Combine::multiply:
    return "Mul";
  case Combine::minimum:
    return "Min";
  case Combine::maximum:
    return "Max";
  case Combine::bit_and:
    return "And";
  case Combine::bit_or:
    return "Or";
  case Combine::bit_xor:
    return "Xor";
  }
  return nullptr;
}

const char *wordFor(CombineOver range) {
  switch (range) {
  case CombineOver::all:
    return "subgroup";
  case CombineOver::inclusive:
    return "subgroupInclusive";
  case CombineOver::exclusive:
    return "subgroupExclusive";
  }
  return nullptr;
}

/// An argument that is a constant in all code that khal's headers make.
template <class Enum> std::optional<Enum> constantArgument(const CallInst &call, unsigned index) {
  auto *constant = dyn_cast<ConstantInt>(call.getArgOperand(index));
  return constant ? std::optional(static_cast<Enum>(constant->getZExtValue())) : std::nullopt;
}

} // namespace

std::string Expressions::shuffle(CallInst &call) {
  const auto mode = constantArgument<Shuffle>(call, 0);
  if (!mode)
    return unsupported(call, "a kind of shuffle chosen at run time", notConstant);
  return std::string(wordFor(*mode)) + "(" + whole(call.getArgOperand(1)) + ", " +
         whole(call.getArgOperand(2)) + ")";
}

std::string Expressions::combine(CallInst &call, bool isSigned) {
  const auto operation = constantArgument<Combine>(call, 0);
  const auto range = constantArgument<CombineOver>(call, 1);
  if (!operation || !range)
    return unsupported(call, "a subgroup operation chosen at run time", notConstant);
  const std::string function = std::string(wordFor(*range)) + wordFor(*operation);
  const Value *value = call.getArgOperand(2);
  const bool isOrder = *operation == Combine::minimum || *operation == Combine::maximum;
  if (isSigned && isOrder)
    return "u32(" + function + "(" + signedOperand(value) + "))";
  return function + "(" + whole(value) + ")";
}

std::string Expressions::subgroup(CallInst &call) {
  hasSubgroups = true;
  const auto isSet = [&] { return operand(call.getArgOperand(0)) + " != 0u"; };
  switch (*builtinCalled(call)) {
  case Builtin::SubgroupSize:
    return resources.input("subgroup_size");
  case Builtin::SubgroupLane:
    return resources.input("subgroup_invocation_id");
  case Builtin::SubgroupElect:
    return yesOrNo("subgroupElect()");
  case Builtin::SubgroupAny:
    return yesOrNo("subgroupAny(" + isSet() + ")");
  case Builtin::SubgroupAll:
    return yesOrNo("subgroupAll(" + isSet() + ")");
  case Builtin::SubgroupBallot:
    if (const auto word = constantArgument<uint32_t>(call, 1))
      return "subgroupBallot(" + isSet() + ")[" + utostr(*word) + "u]";
    return unsupported(call, "a word of a ballot chosen at run time", notConstant);
  case Builtin::SubgroupShuffle:
    return shuffle(call);
  case Builtin::SubgroupCombineI32:
    return combine(call, /*isSigned=*/true);
  case Builtin::SubgroupCombineU32:
  case Builtin::SubgroupCombineF32:
    return combine(call, /*isSigned=*/false);
  default:
    return unsupported(call, "'" + call.getCalledFunction()->getName().str() + "'",
                       "it has no form in WGSL");
  }
}

} // namespace khalc::wgsl

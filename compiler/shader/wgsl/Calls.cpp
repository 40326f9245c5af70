//===- Calls.cpp - builtins and intrinsics in WGSL ------------------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/wgsl/Expressions.h"

#include "ir/Builtins.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace khalc::wgsl {

namespace {

std::string arcTangentOf(const std::string &y, const std::string &x) {
  const auto isNegative = [](const std::string &number) {
    return "((bitcast<u32>(" + number + ") >> 31u) != 0u)";
  };
  const std::string pi = "select(3.1415927f, -3.1415927f, " + isNegative(y) + ")";
  return "select(atan2(" + y + ", " + x + "), select(" + y + ", " + pi + ", " + isNegative(x) +
         "), (" + x + " == 0.0f) & (" + y + " == 0.0f))";
}

} // namespace

std::string Expressions::visitCallInst(CallInst &call) {
  if (auto *known = dyn_cast<IntrinsicInst>(&call))
    return intrinsic(*known);
  const Function *callee = call.getCalledFunction();
  const StringRef name = callee ? callee->getName() : "";
  if (name == shader::bufferOffsetFunction)
    return resources.bufferOffset(
        static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue()));
  if (name == shader::halfFromBitsFunction)
    return "bitcast<vec2<f16>>(" + whole(call.getArgOperand(0)) + ").x";
  if (name == shader::bitsFromHalfFunction)
    return "bitcast<u32>(vec2<f16>(" + whole(call.getArgOperand(0)) + ", 0h))";
  if (builtinCalled(call))
    return builtin(call);
  return unsupported(call, callee ? "'" + name.str() + "'" : "a call through a pointer",
                     "it has no form on this target yet");
}

std::string Expressions::inputComponent(StringRef input, const Value *dimension) {
  const std::string name = resources.input(input);
  if (auto *constant = dyn_cast<ConstantInt>(dimension); constant && constant->getZExtValue() < 3)
    return name + "." + "xyz"[constant->getZExtValue()];
  return name + "[" + whole(dimension) + "]";
}

std::string Expressions::groupSizeComponent(const Value *dimension) {
  const auto &size = kernel.groupSize;
  return "vec3<u32>(" + utostr(size[0]) + "u, " + utostr(size[1]) + "u, " + utostr(size[2]) +
         "u)[" + whole(dimension) + "]";
}

std::string Expressions::builtin(CallInst &call) {
  switch (*builtinCalled(call)) {
  case Builtin::GroupId:
    return inputComponent("workgroup_id", call.getArgOperand(0));
  case Builtin::LocalId:
    return inputComponent("local_invocation_id", call.getArgOperand(0));
  case Builtin::NumGroups:
    return inputComponent("num_workgroups", call.getArgOperand(0));
  case Builtin::GroupSize:
    return groupSizeComponent(call.getArgOperand(0));
  case Builtin::Barrier:
    // Each orders one kind of memory; both wait for the work-group.
    if (!resources.sharesStorage() || call.hasFnAttr(shader::sharedOnlyAttribute))
      return "workgroupBarrier()";
    return resources.sharesWorkgroupMemory() ? "workgroupBarrier();\nstorageBarrier()"
                                             : "storageBarrier()";
  default: // a fence is refused before; see target/shader/Capabilities.h
    return subgroup(call);
  }
}

std::string Expressions::function(const char *name, const CallInst &call) {
  std::string text = std::string(name) + "(";
  for (unsigned i = 0; i < call.arg_size(); ++i)
    text += (i ? ", " : "") + whole(call.getArgOperand(i));
  return text + ")";
}

/// WGSL leaves atan2(0, 0) open; in C it is y for x = +0 and pi with y's sign for x = -0.
std::string Expressions::arcTangent(const CallInst &call) {
  const std::string y = operand(call.getArgOperand(0)), x = operand(call.getArgOperand(1));
  if (call.getType()->isHalfTy())
    return "f16(" + arcTangentOf("f32(" + y + ")", "f32(" + x + ")") + ")";
  return arcTangentOf(y, x);
}

/// C's fmin and fmax: the number when the other is NaN, which WGSL leaves open.
std::string Expressions::numberOf(const char *name, const CallInst &call) {
  const Value *a = call.getArgOperand(0), *b = call.getArgOperand(1);
  std::string text = function(name, call);
  if (call.hasNoNaNs())
    return text;
  if (!isa<Constant>(b))
    text = "select(" + text + ", " + whole(a) + ", " + isNan(b) + ")";
  if (!isa<Constant>(a))
    text = "select(" + text + ", " + whole(b) + ", " + isNan(a) + ")";
  return text;
}

std::string Expressions::intrinsic(IntrinsicInst &call) {
  const auto asSigned = [&](const char *name) {
    std::string text = std::string(name) + "(" + signedOperand(call.getArgOperand(0));
    if (call.getIntrinsicID() != Intrinsic::abs)
      text += ", " + signedOperand(call.getArgOperand(1));
    return "u32(" + text + "))";
  };
  const auto ofFirst = [&](const char *name) {
    return std::string(name) + "(" + whole(call.getArgOperand(0)) + ")";
  };
  switch (call.getIntrinsicID()) {
  case Intrinsic::umin:
    return function("min", call);
  case Intrinsic::umax:
    return function("max", call);
  case Intrinsic::smin:
    return asSigned("min");
  case Intrinsic::smax:
    return asSigned("max");
  case Intrinsic::abs:
    return asSigned("abs");
  case Intrinsic::ctpop:
    return ofFirst("countOneBits");
  case Intrinsic::ctlz:
    return ofFirst("countLeadingZeros");
  case Intrinsic::cttz:
    return ofFirst("countTrailingZeros");
  case Intrinsic::bitreverse:
    return ofFirst("reverseBits");
  case Intrinsic::fabs:
    return ofFirst("abs");
  case Intrinsic::floor:
    return ofFirst("floor");
  case Intrinsic::ceil:
    return ofFirst("ceil");
  case Intrinsic::trunc:
    return ofFirst("trunc");
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return ofFirst("round"); // halves to even
  case Intrinsic::sqrt:
    return ofFirst("sqrt");
  case Intrinsic::fma:
    return function("fma", call);
  case Intrinsic::fmuladd:
    return "((" + operand(call.getArgOperand(0)) + " * " + operand(call.getArgOperand(1)) + ") + " +
           operand(call.getArgOperand(2)) + ")";
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return numberOf("min", call);
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return numberOf("max", call);
  case Intrinsic::sin:
    return ofFirst("sin");
  case Intrinsic::cos:
    return ofFirst("cos");
  case Intrinsic::tan:
    return ofFirst("tan");
  case Intrinsic::asin:
    return ofFirst("asin");
  case Intrinsic::acos:
    return ofFirst("acos");
  case Intrinsic::atan:
    return ofFirst("atan");
  case Intrinsic::atan2:
    return arcTangent(call);
  case Intrinsic::sinh:
    return ofFirst("sinh");
  case Intrinsic::cosh:
    return ofFirst("cosh");
  case Intrinsic::tanh:
    return ofFirst("tanh");
  case Intrinsic::exp:
    return ofFirst("exp");
  case Intrinsic::exp2:
    return ofFirst("exp2");
  case Intrinsic::log:
    return ofFirst("log");
  case Intrinsic::log2:
    return ofFirst("log2");
  case Intrinsic::trap:
    return ""; // an abort or failed assertion: undefined from here on
  default:
    break;
  }
  const std::string name = Intrinsic::getBaseName(call.getIntrinsicID()).drop_front(5).str();
  return unsupported(call, "'" + name + "'", "it has no form on this target yet");
}

} // namespace khalc::wgsl

//===- CallWriter.cpp - builtins and intrinsics in SPIR-V ----------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===---------------------------------------------------------------------------------------------===//
#include "shader/spirv/InstructionWriter.h"

#include "ir/Builtins.h"

#include "khal/abi.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace khalc::spirv {

namespace {

constexpr uint32_t sharedSemantics = uint32_t(spv::MemorySemanticsAcquireReleaseMask) |
                                     uint32_t(spv::MemorySemanticsWorkgroupMemoryMask);

/// Barriers and fences order a work-item's accesses to storage buffers and work-group memory.
constexpr uint32_t barrierSemantics =
    sharedSemantics | uint32_t(spv::MemorySemanticsUniformMemoryMask);

} // namespace

Id InstructionWriter::visitCallInst(CallInst &call) {
  if (auto *known = dyn_cast<IntrinsicInst>(&call))
    return intrinsic(*known);
  const Function *callee = call.getCalledFunction();
  if (callee && callee->getName() == shader::bufferOffsetFunction)
    return resources.bufferOffset(
        static_cast<uint32_t>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue()));
  if (callee && callee->getName() == shader::halfFromBitsFunction)
    return halfFromBits(call);
  if (callee && callee->getName() == shader::bitsFromHalfFunction)
    return bitsFromHalf(call);
  if (builtinCalled(call))
    return builtin(call);
  if (call.isInlineAsm())
    return unsupported(call, "inline assembly", "put it inside a branch for another target");
  std::string name = callee ? "'" + callee->getName().str() + "'" : "a call through a pointer";
  return unsupported(call, name, "it has no form on this target yet");
}

// By float, whose packed forms every language has: halves are floats.
Id InstructionWriter::halfFromBits(CallInst &call) {
  Id single = builder.floatType(32);
  Id pair =
      ext(builder.vectorType(single, 2), GLSLstd450UnpackHalf2x16, {value(call.getArgOperand(0))});
  Id first = builder.emit(spv::OpCompositeExtract, single, {pair, 0});
  return builder.emit(spv::OpFConvert, types.type(call.getType()), {first});
}

Id InstructionWriter::bitsFromHalf(CallInst &call) {
  Id single = builder.floatType(32);
  Id wide = builder.emit(spv::OpFConvert, single, {value(call.getArgOperand(0))});
  Id pair = builder.emit(spv::OpCompositeConstruct, builder.vectorType(single, 2),
                         {wide, builder.floatConstant(32, 0)});
  return ext(types.type(call.getType()), GLSLstd450PackHalf2x16, {pair});
}

Id InstructionWriter::inputComponent(spv::BuiltIn input, const Value *dimension) {
  Id vector = resources.loadInput(input);
  Id word = builder.intType(32);
  if (auto *constant = dyn_cast<ConstantInt>(dimension))
    return builder.emit(spv::OpCompositeExtract, word,
                        {vector, static_cast<uint32_t>(constant->getZExtValue())});
  return builder.emit(spv::OpVectorExtractDynamic, word, {vector, value(dimension)});
}

Id InstructionWriter::builtin(CallInst &call) {
  switch (*builtinCalled(call)) {
  case Builtin::GroupId:
    return inputComponent(spv::BuiltInWorkgroupId, call.getArgOperand(0));
  case Builtin::LocalId:
    return inputComponent(spv::BuiltInLocalInvocationId, call.getArgOperand(0));
  case Builtin::NumGroups:
    if (form.numGroupsInBlock)
      return resources.loadNumGroups(value(call.getArgOperand(0)));
    return inputComponent(spv::BuiltInNumWorkgroups, call.getArgOperand(0));
  case Builtin::GroupSize: {
    Id word = builder.intType(32);
    Id size =
        builder.compositeConstant(builder.vectorType(word, 3), {builder.u32(kernel.groupSize[0]),
                                                                builder.u32(kernel.groupSize[1]),
                                                                builder.u32(kernel.groupSize[2])});
    return builder.emit(spv::OpVectorExtractDynamic, word, {size, value(call.getArgOperand(0))});
  }
  case Builtin::Barrier:
    builder.emit(spv::OpControlBarrier,
                 {builder.u32(spv::ScopeWorkgroup), builder.u32(spv::ScopeWorkgroup),
                  builder.u32(call.hasFnAttr(shader::sharedOnlyAttribute) ? sharedSemantics
                                                                          : barrierSemantics)});
    return 0;
  case Builtin::Fence: {
    auto *scope = dyn_cast<ConstantInt>(call.getArgOperand(0));
    bool device = !scope || scope->getZExtValue() != 0;
    builder.emit(spv::OpMemoryBarrier,
                 {builder.u32(device ? spv::ScopeDevice : spv::ScopeWorkgroup),
                  builder.u32(barrierSemantics)});
    return 0;
  }
  case Builtin::Dot4Signed:
  case Builtin::Dot4Unsigned:
  case Builtin::Dot4Mixed:
    return dotProduct(call);
  default:
    return subgroup(call);
  }
}

/// A pack of four bytes a word; both words and the result are plain 32-bit integers.
Id InstructionWriter::dotProduct(CallInst &call) {
  types.require(spv::CapabilityDotProduct, khal::abi::feature_dot_product);
  types.require(spv::CapabilityDotProductInput4x8BitPacked, khal::abi::feature_dot_product);
  builder.extension("SPV_KHR_integer_dot_product");
  Id word = builder.intType(32);
  Id a = value(call.getArgOperand(0)), b = value(call.getArgOperand(1));
  constexpr uint32_t format = spv::PackedVectorFormatPackedVectorFormat4x8Bit;
  Id product = 0;
  switch (*builtinCalled(call)) {
  case Builtin::Dot4Signed:
    product = builder.emit(spv::OpSDot, word, {a, b, format});
    break;
  case Builtin::Dot4Unsigned:
    product = builder.emit(spv::OpUDot, word, {a, b, format});
    break;
  default: // its signed operand comes first
    product = builder.emit(spv::OpSUDot, word, {b, a, format});
  }
  return builder.emit(spv::OpIAdd, word, {product, value(call.getArgOperand(2))});
}

Id InstructionWriter::ext(Id type, GLSLstd450 instruction, ArrayRef<uint32_t> operands) {
  Words words{builder.glslInstructions(), static_cast<uint32_t>(instruction)};
  words.insert(words.end(), operands.begin(), operands.end());
  return builder.emit(spv::OpExtInst, type, words);
}

Id InstructionWriter::extended(GLSLstd450 instruction, CallInst &call, unsigned operands) {
  Words arguments;
  for (unsigned i = 0; i < operands; ++i)
    arguments.push_back(value(call.getArgOperand(i)));
  Id result = ext(types.type(call.getType()), instruction, arguments);
  // A device that doesn't fuse them sees a product and a sum, and would take those apart.
  if (instruction == GLSLstd450Fma)
    noContraction(result, call);
  return result;
}

/// fmuladd: two operations that a driver may fuse.
Id InstructionWriter::multiplyAdd(CallInst &call) {
  Id type = types.type(call.getType());
  Id product =
      builder.emit(spv::OpFMul, type, {value(call.getArgOperand(0)), value(call.getArgOperand(1))});
  return builder.emit(spv::OpFAdd, type, {product, value(call.getArgOperand(2))});
}

/// C's fmin and fmax: the number when the other is NaN. GLSL's NMin and NMax say the same.
Id InstructionWriter::minOrMaxNumber(CallInst &call, GLSLstd450 instruction) {
  return extended(instruction, call, 2);
}

/// GLSL leaves atan(0, 0) undefined; in C it is y for x = +0 and pi with y's sign for x = -0.
Id InstructionWriter::arcTangent(CallInst &call, Id general) {
  if (general == 0)
    return 0;
  Type *floating = call.getType();
  Type *integer = IntegerType::get(call.getContext(), floating->getScalarSizeInBits());
  Id type = types.type(floating);
  Id boolean = builder.boolType();
  Id y = value(call.getArgOperand(0)), x = value(call.getArgOperand(1));
  auto isNegative = [&](Id number) {
    Id bits = builder.emit(spv::OpBitcast, types.type(integer), {number});
    return builder.emit(spv::OpSLessThan, boolean, {bits, value(Constant::getNullValue(integer))});
  };
  Id zero = value(ConstantFP::get(floating, 0.0));
  Id bothZero = builder.emit(spv::OpLogicalAnd, boolean,
                             {builder.emit(spv::OpFOrdEqual, boolean, {x, zero}),
                              builder.emit(spv::OpFOrdEqual, boolean, {y, zero})});
  Id pi = builder.emit(spv::OpSelect, type,
                       {isNegative(y), value(ConstantFP::get(floating, -numbers::pi)),
                        value(ConstantFP::get(floating, numbers::pi))});
  Id special = builder.emit(spv::OpSelect, type, {isNegative(x), pi, y});
  return builder.emit(spv::OpSelect, type, {bothZero, special, general});
}

Id InstructionWriter::intrinsic(IntrinsicInst &call) {
  Type *type = call.getType();
  bool isDouble = type->isDoubleTy();
  auto maths = [&](GLSLstd450 instruction, unsigned operands) -> Id {
    // GLSL.std.450 has these for 16 and 32 bits alone.
    if (isDouble)
      return unsupported(call, "this function on double", "use float for it on shader targets");
    return extended(instruction, call, operands);
  };
  switch (call.getIntrinsicID()) {
  case Intrinsic::umin:
    return extended(GLSLstd450UMin, call, 2);
  case Intrinsic::umax:
    return extended(GLSLstd450UMax, call, 2);
  case Intrinsic::smin:
    return extended(GLSLstd450SMin, call, 2);
  case Intrinsic::smax:
    return extended(GLSLstd450SMax, call, 2);
  case Intrinsic::abs:
    return extended(GLSLstd450SAbs, call, 1);
  case Intrinsic::ctpop:
    return builder.emit(spv::OpBitCount, types.type(type), {value(call.getArgOperand(0))});
  case Intrinsic::bitreverse:
    return builder.emit(spv::OpBitReverse, types.type(type), {value(call.getArgOperand(0))});
  case Intrinsic::ctlz: {
    // FindUMsb gives -1 for 0, which 31 - x makes 32.
    Id msb = extended(GLSLstd450FindUMsb, call, 1);
    return builder.emit(spv::OpISub, types.type(type), {builder.u32(31), msb});
  }
  case Intrinsic::cttz: {
    // FindILsb gives all ones for 0; the smaller of that and 32 is the count.
    Id lsb = extended(GLSLstd450FindILsb, call, 1);
    return ext(types.type(type), GLSLstd450UMin, {lsb, builder.u32(32)});
  }
  case Intrinsic::fabs:
    return extended(GLSLstd450FAbs, call, 1);
  case Intrinsic::floor:
    return extended(GLSLstd450Floor, call, 1);
  case Intrinsic::ceil:
    return extended(GLSLstd450Ceil, call, 1);
  case Intrinsic::trunc:
    return extended(GLSLstd450Trunc, call, 1);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return extended(GLSLstd450RoundEven, call, 1);
  case Intrinsic::sqrt:
    if (all_of(call.users(), [](const User *user) {
          auto *division = dyn_cast<BinaryOperator>(user);
          return division && isReciprocalSquareRoot(*division);
        }))
      return 0; // part of each of these
    return extended(GLSLstd450Sqrt, call, 1);
  case Intrinsic::fma:
    return extended(GLSLstd450Fma, call, 3);
  case Intrinsic::fmuladd:
    return multiplyAdd(call);
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return minOrMaxNumber(call, GLSLstd450NMin);
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return minOrMaxNumber(call, GLSLstd450NMax);
  case Intrinsic::sin:
    return maths(GLSLstd450Sin, 1);
  case Intrinsic::cos:
    return maths(GLSLstd450Cos, 1);
  case Intrinsic::tan:
    return maths(GLSLstd450Tan, 1);
  case Intrinsic::asin:
    return maths(GLSLstd450Asin, 1);
  case Intrinsic::acos:
    return maths(GLSLstd450Acos, 1);
  case Intrinsic::atan:
    return maths(GLSLstd450Atan, 1);
  case Intrinsic::atan2:
    return arcTangent(call, maths(GLSLstd450Atan2, 2));
  case Intrinsic::sinh:
    return maths(GLSLstd450Sinh, 1);
  case Intrinsic::cosh:
    return maths(GLSLstd450Cosh, 1);
  case Intrinsic::tanh:
    return maths(GLSLstd450Tanh, 1);
  case Intrinsic::exp:
    return maths(GLSLstd450Exp, 1);
  case Intrinsic::exp2:
    return maths(GLSLstd450Exp2, 1);
  case Intrinsic::log:
    return maths(GLSLstd450Log, 1);
  case Intrinsic::log2:
    return maths(GLSLstd450Log2, 1);
  case Intrinsic::trap:
    return 0; // an abort or failed assertion: undefined from here on; unreachable follows
  default:
    break;
  }
  std::string name = Intrinsic::getBaseName(call.getIntrinsicID()).drop_front(5).str();
  return unsupported(call, "'" + name + "'", "it has no form on this target yet");
}

} // namespace khalc::spirv

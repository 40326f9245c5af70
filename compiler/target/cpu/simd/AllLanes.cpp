//===- AllLanes.cpp - asking all lanes with one scalar question -----------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "target/cpu/simd/AllLanes.h"

#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace khalc::cpu::simd {

namespace {

/// How deep conditions are looked into.
constexpr unsigned maxDepth = 6;

class Question {
public:
  Question(IRBuilder<> &builder, Lanes &lanes) : builder(builder), lanes(lanes) {}

  Value *ask(const Value *condition, bool wanted, unsigned depth = 0) {
    if (depth > maxDepth || !condition->getType()->isIntegerTy(1))
      return nullptr;
    if (lanes.shapeOf(condition).isUniform()) {
      Value *scalar = lanes.scalar(condition);
      return wanted ? scalar : builder.CreateNot(scalar);
    }
    const Value *a = nullptr, *b = nullptr;
    if (match(condition, m_Not(m_Value(a))))
      return ask(a, !wanted, depth + 1);
    if (match(condition, m_LogicalAnd(m_Value(a), m_Value(b))))
      return askTwo(a, b, wanted, /*both=*/wanted, depth);
    if (match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
      return askTwo(a, b, wanted, /*both=*/!wanted, depth);
    auto *comparison = dyn_cast<ICmpInst>(condition);
    return comparison ? compare(*comparison, wanted) : nullptr;
  }

private:
  /// The second has a value only where the first lets it decide: in all lanes, if both must be as
  /// wanted; otherwise the first has to do.
  Value *askTwo(const Value *a, const Value *b, bool wanted, bool both, unsigned depth) {
    Value *first = ask(a, wanted, depth + 1);
    if (!first || !both)
      return first;
    Value *second = ask(b, wanted, depth + 1);
    return second ? builder.CreateLogicalAnd(first, second) : nullptr;
  }

  Value *compare(const ICmpInst &comparison, bool wanted) {
    const Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
    CmpInst::Predicate predicate =
        wanted ? comparison.getPredicate() : comparison.getInversePredicate();
    if (!lanes.shapeOf(a).isStrided()) {
      std::swap(a, b);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    Shape shape = lanes.shapeOf(a);
    if (!shape.isStrided() || shape.mayWrap || !lanes.shapeOf(b).isUniform() ||
        !isShortStep(*a->getType(), shape.stride))
      return nullptr;
    Value *first = lanes.scalar(a);
    Value *last = lanes.offset(first, shape.stride * (lanes.width() - 1));
    Value *bound = lanes.scalar(b);
    bool isSigned = CmpInst::isSigned(predicate);
    Value *ordered =
        builder.CreateICmp(isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE, last, first);
    Value *agreed = nullptr;
    switch (predicate) {
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE:
      agreed = builder.CreateICmp(predicate, last, bound);
      break;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE:
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE:
      agreed = builder.CreateICmp(predicate, first, bound);
      break;
    case CmpInst::ICMP_NE:
      agreed =
          builder.CreateOr(builder.CreateICmpULT(bound, first), builder.CreateICmpUGT(bound, last));
      break;
    default:
      return nullptr;
    }
    return builder.CreateAnd(agreed, ordered);
  }

  /// So that lanes in between lie between the first and the last, if these are in order.
  bool isShortStep(const Type &type, int64_t stride) const {
    constexpr unsigned fewestBits = 32;
    constexpr int64_t longestStep = 1 << 16;
    return type.isIntegerTy() && type.getIntegerBitWidth() >= fewestBits && stride > 0 &&
           stride <= longestStep;
  }

  IRBuilder<> &builder;
  Lanes &lanes;
};

} // namespace

Value *allLanesAre(IRBuilder<> &builder, Lanes &lanes, const Value *condition, bool wanted) {
  return Question(builder, lanes).ask(condition, wanted);
}

} // namespace khalc::cpu::simd

//===- MathIntrinsics.cpp - C's names of LLVM's maths intrinsics ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#include "ir/MathIntrinsics.h"

using namespace llvm;

namespace khalc {

StringRef mathFunctionFor(Intrinsic::ID intrinsic) {
  switch (intrinsic) {
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::tanh:
    return "tanh";
  default:
    return "";
  }
}

} // namespace khalc

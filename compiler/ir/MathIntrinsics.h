//===- MathIntrinsics.h - C's names of LLVM's maths intrinsics --------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_MATHINTRINSICS_H
#define KHALC_IR_MATHINTRINSICS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace khalc {

/// C's name, without a suffix for the type, of an intrinsic that no GPU target has an exact
/// instruction for; empty for all others.
llvm::StringRef mathFunctionFor(llvm::Intrinsic::ID intrinsic);

} // namespace khalc

#endif // KHALC_IR_MATHINTRINSICS_H

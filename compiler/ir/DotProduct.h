//===- DotProduct.h - dot products of bytes in plain arithmetic -------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------===//
#ifndef KHALC_IR_DOTPRODUCT_H
#define KHALC_IR_DOTPRODUCT_H

#include "ir/Builtins.h"

namespace llvm {
class CallBase;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace khalc {

/// True for the builtins that expandDotProduct() takes.
bool isDotProduct(Builtin builtin);

/// What a call of a dot product builtin gives, for targets without an instruction for it:
///
///   call @__khal_dot4_signed(%a, %b, %sum)   =>   %sum + sext(byte 0 of %a) * sext(byte 0 of %b) + …
llvm::Value *expandDotProduct(llvm::IRBuilderBase &builder, llvm::CallBase &call, Builtin builtin);

} // namespace khalc

#endif // KHALC_IR_DOTPRODUCT_H

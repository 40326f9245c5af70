//===- ReloadArguments.h - arguments read where a loop uses them ------------------------------===//
//
// Part of khal, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------===//
#ifndef KHALC_TARGET_SHADER_RELOADARGUMENTS_H
#define KHALC_TARGET_SHADER_RELOADARGUMENTS_H

namespace llvm {
class Function;
}

namespace khalc::shader {

struct LoweredKernel;

/// Reads words of the argument block again in the blocks of loops that use them, instead of keeping
/// them in registers over the loop:
///
///   %limit = load i32, ptr @khal.view.khal.block          loop: %limit = load i32, ptr @khal.view...
///   loop: %more = icmp ult i32 %i, %limit           =>          %more = icmp ult i32 %i, %limit
///
/// On a GPU an operation takes its operand from the bank of constants, so that the load is free; on a
/// CPU's few vector registers one argument kept over a loop is one value spilled in it (Mandelbrot on
/// Mesa's llvmpipe: 8 %).
void reloadArguments(llvm::Function &function, const LoweredKernel &kernel);

} // namespace khalc::shader

#endif // KHALC_TARGET_SHADER_RELOADARGUMENTS_H
